import type { Answer } from "./carrier.js";
import { isText } from "./carrier.js";
import {
  Conflict,
  Denied,
  Expired,
  Failed,
  Held,
  IdemError,
  InDoubt,
  InFlight,
  LedgerUnavailable,
  type Place,
  ResultUnavailable,
  Unrecorded,
} from "./errors.js";
import type { About, Outcome } from "./outcome.js";

const ERRORS = {
  failed: Failed,
  in_doubt: InDoubt,
  in_flight: InFlight,
  conflict: Conflict,
  expired: Expired,
  held: Held,
  denied: Denied,
  unavailable: LedgerUnavailable,
};

export type EndingKind = keyof typeof ERRORS;

/** Whether a word of an answer is an ending that this client knows. */
export function isEnding(word: string): word is EndingKind {
  return Object.hasOwn(ERRORS, word) && word !== "unavailable";
}

/** What is known about the entry, from an answer about it. */
export function about(place: Place, answer: Answer = {}, warnings: readonly string[] = []): About {
  const told = Array.isArray(answer.warnings) ? answer.warnings.filter(isText) : [];
  return {
    scope: place.scope,
    operation: place.operation,
    key: isText(answer.key) ? answer.key : place.key,
    fence: isText(answer.fence) ? answer.fence : undefined,
    attempt: typeof answer.attempt === "number" ? answer.attempt : undefined,
    warnings: [...told, ...warnings],
  };
}

/** An ending as the server tells it. */
export function told(kind: EndingKind, place: Place, answer: Answer): Outcome<never> {
  const message = isText(answer.message) ? answer.message : `the call of '${place.operation}' ended as ${kind}`;
  return ending(kind, about(place, answer), message, isText(answer.for_model) ? answer.for_model : message, { answer });
}

/** An ending without a value. */
export function ending(
  kind: EndingKind,
  what: About,
  message: string,
  forModel: string,
  more: { readonly answer?: Answer; readonly thrown?: unknown; readonly cause?: unknown } = {},
): Outcome<never> {
  const facts = { place: what, forModel, answer: more.answer, cause: more.cause ?? more.thrown };
  const error: IdemError = new ERRORS[kind](message, facts);
  const thrown = "thrown" in more ? { thrown: more.thrown } : {};
  return { ...what, kind, message, forModel, error, ...thrown } as Outcome<never>;
}

/** It is done, and there is no result to give. */
export function withoutResult(what: About, why: string, answer: Answer): Outcome<never> {
  const message = `'${what.operation}' was done before, but its result can't be given: ${why}. It did not run again`;
  const forModel = isText(answer.for_model)
    ? answer.for_model
    : `'${what.operation}' has already run for this and has taken effect, but its result is not known here (${why}). ` +
      "It was not run again. Do not repeat it; look up the result with another tool if you need it.";
  const error = new ResultUnavailable(message, { place: what, forModel, answer });
  const ranAt = isText(answer.ran_at) ? answer.ran_at : undefined;
  return { ...what, kind: "replayed", unavailable: why, ranAt, message, forModel, error };
}

/** The action ran, and the ledger has not recorded its value. */
export function unrecorded<T>(what: About, value: T, why: string, stale: boolean): Outcome<T> {
  const message =
    `'${what.operation}' ran and returned a value, but ${why}. ` +
    (stale ? "It may have taken effect twice: compare both" : `Settle the key ${what.key} by hand`);
  const forModel = stale
    ? `'${what.operation}' ran, but it took so long that another attempt had taken over meanwhile. It may have taken ` +
      "effect twice: do not call it again, and tell the user that a person has to compare both."
    : `'${what.operation}' ran and has taken effect, but this could not be recorded. Do not call it again.`;
  return {
    ...what,
    kind: "unrecorded",
    value,
    stale,
    message,
    forModel,
    error: new Unrecorded(message, value, { place: what, forModel }),
  };
}

/** How an error of an action is shown. */
export function described(thrown: unknown): string {
  try {
    if (thrown instanceof Error) {
      return thrown.message === "" ? String(thrown.name) : `${thrown.name}: ${thrown.message}`;
    }
    return String(thrown);
  } catch {
    return "an error that can't be shown";
  }
}

/** Why a step failed. Of an error that is not of this package only its type: the text may hold secrets. */
export function whyNot(thrown: unknown): string {
  return thrown instanceof IdemError ? described(thrown) : named(thrown);
}

/** The type of an error. */
export function named(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.name : typeof thrown);
  } catch {
    return "Error";
  }
}

/** What settles a doubt, by the policy as the server tells it. A destructive action never runs again by itself. */
export function settles(
  policy: Readonly<Record<string, unknown>>,
  hasProbe: boolean,
): "next_call" | "probe" | "person" {
  const { side_effect, on_doubt, passes_key_to } = policy;
  if (side_effect !== "destructive") {
    const remembered = isText(passes_key_to) && on_doubt !== "halt";
    if (remembered || on_doubt === "rerun" || (side_effect === "idempotent" && on_doubt === undefined)) {
      return "next_call";
    }
  }
  return hasProbe && on_doubt !== "halt" ? "probe" : "person";
}

/** What a model should do after a doubt that this call left. */
export function afterDoubt(
  key: string | undefined,
  settles: "next_call" | "probe" | "person",
  seconds: number,
): string {
  const person = `a person can settle it under the key ${key}.`;
  if (settles === "person") {
    return `Do not call it again: it will not run until somebody has found out. Tell the user that it is unclear, and that ${person}`;
  }
  const found = `and it does not take effect twice. If it stays unclear, tell the user that ${person}`;
  return settles === "next_call"
    ? `You may call it again with exactly the same arguments, now or in some minutes: it is then found out, ${found}`
    : `Do not call it again now: it may still be running until ${seconds} seconds after it was called. A call with exactly the same arguments after that finds it out, ${found}`;
}
