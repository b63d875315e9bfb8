// The server: its methods, the settings and the sign-in. Nothing else of the page talks to it.

const SECOND = "idem-console-second";
const LIMIT = 15_000;
/** These may look through many entries. */
const SLOW = new Set(["v1/browse", "v1/counts", "v1/resolve"]);
const SLOW_LIMIT = 60_000;
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

/**
 * One request; throws {@link Problem}. A server that hangs takes connections and answers nothing, so each has a time limit.
 *
 * @param read reads the whole answer within the limit; without it the answer has begun, and its body has no limit
 */
export async function request(path, { signal, limit = LIMIT, ...options } = {}, read = (response) => response) {
  const stop = new AbortController();
  const aborted = () => stop.abort();
  const timer = setTimeout(aborted, limit);
  signal?.addEventListener("abort", aborted);
  try {
    signal?.throwIfAborted();
    const response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options, headers: headers(), signal: stop.signal });
    if (!response.ok) {
      const problem = await response.json().catch(() => ({}));
      throw new Problem(response.status, problem.code ?? "", problem.detail ?? `the server answered ${response.status}`);
    }
    return await read(response);
  } catch (e) {
    throw e instanceof Problem || signal?.aborted ? e : new Problem(0, "gone", "the server does not answer");
  } finally {
    clearTimeout(timer);
  }
}

const json = (response) => response.json();
const post = (path, body, signal, read = json) =>
  request(path, { method: "POST", body: JSON.stringify(body), signal, limit: SLOW.has(path) ? SLOW_LIMIT : LIMIT }, read);

/** Calls a method of the API. */
export const call = (method, params = {}, signal) => post(`v1/${method}`, params, signal);

/** The same, with `result` as the text that the server sent: JSON.parse would round large numbers. */
export const callForText = (method, params = {}) => post(`v1/${method}`, params, undefined, (response) => response.text());

/** Sends a decision whose result is JSON text, digit for digit as a person typed it. */
export async function callWithResult(method, params, result) {
  const body = JSON.stringify(params);
  const text = result === null ? body : `${body.slice(0, -1)},"result":${result}}`;
  return request(`v1/${method}`, { method: "POST", body: text }, json);
}

export async function loadSettings() {
  settings = await request("console/settings", {}, json);
  return settings;
}

export async function signIn(secret) {
  const answer = await post("console/sign-in", secret);
  localStorage.setItem(SECOND, answer.second);
  return loadSettings();
}

export async function signOut() {
  await post("console/sign-out", {}, undefined, (response) => response.text()).catch(() => {});
  localStorage.removeItem(SECOND);
  settings = { ...settings, signed_in: false, rights: [] };
}

/** An id for a decision: 128 random bits. */
export function requestId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}
