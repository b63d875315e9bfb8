// The search: chips that are in the URL, entries page by page, JSON Lines, and doubts settled together.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { repeat } from "./lib/lit-html/directives/repeat.js";
import { call, config, may } from "./api.js";
import { bulk, bulkPanel, closeBulk } from "./bulk.js";
import { undoNewest } from "./decide.js";
import { add, browse, chips, entryLink, id, isOwn, query, searchLink, wrong } from "./filter.js";
import { download, downloading } from "./jsonl.js";
import { copyButton, empty, labels, loading, mark, news, rowKey, told, trouble } from "./parts.js";
import { reading, update } from "./page.js";
import { field, resetField } from "./searchfield.js";
import { line, plural } from "./text.js";
import { exact, whenAgo } from "./time.js";
import { ASKED_AGAIN, STATES, askedAgain, title } from "./words.js";

const PAGE = 100;
const NOT_ALL = "Labels whose names stand only in older entries were not asked: this does not say that there is no such call.";

let filter = [];
let entries = null;
let next = null;
let fresh = null;
let problem = null;
let elsewhere = null;
let busy = false;
let asked = 0;

const asMembers = () => browse(filter);

export const search = {
  title: "Search",
  wide: true,
  filter: () => ({ ...asMembers(), limit: PAGE }),
  async open(_, text) {
    filter = chips(text);
    resetField();
    closeBulk();
    [entries, next, fresh, problem] = [null, null, null, null];
    await load();
  },
  async changed() {
    const about = asked;
    try {
      const page = await call("browse", { ...asMembers(), limit: PAGE });
      if (about !== asked || busy || entries === null) {
        return;
      }
      const known = new Map(entries.map((each) => [id(each), each]));
      const added = page.entries.filter((each) => !known.has(id(each)) || known.get(id(each)).fence !== each.fence);
      if (entries.length > PAGE || (added.length && reading())) {
        // Rows that are shown change where they are; new ones wait.
        const now = new Map(page.entries.map((each) => [id(each), each]));
        entries = entries.map((each) => (now.get(id(each))?.fence === each.fence ? now.get(id(each)) : each));
        fresh = added.length ? { page, added: added.length } : null;
      } else {
        show(page);
      }
    } catch (e) {
      problem = e;
    }
    update();
  },
  view,
  keys: () => ({ j: () => move(1), k: () => move(-1), u: undoNewest }),
};

/** A text that is no beginning of a key may be the value of a label: people know the customer, and not the name of the label. */
const value = () => (filter.length === 1 && filter[0].field === "key" ? filter[0].value.replace(/\*$/, "") : null);

function show(page) {
  [entries, next, fresh, problem] = [page.entries, page.next ?? null, null, null];
}

/** Reads the first page, or the one behind those that are shown. */
async function load(after) {
  const mine = ++asked;
  busy = true;
  update();
  try {
    const page = await call("browse", { ...asMembers(), limit: PAGE, ...(after && { after }) });
    if (mine === asked) {
      show(after ? { entries: [...entries, ...page.entries], next: page.next } : page);
    }
    // What was found stands, whatever becomes of this look.
    const labels = value() && !after ? await call("suggest", { of: "label", value: value() }).catch(() => ({ names: [], all: false })) : null;
    if (mine === asked) {
      elsewhere = after ? elsewhere : labels;
    }
  } catch (e) {
    if (mine === asked) {
      problem = e;
    }
  }
  busy = mine === asked ? false : busy;
  update();
}

function move(step) {
  const rows = [...document.querySelectorAll(".results a.hit")];
  const at = rows.indexOf(document.activeElement);
  rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + step))]?.focus();
}

export const go = (all) => (location.hash = `#/search?${query(all)}`);

