// The form that asks for a token, and the code that `idem serve --open` puts into the fragment.
import { html, nothing } from "./lib/lit-html/lit-html.js";
import { config, signIn } from "./api.js";
import { update } from "./page.js";

let problem = null;
let busy = false;

/** Signs in with a one-use code. It is taken out of the URL first: it must not stay in the history. */
export async function signInByCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (!location.hash.startsWith("#code=") || !code) {
    return;
  }
  history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  await signIn({ code }).catch((e) => (problem = e.status === 401 ? "The link was used already, or is older than a minute." : e.message));
}

async function submit(event, done) {
  event.preventDefault();
  const field = event.target.elements.token;
  busy = true;
  problem = null;
  update();
  try {
    await signIn({ token: field.value.trim() });
    field.value = "";
    done();
  } catch (e) {
    problem = e.status === 401 ? "This token is not known here, or has expired." : e.message;
  }
  busy = false;
  update();
}

export function signInForm(done) {
  return html`<main class="sign-in">
    <img src="icon.svg" width="48" height="48" alt="" />
    <h1>Idem</h1>
    ${config().sign_in === "none"
      ? html`<p>Sign in to the application first, then <a href="./">open this page again</a>.</p>`
      : html`<form @submit=${(e) => submit(e, done)} data-testid="sign-in">
          <label class="field" for="token">Token</label>
          <input id="token" name="token" type="password" autocomplete="off" required autofocus data-testid="token" aria-invalid=${problem !== null} />
          ${problem ? html`<p class="bad" role="alert">${problem}</p>` : nothing}
          <button class="primary" ?disabled=${busy}>${busy ? "Signing in…" : "Sign in"}</button>
          <p class="hint">The first token lies beside the file that <code>idem serve --listen</code> names when it starts.
            <code>idem token add</code> makes more.</p>
        </form>`}
  </main>`;
}
