// The numbers: what ran, what was asked for again, what is open. Each names its time and leads to its entries.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { call, config } from "./api.js";
import { columns, hours } from "./chart.js";
import { searchLink } from "./filter.js";
import { empty, loading, told, trouble } from "./parts.js";
import { update } from "./page.js";
import * as queue from "./queue.js";
import { line, plural } from "./text.js";
import { ago, at, duration, exact, whenAt } from "./time.js";
import { money } from "./words.js";

const WINDOWS = { "24h": ["24 hours", 86_400_000], "7d": ["7 days", 604_800_000] };
const PER_TOOL = 1000;

let span = "24h";
let read = null;
let problem = null;
const charts = {};

export const numbers = {
  title: "Numbers",
  filter: () => ({ limit: 20 }),
  async open(query) {
    const next = WINDOWS[query.get("last")] ? query.get("last") : "24h";
    read = next === span ? read : null;
    span = next;
    await this.changed();
  },
  async changed() {
    const of = span;
    try {
      const counts = await call("counts", { newer_than_ms: WINDOWS[of][1] });
      const saved = await money_(counts, WINDOWS[of][1]);
      if (of === span) {
        [read, problem] = [{ counts, saved }, null];
      }
    } catch (e) {
      problem = e;
    }
    update();
  },
  view,
};

/** Money that duplicates would have moved once more, for operations whose amount the operator has declared. */
async function money_(counts, ms) {
  const saved = new Map();
  for (const [operation, rule] of Object.entries(config().operations ?? {})) {
    if (rule.amount && counts.by_operation.some((each) => each.operation === operation && each.replays > 0)) {
      const page = await call("browse", { operation, newer_than_ms: ms, limit: PER_TOOL });
      const minor = page.entries.reduce((sum, each) => sum + (/^\d{1,12}$/.test(each.labels[rule.amount] ?? "") ? Number(each.labels[rule.amount]) * each.replays : 0), 0);
      saved.set(operation, { minor, currency: rule.currency, part: Boolean(page.next) });
    }
  }
  return saved;
}

function view() {
  return html`<header class="page-head"><h1>Numbers</h1>
      <div class="end segments" role="group" aria-label="Time">${Object.entries(WINDOWS).map(([name, [says]]) => html`<a class="button" href="#/numbers?last=${name}" aria-current=${name === span ? "true" : "false"}>${says}</a>`)}</div></header>
    ${problem ? trouble(problem, () => numbers.changed()) : nothing}
    ${read === null ? (problem ? nothing : loading(5)) : body()}`;
}

/** How the calls ended: each try since an hour where the ledger counts them, else the state that the calls have now. */
const ends = (each) => each.tries ?? each.entries;
const again = (each) => each.duplicates ?? each.replays;
const sum = (numbers) => Object.values(numbers).reduce((a, b) => a + b, 0);

/** The window: a full hour, or the time that was asked for. */
const window_ = ({ since }) => (since ? `since ${at(since).replace(/(:\d\d):00/, "$1")}` : `in the last ${WINDOWS[span][0]}`);

function body() {
  const { counts } = read;
  const exact_ = Boolean(counts.tries);
  const n = ends(counts);
  const calls = sum(n);
  const last = window_(counts);
  if (calls === 0 && !again(counts)) {
    return empty(`Nothing was called ${last}`, "Runs, duplicates that were answered, and doubts appear here hour by hour.");
  }
  const items = queue.waiting() ?? [];
  const open = (kind) => items.filter((item) => item.kind === kind).length;
  const [doubts, held] = [open("doubt"), open("approval")];
  const oldest = counts.oldest_doubt;
  const ended = [[n.complete, "done"], [n.failed, "failed"], [n.in_doubt, exact_ ? "ended in doubt" : "in doubt"], [n.in_progress, "running now"], [n.expired, "expired"]];
  const began = exact_ ? `began ${last}` : `had their newest try ${last}`;
  return html`<p class="lead" data-testid="total">${plural(calls, exact_ ? "try" : "call", exact_ ? "tries" : "calls")} ${last}: ${ended.filter(([many]) => many > 0).map(([many, says]) => `${many.toLocaleString("en")} ${says}`).join(", ")}.
      ${again(counts) ? `${plural(again(counts), "duplicate")} ${exact_ ? "came, and nothing ran again" : "of these calls came, whenever that was, and nothing ran again"}.` : ""}</p>
    ${incomplete(counts)}
    <div class="tiles">
      ${exact_ ? tile("Tries", calls, `${began}; a call that is tried again counts again`, searchLink({ newer: span }))
        : tile("Calls", calls, began, searchLink({ newer: span }))}
      ${tile("Duplicates prevented", again(counts), exact_ ? `came ${last}, and did not run again` : `of the calls that ${began}, whenever they came`, null, "good")}
      ${savedTile()}
      ${tile("Running now", n.in_progress ?? 0, n.in_progress ? `of those that ${began}` : `none of those that ${began}`, n.in_progress ? searchLink({ newer: span, state: "in_progress" }) : null)}
      ${tile("In doubt now", queue.hasMore() ? `${doubts}+` : doubts, oldest ? `however old; the oldest since ${ago(oldest.doubt_since ?? oldest.claimed_at)}` : "none is open", doubts ? "#/" : null, doubts ? "in_doubt" : "")}
      ${tile("Waiting for approval now", held, held ? "a person has to allow them" : "none is open", held ? "#/" : null)}
      ${exact_ ? tile("Failed tries", n.failed ?? 0, `${began} and had no effect, also where a later try went well`, searchLink({ newer: span, state: "failed" }))
        : tile("Failed now", n.failed ?? 0, `calls that ${began}, and it failed; earlier tries are not counted`, searchLink({ newer: span, state: "failed" }))}
      ${tile("Time of a try", time(counts.median_ms), !exact_ ? "this ledger does not count times" : counts.p95_ms === undefined ? `none completed ${last}` : `half of the ${n.complete.toLocaleString("en")} completed tries that ${began}; 95 % within ${duration(counts.p95_ms)}`)}
    </div>
    ${graphs(counts)}
    <section class="panel"><h2>By tool <span class="sub">${exact_ ? `tries that ${began}` : `calls that ${began}, by their state now`}</span></h2>${table(counts)}</section>
    <p class="hint">${exact_ ? "Counted" : "Without earlier tries of the same call, which this ledger does not count; counted"} in ${line(config().ledger, 300)}, as of ${ago(counts.as_of)}<span class="hidden">, ${exact(counts.as_of)}</span>.</p>`;
}

