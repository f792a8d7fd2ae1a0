// What lies beside the map: tracks, hands, reserves. On a wide screen they get a strip of their own under it, in
// their own size; the pieces there are the stage's own, only shown elsewhere.
import { $ } from "./page.js";
import { stage, state } from "./state.js";

const svg = stage.make("svg", { class: "stage", "data-zoom": "4" });
const layer = svg.appendChild(stage.make("g")), over = svg.appendChild(stage.make("g", { "pointer-events": "none" }));
$("strip").append(svg);

// How wide the strip is; 0 where there is none: on a phone.
export const stripWidth = () => (window.innerWidth > 760 ? $("board").clientWidth : 0);

// After a board was drawn: what lies below the map moves into the strip.
export function fillStrip(sent) {
  const [wide, high] = state.frame.size, top = state.map ? state.map[1] : 0;
  const shown = sent > 0 && top > 0 && high > top + 1;
  $("strip").hidden = !shown;
  for (const node of Array.from(layer.childNodes)) if (!stage.items.has(node.getAttribute("data-id"))) node.remove();
  if (!shown) { stage.setSize(wide, high); return; }
  stage.setSize(...state.map);
  const items = Array.from(stage.items.values()).filter((item) => item.y >= top).sort((a, b) => a.z - b.z);
  layer.replaceChildren(...items.map((item) => item.node));
  const low = Math.max(...Object.values(state.boxes).map(([, y, , h]) => y + h), high - 14);
  svg.setAttribute("viewBox", `0 ${top + 2} ${sent} ${low - top}`);
  svg.setAttribute("width", sent);
  svg.setAttribute("height", Math.ceil(low - top));
}

// After the marks were drawn: those of the strip's pieces belong into it.
export function markStrip() {
  over.replaceChildren();
  if ($("strip").hidden) return;
  const top = state.map[1];
  for (const mark of [...stage.over.childNodes, ...stage.under.childNodes]) {
    const moved = /translate\([^,]+,([-\d.]+)/.exec(mark.getAttribute("transform") || "");
    const y = moved ? Number(moved[1]) : Number(mark.getAttribute("y") ?? -1);
    if (y >= top) over.append(mark);
  }
}

const point = (event) => {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [at.x, at.y];
};

// A click means the same as on the board; a piece that is dragged leaves the strip for the board.
let from = null, moved = false;
svg.addEventListener("pointerdown", (event) => {
  moved = false;
  from = stage.options.grab && stage.options.grab(event) ? { x: event.clientX, y: event.clientY, id: event.target.closest("[data-id]").getAttribute("data-id") } : null;
});
window.addEventListener("pointermove", (event) => {
  if (!from) return;
  if (!moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) > 4) {
    moved = true;
    stage.insert(stage.items.get(from.id));
  }
  if (moved) stage.options.drag(event, stage.point(event));
});
window.addEventListener("pointerup", (event) => {
  if (from && moved) stage.options.drop(event, stage.point(event));
  from = null;
});
svg.addEventListener("click", (event) => { if (!moved) stage.options.click(event, point(event)); });
