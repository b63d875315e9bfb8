// The form in which a person settles something: one of three endings, and why.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { update } from "./page.js";
import { at } from "./time.js";
import { mayAct } from "./words.js";

/** What can be decided about each kind of item. `why` is null where nothing would keep it. */
export const ENDINGS = {
  doubt: [
    { name: "complete", says: "It happened", hint: "Duplicates get the result, and nothing runs again.", why: "How do you know?" },
    { name: "not_executed", says: "It did not happen", hint: "The next call runs it.", why: "How do you know?" },
  ],
  approval: [
    { name: "approve", says: "Approve", hint: "This call, with exactly these arguments, may run once.", why: "Why? (optional)", optional: true },
    { name: "deny", says: "Deny", hint: "The call does not run, and the agent hears why.", why: "Why not?" },
  ],
  event: [{ name: "again", says: "Send it again", hint: "Its handler gets it once more, with fresh attempts.", why: null }],
};
const LEAVE = { name: "leave", says: "Leave it", hint: "Nothing is recorded." };

export const newForm = () => ({ choice: null, why: "", result: "", error: null, sure: false, asking: null });

export const ending = (item, form) => ENDINGS[item.kind].find((each) => each.name === form.choice);

/** Chooses the first, second or third ending, as the keys 1, 2 and 3 do. */
export function choose(item, form, number, leave) {
  const chosen = number === 3 ? LEAVE : ENDINGS[item.kind][number - 1];
  if (chosen === LEAVE) {
    Object.assign(form, newForm());
    leave();
  } else if (chosen) {
    Object.assign(form, { choice: chosen.name, error: null, asking: null, sure: false });
  }
  update();
  queueMicrotask(() => (document.querySelector("[data-focus]") ?? document.querySelector("[data-record]"))?.focus());
}

/**
 * Records what was chosen, if it is whole. `record` gets the form. "It did not happen" is asked twice while the attempt may
 * still act.
 */
export function submit(item, form, record) {
  const chosen = ending(item, form);
  if (!chosen) {
    return;
  }
  form.error = problem(item, form, chosen);
  if (form.error === null && form.choice === "not_executed" && !form.sure) {
    const until = form.until ?? item.entry?.may_act_until;
    if (form.until || (item.entry && mayAct(item.entry))) {
      form.asking = until;
      update();
      queueMicrotask(() => document.querySelector("[data-not-yet]")?.focus());
      return;
    }
  }
  update();
  if (form.error === null) {
    record(chosen);
  } else {
    queueMicrotask(() => document.querySelector("[aria-invalid=true]")?.focus());
  }
}

function problem(item, form, chosen) {
  if (chosen.why && !chosen.optional && form.why.trim() === "") {
    return { field: "why", says: form.choice === "deny" ? "Say why: the agent hears it" : "Say how you found out: it is kept in the entry" };
  } else if (item.kind === "doubt" && form.choice === "complete" && form.result.trim() !== "") {
    try {
      JSON.parse(form.result);
    } catch (e) {
      return { field: "result", says: `This is not JSON: ${e.message}` };
    }
  }
  return null;
}

export function decisionForm(item, form, { record, leave }) {
  const chosen = ending(item, form);
  const submitNow = () => submit(item, form, record);
  const endings = [...ENDINGS[item.kind], LEAVE];
  return html`<form class="decision" data-testid="decision" ?data-busy=${form.choice !== null}
    @submit=${(e) => (e.preventDefault(), submitNow())}
    @keydown=${(e) => e.key === "Enter" && (e.ctrlKey || e.metaKey) && (e.preventDefault(), submitNow())}>
    <fieldset class="endings">
      <legend class="hidden">What happened?</legend>
      ${endings.map((each, i) => {
        const number = each === LEAVE ? 3 : i + 1;
        return html`<button type="button" class="ending ${each.name}" data-testid="ending-${each.name}"
          aria-pressed=${form.choice === each.name ? "true" : "false"} @click=${() => choose(item, form, number, leave)}>
          <span class="ending-name">${each.says}<kbd>${number}</kbd></span><span class="hint">${each.hint}</span>
        </button>`;
      })}
    </fieldset>
    ${chosen ? html`<div class="answer">
      ${chosen.why ? field(form, "why", chosen.why, "text", "seen in the dashboard of the bank") : nothing}
      ${item.kind === "doubt" && form.choice === "complete"
        ? field(form, "result", "Its result, as JSON (optional)", "area", "{\"id\": \"ch_1\"}")
        : nothing}
      ${form.asking ? sure(form, submitNow) : html`<div class="row">
        <button type="submit" class="primary" data-record data-testid="record">${chosen.says}</button>
        <span class="hint">You can undo it for 10 seconds <kbd>Ctrl</kbd> <kbd>Enter</kbd></span>
      </div>`}
    </div>` : nothing}
  </form>`;
}

function field(form, name, says, kind, hint) {
  const wrong = form.error?.field === name;
  const typed = (e) => {
    form[name] = e.target.value;
    if (wrong) {
      form.error = null;
      update();
    }
  };
  const id = `field-${name}`;
  return html`<label class="field" for=${id}>${says}</label>
    ${kind === "area"
      ? html`<textarea id=${id} data-testid=${name} rows="2" spellcheck="false" placeholder=${hint} aria-invalid=${wrong} .value=${form[name]} @input=${typed}></textarea>`
      : html`<input id=${id} data-testid=${name} data-focus maxlength="2000" autocomplete="off" placeholder=${hint} aria-invalid=${wrong} .value=${form[name]} @input=${typed} />`}
    ${wrong ? html`<p class="bad" role="alert">${form.error.says}</p>` : nothing}`;
}

/** Asks a second time: the key would be free while the attempt may still act. */
function sure(form, submitNow) {
  return html`<div class="sure" role="alertdialog" aria-label="Are you sure?" data-testid="sure">
    <p><strong>The attempt may still act until ${at(form.asking)}.</strong> If it does, and the next call runs too, it happens
      twice. Say it now only if you have seen that its process and its last request are gone.</p>
    <div class="row">
      <button type="button" data-not-yet data-testid="not-yet" @click=${() => ((form.asking = null), update())}>Not yet</button>
      <button type="button" class="danger" data-testid="even-so" @click=${() => ((form.sure = true), submitNow())}>It did not happen, and can’t any more</button>
    </div>
  </div>`;
}
