// One scope, such as the session of an agent: what happened in it? All its calls in order.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { call, config } from "./api.js";
import { undoNewest } from "./decide.js";
import { id, searchLink } from "./filter.js";
import { empty, loading, news, told, trouble } from "./parts.js";
import { reading, update } from "./page.js";
import { plural } from "./text.js";
import { duration, whenAgo, whenAt } from "./time.js";
import { layout, waterfall } from "./waterfall.js";

const MOST = 500;

let scope = null;
let page = null;
let fresh = null;
let problem = null;

export const scopePage = {
  title: "Scope",
  wide: true,
  filter: () => ({ scope, limit: 100 }),
  async open(query) {
    const next = query.get("scope") ?? "";
    if (next !== scope) {
      [scope, page, fresh, problem] = [next, null, null, null];
    }
    await this.changed();
  },
  async changed() {
    const of = scope;
    try {
      const read = await call("browse", { scope, oldest_first: true, limit: MOST });
      if (of !== scope) {
        return;
      }
      problem = null;
      const known = new Set((page?.entries ?? []).map(id));
      const added = read.entries.filter((each) => !known.has(id(each))).length;
      if (page && added && reading()) {
        fresh = { read, added };
      } else {
        [page, fresh] = [read, null];
      }
    } catch (e) {
      problem = e;
    }
    update();
  },
  view,
  keys: () => ({ u: undoNewest }),
};

function view() {
  return html`<header class="page-head"><div><p class="sub">Scope</p><h1>${told(scope, 255)}</h1>
      <p class="hint">A scope is one task: for an agent, it is its session. Equal keys in two scopes are two calls.</p></div>
      ${fresh ? news(fresh.added, () => (([page, fresh] = [fresh.read, null]), update())) : nothing}
      <div class="end"><a class="button" href=${searchLink({ scope: scope ?? "" })}>Search in it</a></div></header>
    ${problem ? trouble(problem, () => scopePage.changed()) : nothing}
    ${page === null ? (problem ? nothing : loading(6)) : page.entries.length === 0
      ? empty("Nothing was called in this scope yet", "Each guarded call of it appears here as one line, in the order in which they began.") : body()}`;
}

function body() {
  const { entries } = page;
  const laid = layout(entries, Date.now());
  const count = (state) => entries.filter((each) => each.state === state).length;
  const replays = entries.reduce((sum, each) => sum + each.replays, 0);
  const restarts = laid.rows.filter((row) => row.again).length;
  const first = laid.rows[0].entry;
  const last = entries.reduce((a, b) => (Date.parse(a.settled_at ?? a.claimed_at) > Date.parse(b.settled_at ?? b.claimed_at) ? a : b));
  return html`<p class="lead">${plural(entries.length, "call")} since ${whenAt(first.created_at)}, the last one ${whenAgo(last.settled_at ?? last.claimed_at)}:
      ${[[count("complete"), "done"], [count("in_doubt"), "in doubt"], [count("failed"), "failed"], [count("in_progress"), "running"]].filter(([n]) => n > 0).map(([n, says]) => `${n} ${says}`).join(", ")}.
      ${replays ? `The same calls came ${replays === 1 ? "once more" : plural(replays, "more time")}, and got the stored answer: nothing ran again.` : ""}</p>
    <section class="panel"><h2>Its calls <span class="sub">${duration(laid.span)} of work${restarts ? `, in ${restarts + 1} processes` : ""}</span></h2>
      ${waterfall(laid, config().operations)}</section>
    <p class="hint legend"><span class="key-bar complete"></span> ran <span class="key-bar in_doubt"></span> in doubt <span class="key-bar cut"></span> no call began or ended: cut short ↻ the same call came again, and got the stored answer: it did not run again</p>
    ${page.next ? html`<p class="hint">These are the first ${MOST} calls. <a href=${searchLink({ scope })}>See all</a></p>` : nothing}`;
}
