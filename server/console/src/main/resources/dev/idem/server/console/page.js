// What all pages share: drawing again, and whether somebody reads or types just now.

let draw = () => {};
let asked = false;

export function drawWith(function_) {
  draw = function_;
}

/** Draws the page again, soon and once. */
export function update() {
  if (!asked) {
    asked = true;
    queueMicrotask(() => {
      asked = false;
      draw();
    });
  }
}

/** Whether the page must not move under somebody's eyes or hands. */
export function reading() {
  const focus = document.activeElement;
  return (
    window.scrollY > 80 ||
    (focus?.matches?.("input, textarea, select") ?? false) ||
    String(document.getSelection() ?? "").length > 0 ||
    document.querySelector("dialog[open], [data-busy]") !== null
  );
}

/** Copies a text, and says so on the button for a moment. */
export async function copy(event, text) {
  const button = event.currentTarget;
  let said = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    said = "Can’t copy";
  }
  button.dataset.said = said;
  setTimeout(() => delete button.dataset.said, 1500);
}
