// The first page: what needs a person. One item is open at a time; the next one opens by itself.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { repeat } from "./lib/lit-html/directives/repeat.js";
import { config, may } from "./api.js";
import { againRequest, approvalRequest, decide, lookAtApproval, lookAtEntry, lookAtEvent, resolveRequest, undoNewest } from "./decide.js";
import { entryLink, scopeLink } from "./filter.js";
import { choose, decisionForm, newForm } from "./form.js";
import { empty, entryFacts, facts, keyFact, loading, lookUp, mark, news, rowKey, tail, told, trouble } from "./parts.js";
import { reading, update } from "./page.js";
import * as queue from "./queue.js";
import { cut, clean, line, plural } from "./text.js";
import { exact, whenAgo, whenAt } from "./time.js";
import { byItself, doubtSentence, mayAct, title } from "./words.js";

// A second press of the same key, or one that was meant for an item that has just gone, comes within this time.
const REST_MS = 700;

let openId = null;
let resting = 0;
let fresh = null;
let problem = null;
// More rows than these make each key press slow.
const PAGE = 50;
const forms = new Map();
const shown = new Map();
const left = new Set();

const formOf = (item) => forms.get(item.id) ?? forms.set(item.id, newForm()).get(item.id);
const current = () => (queue.waiting() ?? []).find((item) => item.id === openId) ?? null;

export const needs = {
  title: "Needs you",
  filter: () => ({ states: ["in_doubt"], oldest_first: true, limit: 200 }),
  async open() {
    await this.changed();
  },
  async changed() {
    try {
      const read = await queue.read();
      problem = null;
      const { added, changed } = queue.news(read);
      if (queue.waiting() !== null && changed && reading()) {
        fresh = { read, added };
      } else {
        show(read);
      }
    } catch (e) {
      problem = e;
    }
    update();
  },
  view,
  keys: () => ({
    j: () => move(1),
    k: () => move(-1),
    1: () => pick(1),
    2: () => pick(2),
    3: () => pick(3),
    u: undoNewest,
    Enter: () => !resting && current()?.entry && (location.hash = entryLink(current().entry)),
  }),
};

function show(read) {
  const looked = queue.waiting() !== null;
  queue.show(read);
  fresh = null;
  if (!current()) {
    openId = first()?.id ?? null;
    if (looked) {
      rest();
    }
  }
}

const first = () => (queue.waiting() ?? []).find((item) => !left.has(item.id));

/** After an item has opened by itself, the keys that decide do nothing for a moment. */
function rest() {
  clearTimeout(resting);
  resting = setTimeout(() => ((resting = 0), update()), REST_MS);
}

function openByItself(item) {
  open(item);
  rest();
}

function open(item) {
  clearTimeout(resting);
  resting = 0;
  openId = item?.id ?? null;
  update();
  queueMicrotask(() => {
    const head = document.querySelector(".item.open .item-head");
    head?.scrollIntoView({ block: "nearest" });
    head?.focus({ preventScroll: true });
  });
}

function move(step) {
  const items = queue.waiting() ?? [];
  const at = items.findIndex((item) => item.id === openId);
  open(items[Math.max(0, Math.min(items.length - 1, at + step))]);
}

/** The item behind this one that was not left, or the first such one. */
function next(item) {
  const items = queue.waiting();
  const from = items.findIndex((each) => each.id === item.id);
  return [...items.slice(from + 1), ...items.slice(0, from)].find((each) => !left.has(each.id)) ?? null;
}

function pick(number) {
  const item = current();
  if (item && !resting && may("operate") && (number === 3 || !(item.kind === "event" && number === 2))) {
    choose(item, formOf(item), number, () => leave(item));
  }
}

function leave(item) {
  left.add(item.id);
  openByItself(next(item));
}

// The request has no id, and browsers send it again by themselves where a connection breaks.
const GONE = "It was sent again already: by an earlier try of this page whose answer was lost, or by somebody else";

function record(item, chosen) {
  const form = formOf(item);
  const following = next(item);
  decide({
    item: { id: item.id, title: name(item), entry: item.entry, gone: item.kind === "event" ? GONE : null },
    words: chosen.says,
    send: sending(item, form, chosen),
    look: looking(item, chosen.says),
    back: ({ until }) => {
      Object.assign(form, { until, sure: false, asking: until ?? null });
      if (!until) {
        open(item);
      } else if (!reading()) {
        openByItself(item);
      }
    },
    done: () => needs.changed(),
  });
  openByItself(following);
}

function sending(item, form, chosen) {
  if (item.kind === "doubt") {
    const result = form.result.trim() === "" ? null : form.result;
    return resolveRequest(item.entry, { as: chosen.name, why: form.why.trim(), result, even: form.sure });
  }
  return item.kind === "approval"
    ? approvalRequest(item.approval.approval, chosen.name === "approve", form.why.trim())
    : againRequest(item.event);
}

function looking(item, words) {
  return item.kind === "doubt" ? lookAtEntry(item.entry, words) : item.kind === "approval" ? lookAtApproval(item.approval) : lookAtEvent(item.event);
}

