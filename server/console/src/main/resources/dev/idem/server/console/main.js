// The frame of the page: sign-in, navigation, routes, live state, and the notices of decisions.
import { html, nothing, render } from "./lib/lit-html/lit-html.js";
import { Problem, config, loadSettings, signOut } from "./api.js";
import { drop, leaving, notices } from "./decide.js";
import { decisions } from "./decisions.js";
import { entry } from "./entry.js";
import { HELP, setKeys } from "./keys.js";
import { listen } from "./live.js";
import { needs } from "./needs.js";
import { numbers } from "./numbers.js";
import { drawWith, update } from "./page.js";
import * as queue from "./queue.js";
import { search } from "./search.js";
import { scopePage } from "./scope.js";
import { signInByCode, signInForm } from "./signin.js";
import { line } from "./text.js";
import { at } from "./time.js";

const PAGES = { "": needs, search, decisions, entry, scope: scopePage, numbers };
const QUEUE_EVERY = 15_000;
const QUEUE_AFTER_EVENT = 1_000;

let page = null;
let stopListening = () => {};
let live = "live";
let goneSince = null;
let failure = null;
let looksSoon = false;

/** Opens what the fragment names: `#/search?state=in_doubt`. */
async function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const next = PAGES[path] ?? needs;
  const same = next === page;
  page?.leave?.(same);
  page = next;
  setKeys({ "/": focusSearch, "?": help, ...page.keys?.() });
  if (!same) {
    window.scrollTo(0, 0);
  }
  const opened = page.open(new URLSearchParams(query), query);
  update();
  await opened;
  follow();
}

function focusSearch() {
  if (page !== search) {
    location.hash = "#/search";
  }
  setTimeout(() => document.querySelector("#search-field")?.focus(), 50);
}

/** Listens to what this page shows. */
function follow() {
  stopListening();
  const filter = page.filter?.();
  if (filter) {
    const about = page;
    stopListening = listen(filter, () => (about.changed(), lookSoon()), heard);
  }
}

/** Keeps the badge right on the other pages. Many events come together, and are one reason to look. */
function lookSoon() {
  if (page !== needs && !looksSoon) {
    looksSoon = true;
    setTimeout(() => {
      looksSoon = false;
      if (page !== needs) {
        lookAtQueue();
      }
    }, QUEUE_AFTER_EVENT);
  }
}

function heard(state) {
  if (state instanceof Problem) {
    if (state.status === 401) {
      signedOut();
      return;
    }
    failure = state.status === 0 ? null : state;
    goneSince ??= Date.now();
    live = "gone";
  } else {
    live = state;
    goneSince = null;
    failure = null;
  }
  update();
}

/** Signs out. A decision that waits is not sent behind the back of the person who leaves. */
async function leave() {
  const lost = leaving();
  if (!lost || window.confirm(`${lost} Sign out, and drop it?`)) {
    drop();
    await signOut();
    signedOut();
  }
}

function signedOut() {
  stopListening();
  loadSettings().catch(() => {}).then(update);
}

/** Looks for what no event of this page tells: doubts of other entries, approvals, and events that were given up. */
async function lookAtQueue() {
  if (document.hidden || !config().signed_in) {
    return;
  }
  try {
    if (page === needs) {
      await needs.changed();
    } else {
      queue.show(await queue.read());
    }
    if (live === "gone" && failure === null) {
      follow();
    }
    update();
  } catch (e) {
    heard(e instanceof Problem ? e : new Problem(0, "", String(e)));
  }
}

const help = () => document.querySelector("#help")?.showModal();

const TABS = [
  ["Needs you", "#/", needs],
  ["Search", "#/search", search],
  ["Decisions", "#/decisions", decisions],
  ["Numbers", "#/numbers", numbers],
];

function frame() {
  const count = queue.count();
  return html`<a class="skip" href="#main" @click=${(e) => (e.preventDefault(), document.querySelector("#main").focus())}>To the content</a>
    <header class="top">
      <a class="brand" href="#/"><img src="icon.svg" width="24" height="24" alt="" />Idem</a>
      <nav aria-label="Pages">${TABS.map(([says, to, target]) => html`<a href=${to} aria-current=${page === target ? "page" : "false"}
        data-testid="tab-${says.toLowerCase().replace(" ", "-")}">${says}${target === needs && count && count !== "0" ? html`<span class="badge" data-testid="badge">${count}</span>` : nothing}</a>`)}</nav>
      <div class="who">
        <span class="live ${live}" data-testid="live" title=${line(config().ledger, 300)}><i></i>${live}</span>
        <span class="login">${line(config().who, 40)}</span>
        <button class="small" @click=${help} data-testid="keys" title="All keys of the keyboard">Keys <kbd>?</kbd></button>
        ${config().sign_in === "token" ? html`<button class="small" data-testid="sign-out" @click=${leave}>Sign out</button>` : nothing}
      </div>
    </header>
    ${goneSince ? html`<p class="banner" role="alert" data-testid="gone">${failure ? line(failure.message, 300) : html`The server does not answer since ${at(goneSince)}. What you see is from before. Trying again…`}</p>` : nothing}
    <main id="main" tabindex="-1" class=${page?.wide ? "wide" : ""}>${page?.view() ?? nothing}</main>
    ${notices()}
    <dialog id="help" aria-label="Keys"><h2>Keys</h2>
      <dl class="keys">${HELP.map(([key, says]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${says}</dd></div>`)}</dl>
      <form method="dialog"><button class="primary">Close</button></form></dialog>`;
}

function draw() {
  const signedIn = config().signed_in;
  render(signedIn ? frame() : signInForm(start), document.querySelector("#app"));
  const count = signedIn ? queue.count() : "";
  const urgent = count !== "" && count !== "0";
  document.title = `${urgent ? `(${count}) ` : ""}${signedIn ? `${page?.title ?? ""} · ` : ""}Idem`;
  icon(urgent ? count : "");
}

let drawn = "";

/** The icon of the tab, with the number of what needs a person. */
function icon(count) {
  if (count === drawn) {
    return;
  }
  drawn = count;
  const badge = count && `<circle cx="23" cy="23" r="9" fill="#b45f06"/><text x="23" y="27" font-family="sans-serif" font-size="11" font-weight="bold" text-anchor="middle" fill="#fff">${count.length > 2 ? "99" : count}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3d4fb8"/><circle cx="16" cy="16" r="8" fill="none" stroke="#fff" stroke-width="3"/>${badge}</svg>`;
  document.querySelector("#icon").href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

async function start() {
  if (config().signed_in) {
    const opened = route();
    // The first page reads the queue by itself.
    await Promise.all([opened, page === needs ? null : lookAtQueue()]);
  }
  update();
}

drawWith(draw);
document.querySelector("#app").replaceChildren();
try {
  await loadSettings();
  await signInByCode();
  window.addEventListener("hashchange", async () => {
    await signInByCode();
    if (config().signed_in) {
      route();
    } else {
      update();
    }
  });
  setInterval(lookAtQueue, QUEUE_EVERY);
  // A tab that was hidden has not looked for a while. The first page reads by itself as soon as its stream begins.
  document.addEventListener("visibilitychange", () => page !== needs && lookAtQueue());
  // "2 min ago" goes on by itself.
  setInterval(() => !document.hidden && update(), 20_000);
  await start();
} catch (e) {
  render(html`<main class="sign-in"><h1>Idem</h1><p class="bad" role="alert">${line(e.message, 300)}.</p>
    <a class="button" href="./">Try again</a></main>`, document.querySelector("#app"));
}
