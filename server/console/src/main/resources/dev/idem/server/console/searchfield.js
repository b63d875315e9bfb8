// The field of the search: chips, and suggestions from the ledger while somebody types.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { call, config } from "./api.js";
import { FIELDS, typed, wrong } from "./filter.js";
import { update } from "./page.js";
import { line } from "./text.js";
import { day } from "./time.js";
import { NOT_ABOUT, STATES } from "./words.js";

const PAUSE = 150;
const TIMES = ["15m", "1h", "24h", "7d"];
const TRIES = ["2", "3", "5"];
// Each label asks the server once more for its values.
const MOST_LABELS = 5;
const MOST_OF_EACH = 5;

let text = "";
let found = [];
let foundFor = null;
let marked = -1;
let timer = 0;
let asked = 0;
let open = false;

export function resetField() {
  clearTimeout(timer);
  asked++;
  [text, found, foundFor, marked, open] = ["", [], null, -1, false];
}

/** What a typed text may mean, the likeliest first: a field whose value is typed next, or a whole chip. */
async function suggestions(typing) {
  const [, field, value] = /^(\w+):\s*(.*)$/s.exec(typing) ?? [];
  if (FIELDS[field]) {
    return (await values(field, value)).map((each) => ({ chip: { field, value: each } }));
  }
  const fields = Object.keys(FIELDS).filter((each) => each.startsWith(typing.toLowerCase())).map((each) => ({ field: each }));
  if (typing === "") {
    return fields;
  }
  const chipsOf = async (field) => (await values(field, typing)).slice(0, MOST_OF_EACH).map((value) => ({ chip: { field, value } }));
  if (/^[A-Za-z0-9._-]{1,64}=/.test(typing)) {
    return [...(await chipsOf("label")), { chip: typed(typing) }];
  }
  const found = (await Promise.all([...["state", "operation", "scope"].map(chipsOf), labelled(typing), chipsOf("label")])).flat();
  return [...fields, ...found, { chip: typed(typing) }, { chip: { field: "scope", value: `${typing.trim().replace(/\*$/, "")}*` } }];
}

/** Labels that have this value among all entries, or one that begins so among the newest: people know the customer, and not the name of the label. */
async function labelled(prefix) {
  const [whole, { names }] = await Promise.all([call("suggest", { of: "label", value: prefix.trim() }), call("suggest", { of: "label", prefix: "" })]);
  const all = names.filter((name) => !NOT_ABOUT.has(name)).slice(0, MOST_LABELS);
  const begun = (await Promise.all(all.map((name) => values("label", `${name}=${prefix}`)))).flatMap((found) => found.slice(0, MOST_OF_EACH));
  return [...new Set([...whole.names, ...begun])].map((value) => ({ chip: { field: "label", value } }));
}

/** The operations whose name or title begins so. */
async function operations(prefix) {
  const titled = Object.entries(config().operations ?? {}).filter(([, { title }]) => prefix && title?.toLowerCase().startsWith(prefix.toLowerCase()));
  return [...new Set([...(await call("suggest", { of: "operation", prefix })).names, ...titled.map(([name]) => name)])];
}

async function values(field, prefix) {
  if (field === "state") {
    const begins = (word) => word.startsWith(prefix.toLowerCase());
    return Object.keys(STATES).filter((each) => begins(each) || begins(STATES[each]) || STATES[each].split(" ").some(begins));
  } else if (field === "newer" || field === "older") {
    return [...TIMES, day(0), day(1)].filter((each) => each.startsWith(prefix));
  } else if (field === "tries") {
    return TRIES.filter((each) => each.startsWith(prefix));
  } else if (field === "operation") {
    return operations(prefix);
  } else if (field === "scope") {
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
  [text, marked, open] = [value, -1, true];
  asked++;
  clearTimeout(timer);
  timer = setTimeout(suggest, PAUSE);
}

/** Asks for the suggestions of what is typed. Enter takes the first, so it is marked. */
async function suggest() {
  clearTimeout(timer);
  const mine = ++asked;
  const of = text;
  const typing = of.trimStart();
  const all = await suggestions(typing).catch(() => [{ chip: typed(typing) }]);
  if (mine === asked) {
    [found, foundFor, marked] = [all, of, typing === "" ? -1 : 0];
    update();
  }
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
  const enter = async () => {
    const of = text;
    if (foundFor !== of && of.trim()) {
      await suggest();
    }
    if (of === text && foundFor === of) {
      const one = found[marked] ?? (of.trim() && !/^\w+:\s*$/.test(of) ? { chip: typed(of) } : null);
      if (one) {
        take(one);
      }
    }
  };
  const key = (e) => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      marked = Math.max(0, Math.min(found.length - 1, marked + (e.key === "ArrowDown" ? 1 : -1)));
      open = true;
      update();
    } else if (e.key === "Enter") {
      e.preventDefault();
      enter();
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
      <input id="search-field" data-testid="search" autocomplete="off" spellcheck="false" placeholder=${filter.length ? "and…" : "customer, operation, scope, state, beginning of a key…"}
        role="combobox" aria-label="Search" aria-expanded=${shown} aria-controls="suggestions" aria-activedescendant=${marked >= 0 ? `suggestion-${marked}` : nothing}
        @input=${(e) => type(e.target.value)} @keydown=${key} @focus=${(e) => type(e.target.value)} @blur=${() => setTimeout(() => ((open = false), update()), 150)} />
    </div>
    <ul class="suggestions" id="suggestions" role="listbox" aria-label="Suggestions" ?hidden=${!shown}>${shown ? found.map((one, i) => html`<li id="suggestion-${i}" role="option"
      aria-selected=${i === marked} data-testid="suggestion" @mousedown=${(e) => (e.preventDefault(), take(one))}>
      ${one.field ? html`<b>${one.field}:</b> <span class="sub">${FIELDS[one.field].says}</span>`
        : html`<b>${one.chip.field}${one.chip.value.endsWith("*") ? " begins with" : ""}</b> <bdi>${line(STATES[one.chip.value] && one.chip.field === "state" ? STATES[one.chip.value] : one.chip.value, 120)}</bdi>`}</li>`) : nothing}</ul>
  </div>`;
}