/** Where something older may be missing, the page says from when on its numbers are whole. */
function incomplete(counts) {
  const from = counts.tries ? counts.tries_from : counts.from;
  return from ? html`<p class="hint" data-testid="counted-from">Not everything is counted that happened before ${whenAt(from)}.</p>` : nothing;
}

function savedTile() {
  const sums = [...read.saved.values()].filter((each) => each.minor > 0);
  return sums.length ? tile("Not moved twice", sums.map((each) => `${each.part ? "over " : ""}${money(each.minor, each.currency)}`).join(", "), `by duplicates of the calls of the last ${WINDOWS[span][0]}, whenever they came`, null, "good") : nothing;
}

const time = (ms) => (ms === undefined || ms === null ? "–" : duration(ms));

function tile(name, value, says, href, kind = "") {
  const inside = html`<span class="tile-name">${name}</span><strong class=${kind}>${typeof value === "number" ? value.toLocaleString("en") : value}</strong><span class="sub">${says}</span>`;
  return href ? html`<a class="tile" href=${href}>${inside}</a>` : html`<div class="tile">${inside}</div>`;
}

function graphs(counts) {
  const now = Date.parse(counts.as_of);
  const from = counts.since ? Date.parse(counts.since) : now - WINDOWS[span][1];
  const whole = counts.tries ? counts.tries_from : counts.from;
  // An hour of which nothing is known is not drawn as one in which nothing happened.
  const points = hours(counts.by_hour, Math.max(from, whole ? Date.parse(whole) : 0), now, { entries: {}, replays: 0 });
  const state = (name, kind) => ({ name, kind, of: (point) => ends(point)[kind] ?? 0 });
  const runs = (charts.runs ??= { id: "runs" });
  const replays = (charts.again ??= { id: "replays" });
  const exact_ = Boolean(counts.tries);
  Object.assign(runs, { name: exact_ ? "Tries" : "Calls", unit: exact_ ? "tries that began in each hour" : "calls whose newest try began in each hour, by their state now", points, series: [state("done", "complete"), state("running", "in_progress"), state("failed", "failed"), state("in doubt", "in_doubt")] });
  Object.assign(replays, { name: "Duplicates prevented", unit: exact_ ? "duplicates that came in each hour" : "duplicates of the calls of each hour, whenever they came", points, series: [{ name: "duplicates", kind: "replays", of: again }] });
  return html`<section class="panel">${columns(runs)}</section><section class="panel">${columns(replays)}</section>`;
}

function table(counts) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="By tool"><table>
    <thead><tr><th scope="col">Tool</th><th scope="col">Done</th><th scope="col">Failed</th><th scope="col">In doubt</th><th scope="col">Running</th><th scope="col">Duplicates prevented</th><th scope="col">Half complete within</th></tr></thead>
    <tbody>${counts.by_operation.map((each) => {
      const saved = read.saved.get(each.operation);
      const n = ends(each);
      return html`<tr><th scope="row"><a href=${searchLink({ operation: each.operation, newer: span })}>${config().operations?.[each.operation]?.title ? line(config().operations[each.operation].title, 80) : told(each.operation, 80)}</a></th>
        <td>${n.complete ?? 0}</td><td>${n.failed || "–"}</td>
        <td class=${n.in_doubt ? "in_doubt" : ""}>${n.in_doubt || "–"}</td>
        <td>${n.in_progress || "–"}</td>
        <td>${again(each) || "–"}${saved?.minor ? html` <span class="sub">${saved.part ? "over " : ""}${money(saved.minor, saved.currency)}</span>` : nothing}</td>
        <td>${time(each.median_ms)}</td></tr>`;
    })}</tbody>
    <tfoot><tr><th scope="row">All tools</th>${[ends(counts).complete, ends(counts).failed, ends(counts).in_doubt, ends(counts).in_progress, again(counts)].map((many) => html`<td>${many ? many.toLocaleString("en") : "–"}</td>`)}<td>${time(counts.median_ms)}</td></tr></tfoot></table></div>
    ${counts.more_operations ? html`<p class="hint">and ${plural(counts.more_operations, "tool")} with fewer calls</p>` : nothing}`;
}
