// Telling the player that it is their turn: title, icon, and, if wanted, the browser's own message and a sound.
import { $ } from "./page.js";

const wanted = (name) => localStorage.getItem(`pbem-${name}`) === "yes";
let before = null;

export function turnNow(game, mine, outcome, headline) {
  document.title = `${mine ? "● your turn" : outcome ? "over" : "waiting"} · ${game}`;
  $("icon").setAttribute("href", mine ? "/icon-turn.svg" : "/icon.svg");
  const now = `${game} ${mine}`;
  if (mine && before !== null && before !== now && document.hidden) alarm(game, headline);
  before = now;
}

function alarm(game, headline) {
  if (wanted("tell") && "Notification" in window && Notification.permission === "granted") {
    new Notification("Your turn", { body: `${game}: ${headline}`, tag: game, silent: true });
  }
  if (wanted("sound")) chime();
}

function chime() {
  const audio = new AudioContext(), tone = audio.createOscillator(), loud = audio.createGain();
  tone.frequency.value = 660;
  loud.gain.setValueAtTime(0.06, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.5);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.5);
}

// The switches of "This page": kept by this browser, off until somebody turns them on (the film is on).
export function switches() {
  const one = (id, name, usual, act = () => {}) => {
    $(id).checked = (localStorage.getItem(`pbem-${name}`) || usual) === "yes";
    $(id).onchange = () => { localStorage.setItem(`pbem-${name}`, $(id).checked ? "yes" : "no"); act(); };
  };
  one("film-on", "film", "yes");
  one("tell-on", "tell", "no", () => { if ("Notification" in window && $("tell-on").checked) Notification.requestPermission(); });
  one("sound-on", "sound", "no");
}

export const filmWanted = () => (localStorage.getItem("pbem-film") || "yes") === "yes";
