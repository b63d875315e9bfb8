// One entry: what is known, what happened when, where it belongs, and its result on demand.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { call, callForText, config, may } from "./api.js";
import * as commands from "./commands.js";
import { decide, lookAtEntry, resolveRequest, told as decided, undoNewest } from "./decide.js";
import { entryLink, id } from "./filter.js";
import { choose, decisionForm, newForm } from "./form.js";
import { empty, entryFacts, facts, loading, lookUp, mark, news, pill, rowKey, tail, told, trouble } from "./parts.js";
import { copy, reading, update } from "./page.js";
import { clean, cut, member, pretty, short } from "./text.js";
import { events, isProbed, timeline } from "./timeline.js";
import { at, whenAgo, whenAt } from "./time.js";
import { STATES, byItself, mayAct, standing, title } from "./words.js";

const MOST_SHOWN = 200_000;
const MOST_CHILDREN = 50;

let address = null;
let found = null;
let fresh = null;
let problem = null;
let result = null;
let form = newForm();

async function read() {
  const of = address;
  const [one, trail, { approvals }] = await Promise.all([
    call("find", of),
    call("trail", of).catch(() => ({ trail: [] })),
    call("approvals.of", of).catch(() => ({ approvals: [] })),
  ]);
  return { of, entry: one.entry ?? null, trail: trail.trail, approvals, children: found?.children ?? [], hint: found?.hint };
}

/** Reads what ran inside of it. The page does not wait for that: no ledger has an index for it. */
async function lookInside(seen) {
  try {
    const { entries, next } = await call("browse", { parent: seen.of, oldest_first: true, limit: MOST_CHILDREN });
    const some = entries.length === MOST_CHILDREN ? `These are the first ${MOST_CHILDREN}.` : "Later ones were not looked for: too many entries followed this one.";
    [seen.children, seen.hint] = [entries, next ? some : null];
  } catch (e) {
    seen.hint = `The calls inside of it can’t be shown: ${clean(e.message)}`;
  }
  update();
}

export const entry = {
  title: "Entry",
  filter: () => address && { scope: address.scope, key: address.key, operation: address.operation },
  async open(query) {
    const next = Object.fromEntries(["scope", "operation", "key"].map((name) => [name, query.get(name) ?? ""]));
    if (address && id(next) === id(address)) {
      return;
    }
    [address, found, fresh, problem, result, form] = [next, null, null, null, null, newForm()];
    await this.changed();
  },
  leave: (same) => same || (address = null),
  async changed() {
    if (address === null) {
      return;
    }
    try {
      const read_ = await read();
      if (read_.of !== address) {
        return;
      }
      problem = null;
      if (found && form.choice !== null && JSON.stringify(read_.entry) !== JSON.stringify(found.entry) && reading()) {
        fresh = read_;
      } else {
        [found, fresh] = [read_, null];
      }
      if (read_.entry) {
        lookInside(read_);
      }
    } catch (e) {
      problem = e;
    }
    update();
  },
  view,
  keys: () => ({ 1: () => pick(1), 2: () => pick(2), 3: () => pick(3), u: undoNewest }),
};

const item = () => ({ kind: "doubt", id: `${id(found.entry)} ${found.entry.fence}`, entry: found.entry });

function pick(number) {
  if (found?.entry?.state === "in_doubt" && may("operate")) {
    choose(item(), form, number, () => (form = newForm()));
  }
}

function record(chosen) {
  const { entry: of } = found;
  const sent = { ...form };
  decide({
    item: { ...item(), title: title(of, config().operations) },
    words: chosen.says,
    send: resolveRequest(of, { as: chosen.name, why: sent.why.trim(), result: sent.result.trim() || null, even: sent.sure }),
    look: lookAtEntry(of, chosen.says),
    back: ({ until }) => ((form = { ...sent, until, sure: false, asking: until ?? null }), update()),
    done: () => entry.changed(),
  });
  form = { ...newForm(), sent: true };
}

function view() {
  if (problem && !found) {
    return trouble(problem, () => entry.changed());
  } else if (!found) {
    return loading(6);
  } else if (!found.entry) {
    return empty("There is no such entry", "It was never claimed, was forgotten, or has expired. Its name is in the address of this page.");
  }
  const of = found.entry;
  const probed = isProbed(found.trail);
  return html`<header class="page-head entry-head">
      <h1><bdi>${title(of, config().operations)}</bdi></h1>${pill(of.state)}
      ${fresh ? news(0, () => (([found, fresh] = [fresh, null]), update())) : nothing}
    </header>
    <p class="lead" data-testid="standing"><bdi>${standing(of, Date.now(), probed)}</bdi></p>
    ${of.state === "in_doubt" ? doubt(of) : nothing}
    ${found.approvals.length ? html`<section class="panel" data-testid="approvals"><h2>Approvals</h2><ul class="plain">${found.approvals.map(
      (each) => html`<li><bdi>${each.by === undefined ? `Asked for at ${at(each.requested_at)}, and not decided` : decided(each)}</bdi></li>`)}</ul></section>` : nothing}
    <section class="panel"><h2>What happened</h2>
      ${found.trail.length ? timeline(events(found.trail, of)) : html`<p class="hint">This ledger keeps no trail.</p>`}</section>
    <section class="panel"><h2>What it is</h2>${entryFacts(of, probed)}${more(of, probed)}${tail(of)}</section>
    ${resultPanel(of)}
    <section class="panel"><h2>Elsewhere</h2><ul class="commands">${lines(of).map(([name, text]) => html`<li>
      <span>${name}</span><code tabindex="0">${cut(clean(text), 700)}</code><button class="small copy-line" @click=${(e) => copy(e, text)}>Copy</button></li>`)}</ul></section>
    ${family(of)}`;
}

