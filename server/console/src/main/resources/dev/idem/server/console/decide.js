// Decisions that were made on this page: ten seconds in which each can be taken back, then it is sent, then how it went.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { repeat } from "./lib/lit-html/directives/repeat.js";
import { Problem, call, callWithResult, requestId } from "./api.js";
import { entryLink } from "./filter.js";
import { line } from "./text.js";
import { update } from "./page.js";
import { at } from "./time.js";
import { STATES, resolution } from "./words.js";

export const UNDO_MS = 10_000;
const TRIES = 4;

let decisions = [];

/** The decision about this item that is not over yet, or was made; null if there is none. */
export const about = (item) => decisions.find((each) => each.item.id === item.id && !each.lost) ?? null;

/** Whether a decision would be lost with the page. */
export const unsent = () => decisions.some((each) => each.step === "waiting" || each.step === "sending");

window.addEventListener("beforeunload", (event) => {
  if (unsent()) {
    event.preventDefault();
  }
});

/**
 * Keeps a decision for ten seconds, then sends it.
 *
 * @param item what it is about: id, title, entry
 * @param words what was decided, for people
 * @param send makes the request, given an id that stays the same when it is sent again
 * @param back is called when it was taken back, or was not accepted
 */
export function decide({ item, words, send, back, done }) {
  const decision = { item, words, send, back, done, id: requestId(), step: "waiting", left: UNDO_MS / 1000 };
  decision.timer = setInterval(() => {
    decision.left--;
    if (decision.left <= 0) {
      clearInterval(decision.timer);
      sendNow(decision);
    }
    update();
  }, 1000);
  decisions = [...decisions, decision];
  update();
}

/** Drops what was not sent. */
export function dropUnsent() {
  decisions.filter((each) => each.step === "waiting").forEach((each) => clearInterval(each.timer));
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

function forget(decision) {
  decisions = decisions.filter((each) => each !== decision);
  update();
}

async function sendNow(decision) {
  decision.step = "sending";
  update();
  for (let n = 1; ; n++) {
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
  decision.answer = answer;
  if (answer.answer === "done") {
    decision.outcome = "Recorded";
    setTimeout(() => forget(decision), 6000);
  } else {
    decision.lost = true;
    decision.outcome = refused(answer);
    if (answer.answer === "may_still_act") {
      decision.back({ until: answer.until });
    }
  }
  decision.done?.(answer);
  update();
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
    const why = answer.why ? `: “${line(answer.why)}”` : "";
    return `Somebody was faster: ${line(answer.by)} ${answer.approved ? "approved" : "denied"} it at ${at(answer.at)}${why}`;
  }
  const entry = answer.entry ?? {};
  const person = resolution(entry.note);
  if (!person) {
    return `Not recorded: it is ${STATES[entry.state] ?? line(answer.message)} now, settled by a call and not by a person`;
  }
  const what = entry.state === "complete" ? "that it happened" : "that it did not happen";
  return `Somebody was faster: ${person.who} recorded at ${at(entry.settled_at)} ${what}${person.why ? `: “${person.why}”` : ""}`;
}

/** The decisions as notices at the foot of the page. */
export function notices() {
  return html`<section class="notices" aria-label="Decisions" aria-live="polite" data-testid="notices">
    ${repeat(decisions, (each) => each.id, notice)}
  </section>`;
}

function notice(decision) {
  const { item, words, step, lost } = decision;
  return html`<div class="notice ${step} ${lost ? "lost" : ""}" data-testid="notice">
    <div class="notice-text">
      <strong>${lost ? decision.outcome : step === "over" ? `Recorded: ${words}` : words}</strong>
      <span>${item.entry ? html`<a href=${entryLink(item.entry)}>${item.title}</a>` : item.title}</span>
      ${step === "failed" ? html`<span class="bad">${decision.outcome}</span>` : nothing}
    </div>
    ${step === "waiting"
      ? html`<span class="left">sent in ${decision.left} s</span>
          <button class="small" data-testid="undo" @click=${() => undo(decision)}>Undo <kbd>u</kbd></button>
          <i class="countdown"></i>`
      : step === "sending"
        ? html`<span class="left" role="status">sending…</span>`
        : step === "failed"
          ? html`<button class="small" @click=${() => sendNow(decision)}>Send again</button>
              <button class="small" @click=${() => undo(decision)}>Take back</button>`
          : html`<button class="small" @click=${() => forget(decision)}>Dismiss</button>`}
  </div>`;
}

/** The request of a decision about a doubt. */
export function resolveRequest(entry, { as, why, result, even }) {
  const { scope, operation, key, fence, state } = entry;
  return (id) =>
    callWithResult(
      "resolve",
      { scope, operation, key, fence, state, as, why, request_id: id, ...(even && { even_though_it_may_still_act: true }) },
      as === "complete" ? (result ?? null) : null,
    );
}

export const approvalRequest = (approval, approve, why) => () =>
  call(approve ? "approvals.approve" : "approvals.deny", { approval, ...(approve ? {} : { why }) });

export const againRequest = ({ source, key }) => () => call("poison.again", { source, key });
