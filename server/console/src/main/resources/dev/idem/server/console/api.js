// The server: its methods, the settings and the sign-in. Nothing else of the page talks to it.

const SECOND = "idem-console-second";
let settings = { signed_in: false, sign_in: "token" };

/** An answer that is an error, or none at all (`status` 0). */
export class Problem extends Error {
  constructor(status, code, detail) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

export const config = () => settings;
export const may = (right) => (settings.rights ?? []).includes(right);

function headers() {
  const own = { "Content-Type": "application/json", "X-Idem-Console": localStorage.getItem(SECOND) ?? "" };
  return settings.csrf ? { ...own, [settings.csrf.header]: settings.csrf.token } : own;
}

/** One request; throws {@link Problem}. */
export async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options, headers: headers() });
  } catch (e) {
    if (e.name === "AbortError") {
      throw e;
    }
    throw new Problem(0, "gone", "the server does not answer");
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new Problem(response.status, problem.code ?? "", problem.detail ?? `the server answered ${response.status}`);
  }
  return response;
}

const post = (path, body, signal) => request(path, { method: "POST", body: JSON.stringify(body), signal });

/** Calls a method of the API. */
export async function call(method, params = {}, signal) {
  return (await post(`v1/${method}`, params, signal)).json();
}

/** The same, with `result` as the text that the server sent: JSON.parse would round large numbers. */
export async function callForText(method, params = {}) {
  return (await post(`v1/${method}`, params)).text();
}

/** Sends a decision whose result is JSON text, digit for digit as a person typed it. */
export async function callWithResult(method, params, result) {
  const body = JSON.stringify(params);
  const text = result === null ? body : `${body.slice(0, -1)},"result":${result}}`;
  return (await request(`v1/${method}`, { method: "POST", body: text })).json();
}

export async function loadSettings() {
  settings = await (await request("console/settings")).json();
  return settings;
}

export async function signIn(secret) {
  const answer = await (await post("console/sign-in", secret)).json();
  localStorage.setItem(SECOND, answer.second);
  return loadSettings();
}

export async function signOut() {
  await post("console/sign-out", {}).catch(() => {});
  localStorage.removeItem(SECOND);
  settings = { ...settings, signed_in: false, rights: [] };
}

/** An id for a decision: 128 random bits. */
export function requestId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}
