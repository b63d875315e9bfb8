// Small parts that several pages draw.
import { html, nothing, svg } from "./lib/lit-html/lit-html.js";
import { config } from "./api.js";
import { searchLink, scopeLink } from "./filter.js";
import { copy } from "./page.js";
import { clean, cut, ends, line } from "./text.js";
import { whenAgo, whenAt } from "./time.js";
import { STATES, output, owner, site, vendorLink } from "./words.js";

const SHAPES = {
  in_doubt: svg`<path d="M8 1.8 15 14H1z" /><path class="on" d="M8 6.2v3.6M8 11.6v.6" />`,
  in_progress: svg`<circle cx="8" cy="8" r="6" class="ring" /><path class="ring" d="M8 4.6V8l2.4 1.6" />`,
  complete: svg`<circle cx="8" cy="8" r="7" /><path class="on" d="m4.8 8.2 2.2 2.3 4.2-4.8" />`,
  failed: svg`<rect x="1.5" y="1.5" width="13" height="13" rx="3" /><path class="on" d="m5.5 5.5 5 5m0-5-5 5" />`,
  expired: svg`<circle cx="8" cy="8" r="6" class="ring" /><path class="ring" d="M5 8h6" />`,
  held: svg`<rect x="2" y="2" width="12" height="12" rx="6" /><path class="on" d="M6.4 5.4v5.2M9.6 5.4v5.2" />`,
  given_up: svg`<path d="M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5z" /><path class="on" d="M5.4 8h5.2" />`,
};

/** A state as a shape and a colour: neither alone has to be told apart. */
export function mark(state) {
  return html`<svg class="mark ${state}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    ${SHAPES[state] ?? SHAPES.expired}
  </svg>`;
}

export function pill(state) {
  return html`<span class="pill ${state}">${mark(state)}${STATES[state] ?? line(state)}</span>`;
}

/** Text from outside in a box of its own, so that its direction ends with it. */
export const told = (text, most = 400) => html`<bdi>${line(text, most)}</bdi>`;

export function copyButton(text, what) {
  return html`<button class="copy" title="Copy" aria-label="Copy ${what}" @click=${(e) => copy(e, text)}>
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><rect x="5" y="5" width="9" height="9" rx="2" /><path d="M11 3.5V3a1 1 0 0 0-1-1H3a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h.5" /></svg>
  </button>`;
}

export function labels(entry) {
  const all = Object.entries(entry.labels ?? {}).filter(([name]) => name !== "recovery").sort(([a], [b]) => (a < b ? -1 : 1));
  return all.length === 0
    ? nothing
    : html`<span class="chips">${all.map(
        ([name, value]) =>
          html`<a class="chip" href=${searchLink({ label: `${name}=${value}` })}><b>${line(name, 64)}</b> ${told(value, 80)}</a>`,
      )}</span>`;
}

/** Rows of names and values; rows without a value are left out. */
export function facts(rows) {
  return html`<dl class="facts">${rows
    .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== nothing)
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The key in a row of a list, behind the title: rows may differ in nothing else. Where room is short its end stays. */
export function rowKey(key) {
  const [head, tail] = ends(key);
  return html`<code class="row-key" title=${line(key, 255)}><span class="key-head">${head}</span><span class="key-tail">${tail}</span></code>`;
}

/** The whole key: a phone shows no title of an element. */
export const keyFact = (key) => html`<code class="key">${line(key, 4000)}</code>${copyButton(key, "the key")}`;

/** What names an entry, and who had it: on its card and on its page. */
export function entryFacts(entry, probed = entry.failure === "probe") {
  const ran = output(entry);
  return facts([
    ["Operation", html`<a href=${searchLink({ operation: entry.operation })}>${told(entry.operation)}</a>`],
    ["Scope", html`<a href=${scopeLink(entry.scope)} data-testid="scope-link">${told(entry.scope)}</a>`],
    ["Key", keyFact(entry.key)],
    ["About", labels(entry)],
    [probed ? "A probe asked" : "Claimed", html`${whenAt(entry.claimed_at)} · ${whenAgo(entry.claimed_at)}`],
    ["In doubt since", entry.doubt_since ? html`${whenAt(entry.doubt_since)} · ${whenAgo(entry.doubt_since)}` : null],
    [probed ? "It asked at" : "Ran at", html`<bdi>${owner(entry)}</bdi>`],
    ["Attempt", entry.attempt > 1 || entry.last_mark ? html`${entry.attempt}${entry.last_mark ? html`, last mark ${told(entry.last_mark)}` : nothing}` : null],
    ["Command", ran ? html`<code class="wrap" tabindex="0">${cut(ran.command, 2000)}</code>` : null],
  ]);
}

/** The end of a command's output, or the whole message of an exception where it has several lines. */
export function tail(entry) {
  const ran = output(entry);
  const message = entry.failure_message ?? "";
  const text = ran ? ran.tail : message.includes("\n") ? clean(message) : "";
  return text.trim() ? html`<pre class="tail" tabindex="0" aria-label="Output">${cut(text, 4000)}</pre>` : nothing;
}

/** The way to the vendor's own page about this key. */
export function lookUp(entry) {
  const link = vendorLink(entry, config().operations);
  return link
    ? html`<a class="button look-up" href=${link} target="_blank" rel="noopener noreferrer" data-testid="vendor-link">
        Look it up at ${line(site(link), 60)} <span aria-hidden="true">↗</span></a>`
    : nothing;
}

/** What will appear here, where there is nothing yet. */
export function empty(head, text) {
  return html`<div class="empty" data-testid="empty"><h2>${head}</h2><p>${text}</p></div>`;
}

/** Lines of the height of what is loaded, so that nothing jumps. */
export function loading(rows = 5) {
  return html`<div class="loading" role="status" aria-label="Loading">${Array.from({ length: rows }, () => html`<i></i>`)}</div>`;
}

export function trouble(problem, again) {
  return html`<div class="trouble" role="alert" data-testid="trouble">
    <p>${line(problem.message, 600)}</p>
    ${again ? html`<button @click=${again}>Try again</button>` : nothing}
  </div>`;
}

/** "12 new", instead of moving what somebody reads. */
export function news(count, show) {
  return html`<button class="news" data-testid="news" @click=${show}>${count > 0 ? `${count} new` : "Changed"} · show</button>`;
}
