// Many doubts at once: what a filter finds is shown first, and exactly that is settled, with one reason.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { call, config } from "./api.js";
import { decide, refused } from "./decide.js";
import { entryLink, id } from "./filter.js";
import { update } from "./page.js";
import { mark, rowKey, trouble } from "./parts.js";
import { line, plural } from "./text.js";
import { whenAgo } from "./time.js";
import { mayAct, title } from "./words.js";

let state = null;

export function closeBulk() {
  state = null;
}

/** Asks the server what would be settled. */
export async function bulk(filter) {
  const { states: _, ...rest } = filter;
  state = { items: null, as: null, why: "", error: null, sure: false };
  const mine = state;
  update();
  try {
    mine.items = (await call("resolve", { dry_run: true, filter: rest })).items;
  } catch (e) {
    mine.problem = e;
  }
  update();
}

function record(done) {
  const of = state;
  if (of.why.trim() === "") {
    of.error = "Say how you found out: it is kept in each entry";
    update();
    return;
  }
  const items = of.items.map(({ scope, operation, key, fence, state: was }) => ({ scope, operation, key, fence, state: was }));
  const { who } = config();
  of.step = "waiting";
  decide({
    item: { id: `bulk ${items.length} ${items[0].fence}`, title: plural(items.length, "entry", "entries") },
    words: of.as === "complete" ? "They happened" : "They did not happen",
    send: (request_id) => call("resolve", { items, as: of.as, who, why: of.why.trim(), request_id, ...(of.sure && { even_though_it_may_still_act: true }) }),
    look: (request) => stands(items, request),
    back: () => ((of.step = null), update()),
    done: (answer) => {
      of.step = "done";
      of.answers = new Map((answer.items ?? []).map((each) => [id(each), each]));
      done();
    },
  });
}

/** How many of the entries have this decision; null where none has. */
async function stands(items, request) {
  let recorded = 0;
  for (let from = 0; from < items.length; from += 10) {
    const found = await Promise.all(items.slice(from, from + 10).map(({ scope, operation, key }) => call("find", { scope, operation, key })));
    recorded += found.filter(({ entry }) => entry?.resolution?.request === request).length;
  }
  return recorded === 0 ? null : `It was recorded for ${recorded} of ${plural(items.length, "entry", "entries")} before you took it back`;
}

export function bulkPanel(done) {
  if (!state) {
    return nothing;
  }
  const { items, problem, step } = state;
  return html`<section class="panel bulk" data-testid="bulk-panel" data-busy>
    <div class="row"><h2>Settle the doubts of this filter</h2><button class="small end" @click=${() => (closeBulk(), update())}>Close</button></div>
    ${problem ? trouble(problem) : items === null ? html`<p class="hint" role="status">Looking…</p>`
      : items.length === 0 ? html`<p class="hint">No entry of this filter is in doubt.</p>`
      : html`${step === "done" ? summary() : html`<p>${items.length === 500 ? "These are the first 500." : `These ${plural(items.length, "entry", "entries")} are in doubt.`} Exactly these are settled, as they are now.</p>`}
        <ul class="bulk-items">${items.map(row)}</ul>
        ${step ? nothing : form(done)}`}
  </section>`;
}

function row(item) {
  const answer = state.answers?.get(id(item));
  return html`<li data-testid="bulk-item">${mark(answer?.answer === "done" ? answer.state : item.state)}
    <a href=${entryLink(item)}><bdi>${title(item, config().operations)}</bdi></a>
    <span class="sub"><bdi>${line(item.scope, 60)}</bdi> · ${rowKey(item.key)}</span>
    <span class="sub outcome">${answer ? (answer.answer === "done" ? "recorded" : refused(answer)) : whenAgo(item.claimed_at)}</span></li>`;
}

function summary() {
  const all = [...state.answers.values()];
  const good = all.filter((each) => each.answer === "done").length;
  return html`<p data-testid="bulk-summary"><strong>${good} of ${plural(all.length, "entry", "entries")} recorded.</strong>
    ${good < all.length ? "The others were not touched; each says why." : nothing}</p>`;
}

function form(done) {
  const acting = state.items.filter((item) => mayAct(item)).length;
  const choose = (as) => () => ((state.as = as), update());
  const asks = acting > 0 && state.as === "not_executed";
  return html`<form class="answer" @submit=${(e) => (e.preventDefault(), record(done))}>
    <div class="row">
      <button type="button" class="ending" aria-pressed=${state.as === "complete"} data-testid="bulk-complete" @click=${choose("complete")}>They happened</button>
      <button type="button" class="ending" aria-pressed=${state.as === "not_executed"} data-testid="bulk-not" @click=${choose("not_executed")}>They did not happen</button>
    </div>
    ${state.as ? html`<label class="field" for="bulk-why">How do you know?</label>
      <input id="bulk-why" data-testid="bulk-why" maxlength="2000" autocomplete="off" .value=${state.why} aria-invalid=${state.error !== null} @input=${(e) => ((state.why = e.target.value), (state.error = null))} />
      ${state.error ? html`<p class="bad" role="alert">${state.error}</p>` : nothing}
      ${asks ? html`<label class="check"><input type="checkbox" .checked=${state.sure} @change=${(e) => ((state.sure = e.target.checked), update())} />
        ${plural(acting, "attempt")} may still act. They can’t any more: I have seen that.</label>` : nothing}
      <div class="row"><button class="primary" data-testid="bulk-record">Record ${plural(state.items.length, "decision")}</button>
        <span class="hint">${asks && !state.sure ? `${plural(acting, "entry", "entries")} will be refused: the attempt may still act.` : "You can undo it for 10 seconds."}</span></div>` : nothing}
  </form>`;
}
