// Words of orders as people read them: names for ids, capitals for names, orders as sentences.
import { state } from "./state.js";

export function names() {
  const found = new Map();
  for (const piece of Object.values(state.pieces)) for (const words of piece[1]) if (words.length === 1 && piece[4] !== "count") found.set(words[0], piece[5]);
  return found;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// An order as a sentence: "attack 1911 with genan" is "Attack 1911 with Genan".
export function told(order) {
  const known = names();
  return capital(order.split(" ").map((word) => {
    const [unit, place] = word.split("@");
    return place ? `${known.get(unit) || unit} at ${place}` : known.get(word) || word;
  }).join(" "));
}

export const word = (one) => names().get(one) || (state.frame && state.frame.names[one] ? `${one} ${state.frame.names[one]}` : one);

// A field's name as a heading: "to_hex" is "To hex".
export const heading = (field) => capital((field || "").replace(/[_-]/g, " "));