function name(item) {
  return item.kind === "doubt"
    ? title(item.entry, config().operations)
    : item.kind === "approval"
      ? line(item.approval.summary, 160)
      : `${line(item.event.source, 80)} event ${line(item.event.key, 80)}`;
}

const GROUPS = {
  doubt: ["In doubt", "in_doubt"],
  approval: ["Waiting for approval", "held"],
  event: ["Given up", "given_up"],
};

function view() {
  const items = queue.waiting();
  return html`<header class="page-head">
      <h1>Needs you</h1>
      ${fresh ? news(fresh.added, () => (show(fresh.read), update())) : nothing}
    </header>
    ${problem && items === null ? trouble(problem, () => needs.changed()) : nothing}
    ${items === null ? (problem ? nothing : loading(4)) : items.length === 0
        ? empty("Nothing needs you.", "A call appears here when nobody can know whether it took effect, when it waits for your approval, or when an event was given up.")
        : Object.keys(GROUPS).map((kind) => group(kind, items.filter((item) => item.kind === kind)))}
    ${queue.hasMore() ? html`<p class="hint">These are the oldest 200. <a href="#/search?state=in_doubt">See all that are in doubt</a>, and resolve many at once.</p>` : nothing}`;
}

function group(kind, items) {
  const [says] = GROUPS[kind];
  // The open one is always among those that are shown.
  const most = Math.max(shown.get(kind) ?? PAGE, items.findIndex((item) => item.id === openId) + 1);
  return items.length === 0
    ? nothing
    : html`<section class="group" data-testid="group-${kind}">
        <h2>${says} <span class="count">${items.length}</span></h2>
        <ul class="items">${repeat(items.slice(0, most), (item) => item.id, (item) => row(kind, item))}</ul>
        ${items.length > most ? html`<p class="row more"><button data-testid="more-${kind}" @click=${() => (shown.set(kind, most + PAGE), update())}>Show ${Math.min(PAGE, items.length - most)} more</button>
          <span class="hint">${most} of ${items.length} are shown</span></p>` : nothing}
      </section>`;
}

function row(kind, item) {
  const isOpen = item.id === openId;
  return html`<li class="item ${kind} ${isOpen ? "open" : ""} ${isOpen && resting ? "resting" : ""} ${left.has(item.id) ? "left-alone" : ""}" data-testid="item">
    <button class="item-head" aria-expanded=${isOpen} @click=${() => open(isOpen ? null : item)}>
      ${mark(GROUPS[kind][1])}
      <span class="item-name"><bdi>${name(item)}</bdi> ${item.entry && !isOpen ? rowKey(item.entry.key) : nothing}</span>
      <span class="item-since" title=${exact(item.since)}>${whenAgo(item.since)}</span>
      <span class="item-says"><bdi>${says(item)}</bdi></span>
    </button>
    ${isOpen ? html`<div class="item-body">${body(item)}${may("operate")
        ? decisionForm(item, formOf(item), { record: (chosen) => record(item, chosen), leave: () => leave(item) })
        : html`<p class="hint">Your token may look, and decide nothing.</p>`}</div>` : nothing}
  </li>`;
}

function says(item) {
  if (item.kind === "doubt") {
    return doubtSentence(item.entry);
  } else if (item.kind === "approval") {
    return `${line(item.approval.operation, 80)} waits until a person allows it.`;
  }
  return `${plural(item.event.attempts, "attempt")}, then it was set aside${item.event.failure ? `: ${line(item.event.failure, 200)}` : "."}`;
}

function body(item) {
  if (item.kind === "doubt") {
    const { entry } = item;
    return html`${entryFacts(entry)}${tail(entry)}
      <p class="by-itself ${mayAct(entry) ? "acting" : ""}" data-testid="by-itself">${byItself(entry)}</p>
      <div class="row links">${lookUp(entry)}<a class="button" href=${entryLink(entry)}>Whole entry</a></div>`;
  } else if (item.kind === "approval") {
    const { approval } = item;
    return facts([
      ["Asks for", html`<code class="wrap" tabindex="0">${cut(clean(approval.summary), 4000)}</code>`],
      ["Tool", told(approval.operation)],
      ["Scope", html`<a href=${scopeLink(approval.scope)}>${told(approval.scope)}</a>`],
      ["Asked", html`${whenAt(approval.requested_at)} · ${whenAgo(approval.requested_at)}`],
      ["Expires", html`${whenAt(approval.expires_at)} · ${whenAgo(approval.expires_at)}`],
      ["Key", keyFact(approval.key)],
    ]);
  }
  const { event } = item;
  return html`${facts([
    ["Source", told(event.source)],
    ["Event", keyFact(event.key)],
    ["Attempts", event.attempts],
    ["Given up", html`${whenAt(event.since)} · ${whenAgo(event.since)}`],
  ])}${event.failure ? html`<pre class="tail" tabindex="0" aria-label="Last failure">${cut(clean(event.failure), 4000)}</pre>` : nothing}`;
}
