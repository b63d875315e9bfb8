// Decisions that were made on this page: ten seconds in which each can be taken back, then it is sent, then how it went.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { repeat } from "./lib/lit-html/directives/repeat.js";
import { Problem, call, callWithResult, config, requestId } from "./api.js";
import { entryLink } from "./filter.js";
import { line, plural } from "./text.js";
import { update } from "./page.js";
import { at } from "./time.js";
import { STATES, person, resolution } from "./words.js";

export const UNDO_MS = 10_000;
const TRIES = 4;
// What was recorded stays to be read. More of it would cover the page.
const MOST_RECORDED = 3;

let decisions = [];

/** The items that somebody has decided. A list that was read before may still have them. */
const over = new Set();

/** Whether this item needs nobody any more: it was decided, or is being decided here. */
export const isDecided = (item) => over.has(item.id) || decisions.some((each) => each.item.id === item.id && !each.lost);

/** What a person has to know who leaves now; null where nothing would be lost. */
export function leaving() {
  const at = (step) => decisions.some((each) => each.step === step);
  return at("waiting") ? "A decision was not sent yet." : at("sending") || at("looking") ? "A decision is being sent, and may be recorded already." : null;
}

window.addEventListener("beforeunload", (event) => {
  if (leaving()) {
    event.preventDefault();
  }
});

/**
 * Keeps a decision for ten seconds, then sends it.
 *
 * @param item what it is about: id, title, entry, and what to say where it is gone
 * @param words what was decided, for people
 * @param send makes the request, given an id that stays the same when it is sent again
 * @param look asks what stands, given that id: null where nothing was recorded, else a sentence
 * @param back is called when it was taken back, or was not accepted
 */
export function decide({ item, words, send, look, back, done }) {
  const decision = { item, words, send, look, back, done, id: requestId(), who: config().who, step: "waiting", left: UNDO_MS / 1000 };
  decision.timer = setInterval(() => {
    decision.left--;
    if (decision.left <= 0) {
      sendNow(decision);
    }
    update();
  }, 1000);
  decisions = [...decisions, decision];
  update();
}

/** Drops all decisions. One that is being sent is not tried again: the next person at this page has not made it. */
export function drop() {
  decisions.forEach((each) => {
    clearInterval(each.timer);
    each.dropped = true;
  });
  decisions = [];
  update();
}

export function undoNewest() {
  const newest = decisions.findLast((each) => each.step === "waiting");
  if (newest) {
    undo(newest);
  }
}

function undo(decision) {
  clearInterval(decision.timer);
  forget(decision);
  decision.back({});
}

/** Takes back what may be recorded already: it looks first, and says what stands. */
async function takeBack(decision) {
  decision.step = "looking";
  update();
  try {
    const stands = await decision.look(decision.id);
    Object.assign(decision, { step: "over", lost: true });
    decision.outcome = stands ?? `Not recorded as of ${at(Date.now())}. A request that is still on its way may yet record it: look again before you decide`;
    if (stands === null) {
      decision.back({});
    } else {
      over.add(decision.item.id);
      decision.done?.({});
    }
  } catch (e) {
    decision.step = "failed";
    decision.outcome = `${e.message}. It is still not known whether this was recorded, and nothing was taken back`;
  }
  update();
}

/** What stands of a decision about a doubt. */
export const lookAtEntry = ({ scope, operation, key, fence }, words) => async (id) => {
  const { entry } = await call("find", { scope, operation, key });
  if (!entry) {
    return refused({ answer: "gone" });
  } else if (entry.resolution?.request === id) {
    return `It was recorded at ${at(entry.settled_at)}, before you took it back: ${words}`;
  }
  return entry.state === "in_doubt" && entry.fence === fence ? null : refused({ answer: "changed", entry });
};

/** What stands of a decision about a call that waits. */
export const lookAtApproval = ({ approval, scope, operation, key }) => async () => {
  const { approvals } = await call("approvals.of", { scope, operation, key });
  const found = approvals.find((each) => each.approval === approval);
  return !found ? refused({ answer: "gone" }) : found.by === undefined ? null : `It is recorded: ${told(found)}`;
};

export const lookAtEvent = ({ source, key }) => async () => {
  const { events } = await call("poison.list", { source });
  return events.some((each) => each.key === key) ? null : "It was sent again";
};

function forget(decision) {
  decisions = decisions.filter((each) => each !== decision);
  update();
}

async function sendNow(decision) {
  clearInterval(decision.timer);
  decision.step = "sending";
  update();
  for (let n = 1; !decision.dropped; n++) {
    try {
      end(decision, await decision.send(decision.id));
      return;
    } catch (e) {
      const again = e instanceof Problem && (e.status === 0 || e.status === 429 || e.status === 503);
      if (!again || n >= TRIES) {
        decision.step = "failed";
        decision.outcome = again
          ? `${e.message}. It is not known whether this was recorded; sending it again does no harm`
          : e.message;
        update();
        return;
      }
      await new Promise((go) => setTimeout(go, 1000 * n));
    }
  }
}