function view() {
  const doubts = filter.every((chip) => chip.field !== "by" && (chip.field !== "state" || chip.value === "in_doubt"));
  return html`<header class="page-head"><h1>Search</h1>
      ${fresh ? news(fresh.added, () => (show(fresh.page), update())) : nothing}
      <div class="end">
        ${may("operate") && doubts ? html`<button data-testid="bulk" @click=${() => bulk(asMembers())}>Settle the doubts…</button>` : nothing}
        <button data-testid="jsonl" ?disabled=${!entries?.length} @click=${() => download(asMembers())}>${downloading() ?? "Download JSONL"}</button>
      </div></header>
    ${field(filter, (chip) => go(add(filter, chip)), (chip) => go(filter.filter((each) => each !== chip)))}
    ${bulkPanel(() => load())}
    ${problem ? trouble(problem, () => load()) : nothing}
    ${entries === null ? (problem ? nothing : loading(8)) : entries.length === 0 && !next ? none() : results()}`;
}

function none() {
  if (value() && elsewhere?.names.length) {
    return empty("It is the value of a label", html`No key begins with it. ${labelLinks()}`);
  } else if (value() && elsewhere && !elsewhere.all) {
    return empty("Not everything was looked through", html`No key begins with it. ${NOT_ALL} Ask by the name of the label: <code>label:customer=${line(value(), 80)}</code>`);
  }
  return filter.length === 0
    ? empty("No calls yet", "Every call that is guarded by this ledger appears here, the newest first.")
    : empty("Nothing is found", html`No entry has ${filter.length === 1 ? "this" : `all ${filter.length} of these`}. Remove a chip to see more.
        A text alone means the beginning of a key${value() ? "; no call has a label with this whole value either" : ""}. Ask for other things by name: ${["state:failed", "scope:order-7", "operation:charge", "label:customer=cus_1", "newer:24h", "tries:2", "message:timeout"].map((each) => html`<code>${each}</code> `)}`);
}

const labelLinks = () => html`Show the calls with the label ${elsewhere.names.map((each) => html`<a href=${searchLink({ label: each })}>${told(each, 120)}</a> `)}${elsewhere.all ? "" : NOT_ALL}`;

/** Entries of Idem's own are shown to those who ask for their scope. */
const calls = () => (filter.some((chip) => chip.field === "scope") ? entries : entries.filter((each) => !isOwn(each.scope)));

function results() {
  return html`${value() && elsewhere?.names.length ? html`<p class="hint" data-testid="elsewhere">It is also the value of a label. ${labelLinks()}</p>` : nothing}
    <div class="results panel" data-testid="results">
      ${repeat(calls(), (each) => id(each), hit)}
    </div>
    ${next ? html`<p class="row more"><button ?disabled=${busy} data-testid="more" @click=${() => load(next)}>${busy ? "Loading…" : `Show ${PAGE} more`}</button>
      <span class="hint">${plural(calls().length, "entry", "entries")} so far${calls().length < PAGE ? "; not everything was looked through" : ""}</span></p>`
    : html`<p class="hint" data-testid="count">${plural(calls().length, "entry", "entries")}${filter.some(wrong) ? ", without the chips that can’t be used" : ""}</p>`}`;
}

function hit(entry) {
  return html`<div class="hit-row" data-testid="hit">
    <a class="hit" href=${entryLink(entry)}>${mark(entry.state)}<span class="hit-name"><bdi>${title(entry, config().operations)}</bdi></span></a>
    <span class="hit-scope"><bdi>${line(entry.scope, 60)}</bdi></span>
    <span class="hit-labels">${labels(entry)}</span>
    <span class="hit-key">${rowKey(entry.key)}${copyButton(entry.key, "the key")}</span>
    <span class="hit-state ${entry.state}">${STATES[entry.state] ?? line(entry.state)}${entry.attempt > 1 ? ` · try ${entry.attempt}` : ""}${entry.replays ? html` <span class="again" title=${ASKED_AGAIN}>${askedAgain(entry.replays)}</span>` : nothing}</span>
    <span class="hit-when" title=${exact(entry.claimed_at)}>${whenAgo(entry.claimed_at)}</span>
  </div>`;
}
