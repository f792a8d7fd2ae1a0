// Where one is: each game, entry and rule has an address. What arrives in an address is taken in and cleared.
let go = async () => {};

export const onFollow = (act) => { go = act; };

export function here() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

export const address = (where) => {
  const text = new URLSearchParams(Object.entries(where).filter(([, value]) => value !== undefined && value !== "")).toString();
  return text ? `#${text}` : location.pathname;
};

// Go somewhere: the way back is the browser's own.
export function follow(where) {
  history.pushState(null, "", address(where));
  return go(where);
}

// Say where one is without a step of the browser's history.
export function note(where) { history.replaceState(null, "", address(where)); }

window.addEventListener("popstate", () => go(here()));
