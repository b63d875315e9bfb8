// What people have decided, the newest first: how doubts ended, and which calls may be made.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { call } from "./api.js";
import { undoNewest } from "./decide.js";
import { entryLink } from "./filter.js";
import { empty, loading, rowKey, trouble } from "./parts.js";
import { reading, update } from "./page.js";
import { line } from "./text.js";
import { exact, whenAgo } from "./time.js";
import { person } from "./words.js";

const PAGE = 50;
const SAYS = { complete: "It happened", failed: "It did not happen", approved: "Approved", denied: "Denied" };

let by = "";
let all = null;
let next = null;
let problem = null;
let asked = 0;

export const decisions = {
  title: "Decisions",
  wide: true,
  filter: () => ({}),
  async open(query) {
    [by, all, next, problem] = [query.get("by") ?? "", null, null, null];
    await load();
  },
  async changed() {
    if (all !== null && all.length <= PAGE && !reading()) {
      await load();
    }
  },
  view,
  keys: () => ({ u: undoNewest }),
};

/** Reads the first page, or the one behind those that are shown. */
async function load(after) {
  const mine = ++asked;
  try {
    const page = await call("decisions", { limit: PAGE, ...(by && { by }), ...(after && { after }) });
    if (mine === asked) {
      [all, next, problem] = [after ? [...all, ...page.decisions] : page.decisions, page.next ?? null, null];
    }
  } catch (e) {
    if (mine === asked) {
      problem = e;
    }
  }
  update();
}

const search = (e) => {
  e.preventDefault();
  const name = e.target.elements.by.value.trim();
  location.hash = name ? `#/decisions?${new URLSearchParams({ by: name })}` : "#/decisions";
};

function view() {
  return html`<header class="page-head"><h1>Decisions</h1></header>
    <form class="row" @submit=${search}><label class="field" for="decided-by">Decided by</label>
      <input id="decided-by" name="by" data-testid="decided-by" autocomplete="off" maxlength="200" placeholder="a person or a token" .value=${by} />
      <button>Show</button></form>
    ${problem ? trouble(problem, () => load()) : nothing}
    ${all === null ? (problem ? nothing : loading(6)) : all.length === 0 && !next
        ? empty("No decisions", by ? "Nobody of this name has decided something that an entry still shows." : "What people record about doubts and approvals appears here.")
        : html`<div class="results panel">${all.map(row)}</div>`}
    ${next ? html`<p class="row more"><button data-testid="more" @click=${() => load(next)}>Look further</button></p>` : nothing}`;
}

function row({ scope, operation, key, decided, at, resolution }) {
  return html`<div class="hit-row" data-testid="decision-row">
    <a class="hit" href=${entryLink({ scope, operation, key })}><span class="hit-name"><bdi>${SAYS[decided] ?? line(decided)}: ${line(operation, 80)}</bdi></span></a>
    <span class="hit-scope"><bdi>${line(scope, 60)}</bdi></span>
    <span class="hit-labels"><bdi>${person(resolution.who, resolution.caller)}${resolution.why ? `: “${line(resolution.why, 400)}”` : ""}</bdi></span>
    <span class="hit-key">${rowKey(key)}</span>
    <span class="hit-when" title=${exact(at)}>${whenAgo(at)}</span>
  </div>`;
}
