// What the page shows now: one game, its board, its draft, and what has been chosen so far.
/* global Stage: stage.js, shared with the replay */
import { $ } from "./page.js";

export const state = { game: "", lines: [], picks: [], verb: "", looks: [], base: "", at: {}, boxes: {}, pieces: {}, frame: null, next: null, plan: null, fingerprint: "", whole: false, entry: null, names: "both", trails: [], entries: 0, fields: {} };

export const stage = new Stage($("board"));
$("board").prepend(stage.svg);