function end(decision, answer) {
  decision.step = "over";
  const { items, by } = answer;
  const good = items?.filter((each) => each.answer === "done").length;
  if (items && good < items.length) {
    decision.lost = true;
    decision.outcome = `${good} of ${plural(items.length, "entry", "entries")} recorded: ${decision.words}. The others were not touched`;
  } else if (answer.answer === "done" && (by === undefined || by === decision.who)) {
    decision.says = `Recorded at ${at(Date.now())} by ${line(decision.who, 80)}: ${decision.words}`;
    const recorded = decisions.filter((each) => each.says);
    recorded.slice(0, -MOST_RECORDED).forEach(forget);
  } else {
    decision.lost = true;
    decision.outcome = (answer.answer === "gone" && decision.item.gone) || refused(answer);
    if (answer.answer === "may_still_act") {
      decision.back({ until: answer.until });
    }
  }
  if (["done", "changed", "expired"].includes(answer.answer)) {
    over.add(decision.item.id);
  }
  decision.done?.(answer);
  update();
}

/** A decision about a call that waited: "ann approved it at 09:14:02: “a customer asked”". */
export function told({ by, caller, approved, at: when, why }) {
  return `${person(by, caller)} ${approved ? "approved" : "denied"} it at ${at(when)}${why ? `: “${line(why, 400)}”` : ""}`;
}

/** Why a decision was not taken: what somebody else did, in words. */
export function refused(answer) {
  if (answer.answer === "may_still_act") {
    return `Not recorded: the attempt may still act until ${at(answer.until)}`;
  } else if (answer.answer === "gone") {
    return "Not recorded: it is gone. Somebody else has decided it, or forgot the entry";
  } else if (answer.answer === "expired") {
    return "Not recorded: the request has expired";
  } else if (answer.by !== undefined) {
    return `Somebody was faster: ${told(answer)}`;
  }
  const entry = answer.entry ?? {};
  const by = resolution(entry);
  if (!by) {
    return `Not recorded: it is ${STATES[entry.state] ?? line(answer.message)} now, ${entry.note ? `by what is recorded as text: “${line(entry.note, 400)}”` : "settled by a call and not by a person"}`;
  }
  const what = entry.state === "complete" ? "that it happened" : "that it did not happen";
  return `Somebody was faster: ${by.who} recorded at ${at(entry.settled_at)} ${what}${by.why ? `: “${by.why}”` : ""}`;
}

/** The decisions as notices at the foot of the page. */
export function notices() {
  return html`<section class="notices" aria-label="Decisions" data-testid="notices">
    ${repeat(decisions, (each) => each.id, notice)}
  </section>`;
}

function notice(decision) {
  const { item, words, step, lost } = decision;
  return html`<div class="notice ${step} ${lost ? "lost" : ""}" data-testid="notice">
    <div class="notice-text" role="status">
      <strong>${lost ? decision.outcome : (decision.says ?? words)}</strong>
      <span>${item.entry ? html`<a href=${entryLink(item.entry)}>${item.title}</a>` : item.title}</span>
      ${step === "failed" ? html`<span class="bad">${decision.outcome}</span>` : nothing}
    </div>
    ${step === "waiting"
      ? html`<span class="left">sent in ${decision.left} s</span>
          <button class="small" data-testid="undo" @click=${() => undo(decision)}>Undo <kbd>u</kbd></button>
          <i class="countdown"></i>`
      : step === "sending" || step === "looking"
        ? html`<span class="left">${step}…</span>`
        : step === "failed"
          ? html`<button class="small" @click=${() => sendNow(decision)}>Send again</button>
              <button class="small" data-testid="take-back" @click=${() => takeBack(decision)}>Take back</button>`
          : html`<button class="small" data-testid="dismiss" @click=${() => forget(decision)}>Dismiss</button>`}
  </div>`;
}

/** The request of a decision about a doubt. It names who decided: another tab may have signed in as somebody else since. */
export function resolveRequest(entry, { as, why, result, even }) {
  const { scope, operation, key, fence, state } = entry;
  const { who } = config();
  return (id) =>
    callWithResult(
      "resolve",
      { scope, operation, key, fence, state, as, who, why, request_id: id, ...(even && { even_though_it_may_still_act: true }) },
      as === "complete" ? (result ?? null) : null,
    );
}

export function approvalRequest(approval, approve, why) {
  const { who } = config();
  return () => call(approve ? "approvals.approve" : "approvals.deny", { approval, who, ...(why && { why }) });
}

export const againRequest = ({ source, key }) => () => call("poison.again", { source, key });