function doubt(of) {
  return html`<section class="panel doubt-panel">
    <p class="by-itself ${mayAct(of) ? "acting" : ""}">${byItself(of)}</p>
    <div class="row links">${lookUp(of)}</div>
    ${!may("operate") ? nothing : form.sent ? html`<p class="hint">Your decision is below, and is sent in a few seconds.</p>`
      : decisionForm(item(), form, { record, leave: () => ((form = newForm()), update()) })}
  </section>`;
}

function more(of, probed) {
  return facts([
    ["Settled", of.settled_at ? html`${whenAt(of.settled_at)} · ${whenAgo(of.settled_at)}` : null],
    ["Kept until", of.expires_at ? html`${whenAt(of.expires_at)} · ${whenAgo(of.expires_at)}` : null],
    ["First claimed", of.attempt > 1 || probed ? html`${whenAt(of.created_at)} · ${whenAgo(of.created_at)}` : null],
    ["Fence", of.fence],
    ["Fingerprint", of.fingerprint ? html`<code title=${of.fingerprint}>${short(of.fingerprint)}</code>` : null],
    ["Child process", of.child_pid],
    ["Note", of.note ? told(of.note, 600) : null],
  ]);
}

function family(of) {
  const { children, hint } = found;
  return !of.parent && children.length === 0 && !hint ? nothing : html`<section class="panel"><h2>Around it</h2>
    ${of.parent ? html`<p>It ran inside of <a href=${entryLink(of.parent)}>${title(of.parent, config().operations)} ${rowKey(of.parent.key)}</a>.</p>` : nothing}
    ${children.length ? html`<p class="sub">Calls that ran inside of it:</p><ul class="children">${children.map((each) => html`<li>
      <a href=${entryLink(each)}>${mark(each.state)} <bdi>${title(each, config().operations)}</bdi></a> ${rowKey(each.key)} <span class="sub">${STATES[each.state]}</span></li>`)}</ul>` : nothing}
    ${hint ? html`<p class="hint">${hint}</p>` : nothing}</section>`;
}

function resultPanel(of) {
  if (of.state !== "complete") {
    return nothing;
  }
  const shown = result?.fence === of.fence ? result : null;
  return html`<section class="panel" data-testid="result"><h2>Result</h2>${
    !may("payloads") ? html`<p class="hint">Your token does not show results.</p>`
    : shown === null ? html`<button @click=${() => showResult(of)} data-testid="show-result">Show the result</button> <span class="hint">It may hold secrets.</span>`
    : html`${shown.note ? html`<p class="hint">${shown.note}</p>` : nothing}
        ${shown.text === null ? nothing : html`<pre class="tail result" tabindex="0">${cut(clean(shown.text), MOST_SHOWN)}</pre>
        <div class="row">${shown.text.length > MOST_SHOWN ? html`<span class="hint">This is its beginning. </span>` : nothing}
          <button class="small" @click=${(e) => copy(e, shown.raw)}>Copy</button><button class="small" @click=${() => ((result = null), update())}>Hide</button></div>`}`
  }</section>`;
}

async function showResult({ fence }) {
  try {
    const text = await callForText("result", address);
    const raw = member(text, "result");
    if (raw !== null) {
      result = { fence, raw, text: raw.length > MOST_SHOWN ? raw : pretty(raw) };
    } else {
      const { unavailable, result_bytes: bytes } = JSON.parse(text);
      result = bytes
        ? { fence, raw: bytes.base64, text: decoded(bytes), note: `${clean(bytes.media)} by the codec ${clean(bytes.codec)}` }
        : { fence, text: null, note: unavailable ? clean(unavailable) : "There is no result any more." };
    }
  } catch (e) {
    result = { fence, text: null, note: e.message };
  }
  update();
}

/** Bytes as text where they are UTF-8, else as they were sent. */
function decoded({ base64 }) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
  } catch {
    return base64;
  }
}

function lines(of) {
  return [
    ["Command", commands.why(of)],
    ...(of.state === "in_doubt" ? [["It happened", commands.resolve(of, "complete")], ["It did not", commands.resolve(of, "failed")]] : []),
    ["Java", commands.javaFind(of)],
    ["curl", commands.curl(of, document.baseURI)],
  ];
}
