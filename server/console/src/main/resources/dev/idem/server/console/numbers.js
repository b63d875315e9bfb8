// The numbers: what ran, what was asked for again, what is open. Each names its time and leads to its entries.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { call, config } from "./api.js";
import { columns, hours } from "./chart.js";
import { searchLink } from "./filter.js";
import { empty, loading, told, trouble } from "./parts.js";
import { update } from "./page.js";
import * as queue from "./queue.js";
import { line, plural } from "./text.js";
import { ago, duration, exact } from "./time.js";
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
        [read, problem] = [{ counts, saved, now: Date.now() }, null];
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

function body() {
  const { counts } = read;
  const { entries } = counts;
  const calls = Object.values(entries).reduce((a, b) => a + b, 0);
  if (calls === 0) {
    return empty(`Nothing was called in the last ${WINDOWS[span][0]}`, "Runs, duplicates that were answered, and doubts appear here hour by hour.");
  }
  const last = `in the last ${WINDOWS[span][0]}`;
  const items = queue.waiting() ?? [];
  const open = (kind) => items.filter((item) => item.kind === kind).length;
  const [doubts, held] = [open("doubt"), open("approval")];
  const oldest = counts.oldest_doubt;
  const ended = [[entries.complete, "done"], [entries.failed, "failed"], [entries.in_doubt, "in doubt"], [entries.in_progress, "running now"], [entries.expired, "expired"]];
  return html`<p class="lead" data-testid="total">${plural(calls, "call")} ${last}: ${ended.filter(([n]) => n > 0).map(([n, says]) => `${n.toLocaleString("en")} ${says}`).join(", ")}.
      ${counts.replays ? `The same calls came ${counts.replays === 1 ? "once more" : plural(counts.replays, "more time")}, and nothing ran again.` : ""}</p>
    <div class="tiles">
      ${tile("Calls", calls, `began ${last}`, searchLink({ newer: span }))}
      ${tile("Duplicates prevented", counts.replays, html`${savedText()}, ${last}`, null, "good")}
      ${tile("Running now", entries.in_progress ?? 0, entries.in_progress ? `began ${last}` : "nothing runs at this moment", entries.in_progress ? searchLink({ newer: span, state: "in_progress" }) : null)}
      ${tile("In doubt now", queue.hasMore() ? `${doubts}+` : doubts, oldest ? `the oldest since ${ago(oldest.doubt_since ?? oldest.claimed_at)}` : "none is open", doubts ? "#/" : null, doubts ? "in_doubt" : "")}
      ${tile("Waiting for approval now", held, held ? "a person has to allow them" : "none is open", held ? "#/" : null)}
      ${tile("Failed without effect", entries.failed ?? 0, `${last}; they may run again`, searchLink({ newer: span, state: "failed" }))}
      ${tile("Time to settle", time(counts.median_ms), counts.p95_ms ? `half of the newest calls ${last}; 95 % within ${duration(counts.p95_ms)}` : `no call has ended ${last}`)}
    </div>
    ${graphs(counts)}
    <section class="panel"><h2>By tool <span class="sub">${last}</span></h2>${table(counts)}</section>
    <p class="hint">As of ${ago(counts.as_of)}<span class="hidden">, ${exact(counts.as_of)}</span>. Calls count in the hour of their newest claim.</p>`;
}

function savedText() {
  const sums = [...read.saved.values()].filter((each) => each.minor > 0);
  return sums.length ? `${sums.map((each) => `${each.part ? "over " : ""}${money(each.minor, each.currency)}`).join(", ")} not moved twice` : "asked for again, and not run again";
}

const time = (ms) => (ms === undefined || ms === null ? "–" : duration(ms));

function tile(name, value, says, href, kind = "") {
  const inside = html`<span class="tile-name">${name}</span><strong class=${kind}>${typeof value === "number" ? value.toLocaleString("en") : value}</strong><span class="sub">${says}</span>`;
  return href ? html`<a class="tile" href=${href}>${inside}</a>` : html`<div class="tile">${inside}</div>`;
}

function graphs(counts) {
  const from = read.now - WINDOWS[span][1];
  const points = hours(counts.by_hour, from, read.now, { entries: {}, replays: 0 });
  const state = (name, kind) => ({ name, kind, of: (point) => point.entries[kind] ?? 0 });
  const runs = (charts.runs ??= { id: "runs" });
  const again = (charts.again ??= { id: "replays" });
  Object.assign(runs, { name: "Calls", unit: "calls in each hour", points, series: [state("done", "complete"), state("running", "in_progress"), state("failed", "failed"), state("in doubt", "in_doubt")] });
  Object.assign(again, { name: "Duplicates prevented", unit: "duplicates of the calls of each hour", points, series: [{ name: "duplicates", kind: "replays", of: (point) => point.replays }] });
  return html`<section class="panel">${columns(runs)}</section><section class="panel">${columns(again)}</section>`;
}

function table(counts) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="By tool"><table>
    <thead><tr><th scope="col">Tool</th><th scope="col">Done</th><th scope="col">Failed</th><th scope="col">In doubt</th><th scope="col">Running</th><th scope="col">Duplicates prevented</th><th scope="col">Half end within</th></tr></thead>
    <tbody>${counts.by_operation.map((each) => {
      const saved = read.saved.get(each.operation);
      return html`<tr><th scope="row"><a href=${searchLink({ operation: each.operation, newer: span })}>${config().operations?.[each.operation]?.title ? line(config().operations[each.operation].title, 80) : told(each.operation, 80)}</a></th>
        <td>${each.entries.complete ?? 0}</td><td>${each.entries.failed || "–"}</td>
        <td class=${each.entries.in_doubt ? "in_doubt" : ""}>${each.entries.in_doubt || "–"}</td>
        <td>${each.entries.in_progress || "–"}</td>
        <td>${each.replays || "–"}${saved?.minor ? html` <span class="sub">${saved.part ? "over " : ""}${money(saved.minor, saved.currency)}</span>` : nothing}</td>
        <td>${time(each.median_ms)}</td></tr>`;
    })}</tbody>
    <tfoot><tr><th scope="row">All tools</th>${[counts.entries.complete, counts.entries.failed, counts.entries.in_doubt, counts.entries.in_progress, counts.replays].map((n) => html`<td>${n ? n.toLocaleString("en") : "–"}</td>`)}<td>${time(counts.median_ms)}</td></tr></tfoot></table></div>
    ${counts.more_operations ? html`<p class="hint">and ${plural(counts.more_operations, "tool")} with fewer calls</p>` : nothing}`;
}
