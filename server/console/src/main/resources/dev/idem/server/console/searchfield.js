// The field of the search: chips, and suggestions from the ledger while somebody types.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { call } from "./api.js";
import { FIELDS, typed, wrong } from "./filter.js";
import { update } from "./page.js";
import { line } from "./text.js";
import { STATES } from "./words.js";

const PAUSE = 150;
const TIMES = ["15m", "1h", "24h", "7d"];

let text = "";
let found = [];
let marked = -1;
let timer = 0;
let asked = 0;
let open = false;

export function resetField() {
  [text, found, marked, open] = ["", [], -1, false];
}

/** What a typed text may mean: a field whose value is typed next, or a whole chip. */
async function suggestions(typing) {
  const [, field, value] = /^(\w+):\s*(.*)$/s.exec(typing) ?? [];
  if (FIELDS[field]) {
    return (await values(field, value)).map((each) => ({ chip: { field, value: each } }));
  }
  const fields = Object.keys(FIELDS).filter((each) => each.startsWith(typing.toLowerCase())).map((each) => ({ field: each }));
  if (typing === "") {
    return fields;
  }
  const label = /^([A-Za-z0-9._-]{1,64})=(.*)$/s.exec(typing);
  const others = label
    ? (await values("label", typing)).map((value) => ({ chip: { field: "label", value } }))
    : (await Promise.all(["operation", "scope"].map(async (field) => (await values(field, typing)).slice(0, 5).map((value) => ({ chip: { field, value } }))))).flat();
  return [...fields, ...others, { chip: typed(typing) }];
}

async function values(field, prefix) {
  if (field === "state") {
    return Object.keys(STATES).filter((each) => each.startsWith(prefix) || STATES[each].startsWith(prefix));
  } else if (field === "newer" || field === "older") {
    return TIMES.filter((each) => each.startsWith(prefix));
  } else if (field === "scope" || field === "operation") {
    return (await call("suggest", { of: field, prefix })).names;
  } else if (field === "label") {
    const [name, value] = prefix.split(/=(.*)/s);
    return value === undefined
      ? (await call("suggest", { of: "label", prefix })).names.map((each) => `${each}=`)
      : (await call("suggest", { of: "label", label: name, prefix: value })).names.map((each) => `${name}=${each}`);
  }
  return [];
}

function type(value) {
  text = value;
  marked = -1;
  open = true;
  clearTimeout(timer);
  const mine = ++asked;
  timer = setTimeout(async () => {
    const all = await suggestions(value.trimStart()).catch(() => []);
    if (mine === asked) {
      found = all;
      update();
    }
  }, PAUSE);
}

export function field(filter, add, remove) {
  const take = (one) => {
    const half = one.field ?? (one.chip?.field === "label" && one.chip.value.endsWith("=") ? "label" : null);
    if (half) {
      text = one.field ? `${one.field}:` : `label:${one.chip.value}`;
      document.querySelector("#search-field").value = text;
      type(text);
      return;
    }
    resetField();
    document.querySelector("#search-field").value = "";
    add(one.chip);
  };
  const key = (e) => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      marked = Math.max(-1, Math.min(found.length - 1, marked + (e.key === "ArrowDown" ? 1 : -1)));
      open = true;
      update();
    } else if (e.key === "Enter") {
      e.preventDefault();
      const one = found[marked] ?? (text.trim() && !FIELDS[text.trim().replace(/:$/, "")] ? { chip: typed(text) } : null);
      if (one) {
        take(one);
      }
    } else if (e.key === "Backspace" && text === "" && filter.length) {
      remove(filter[filter.length - 1]);
    } else if (e.key === "Escape") {
      open = false;
      update();
    }
  };
  const shown = open && found.length > 0;
  return html`<div class="search" role="search">
    <div class="search-box">
      ${filter.map((chip) => html`<span class="chip ${wrong(chip) ? "wrong" : ""}" title=${wrong(chip) ?? ""} data-testid="chip"><b>${chip.field}</b>
        <bdi>${line(chip.field === "state" ? (STATES[chip.value] ?? chip.value) : chip.value, 80)}</bdi>
        <button class="chip-off" aria-label="Remove ${chip.field} ${line(chip.value, 40)}" @click=${() => remove(chip)}>×</button></span>`)}
      <input id="search-field" data-testid="search" autocomplete="off" spellcheck="false" placeholder=${filter.length ? "and…" : "state, operation, label, beginning of a key…"}
        role="combobox" aria-label="Search" aria-expanded=${shown} aria-controls="suggestions" aria-activedescendant=${marked >= 0 ? `suggestion-${marked}` : nothing}
        @input=${(e) => type(e.target.value)} @keydown=${key} @focus=${(e) => type(e.target.value)} @blur=${() => setTimeout(() => ((open = false), update()), 150)} />
    </div>
    <ul class="suggestions" id="suggestions" role="listbox" aria-label="Suggestions" ?hidden=${!shown}>${shown ? found.map((one, i) => html`<li id="suggestion-${i}" role="option"
      aria-selected=${i === marked} data-testid="suggestion" @mousedown=${(e) => (e.preventDefault(), take(one))}>
      ${one.field ? html`<b>${one.field}:</b> <span class="sub">${FIELDS[one.field].says}</span>`
        : html`<b>${one.chip.field}</b> <bdi>${line(STATES[one.chip.value] && one.chip.field === "state" ? STATES[one.chip.value] : one.chip.value, 120)}</bdi>`}</li>`) : nothing}</ul>
  </div>`;
}
