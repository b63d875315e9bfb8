// Keys of the keyboard. A page names its own; keys that are typed into a field are not taken.

let handlers = {};

/** Replaces the keys of the page. */
export function setKeys(map) {
  handlers = map;
}

const TYPING = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
    return;
  }
  if (event.key === "Escape" && event.target.matches(TYPING)) {
    event.target.blur();
    return;
  }
  // Enter is for the button or the link that has the focus; the head of an item is there for reading.
  if (event.key === "Enter" && event.target.matches("a, button:not(.item-head)")) {
    return;
  }
  const handler = event.target.matches(TYPING) || document.querySelector("dialog[open]") ? null : handlers[event.key];
  if (handler) {
    event.preventDefault();
    // A key that is held down walks through a list, and decides nothing more.
    if (!event.repeat || event.key === "j" || event.key === "k") {
      handler();
    }
  }
});

/** Shown by "?". */
export const HELP = [
  ["j / k", "next and previous item"],
  ["1", "it happened, or approve, or send again"],
  ["2", "it did not happen, or deny"],
  ["3", "leave it for now"],
  ["Ctrl Enter", "record the decision"],
  ["u", "undo, while it was not sent"],
  ["Enter", "open the whole entry; in the search, take the suggestion"],
  ["/", "search"],
  ["↑ / ↓", "another suggestion of the search"],
  ["Backspace", "in the empty search: remove the last chip"],
  ["Esc", "leave a field"],
  ["?", "these keys"],
];
