import { AsyncLocalStorage } from "node:async_hooks";
import type { Call } from "./call.js";
import type { Place } from "./errors.js";
import type { Trial } from "./trial.js";

/** A call that runs around other calls. */
export interface Frame {
  readonly place: Place;
  /** Equal for calls that would share one claim. */
  readonly sameness: string;
  readonly outer: Frame | undefined;
  readonly call: Call | undefined;
  /** Whether its action has ended. Code that goes on after that runs inside of it no more. */
  isOver: boolean;
}

/** What surrounds the code: the scope, the calls that it runs inside of, and the trial of an agent. */
export interface Context {
  readonly scope: string | undefined;
  readonly frame: Frame | undefined;
  readonly trial: Trial | undefined;
}

const contexts = new AsyncLocalStorage<Context>();
const EMPTY: Context = { scope: undefined, frame: undefined, trial: undefined };

export function context(): Context {
  return contexts.getStore() ?? EMPTY;
}

/** Runs `body` with these parts of its context changed. */
export function inContext<T>(changed: Partial<Context>, body: () => T): T {
  return contexts.run({ ...context(), ...changed }, body);
}

/** The call whose action runs here: its key, its fence, its signal. */
export function currentCall(): Call | undefined {
  return innermost()?.call;
}

/** The calls that run around, the innermost first. */
export function* around(frame: Frame | undefined): Generator<Frame> {
  for (let each = frame; each; each = each.outer) {
    if (!each.isOver) {
      yield each;
    }
  }
}

/** The innermost call that runs around this code. */
export function innermost(): Frame | undefined {
  return around(context().frame).next().value ?? undefined;
}

/** Errors that came out of a call inside of these frames: they prove nothing about the calls around it. */
const passed = new WeakMap<object, Set<Frame>>();

export function passedOut(thrown: unknown, into: Frame | undefined): void {
  if (into && typeof thrown === "object" && thrown !== null) {
    const frames = passed.get(thrown) ?? new Set();
    frames.add(into);
    passed.set(thrown, frames);
  }
}

/** Whether this very error came out of a call inside of this frame. */
export function isPassed(thrown: object, frame: Frame): boolean {
  return passed.get(thrown)?.has(frame) === true;
}

/** Whether an error, or one of its causes, came out of a call inside of this frame. */
export function isFromInside(thrown: unknown, frame: Frame, depth = 0): boolean {
  if (typeof thrown !== "object" || thrown === null || depth > 10) {
    return false;
  }
  const { cause, errors } = thrown as { cause?: unknown; errors?: unknown };
  return (
    isPassed(thrown, frame) ||
    isFromInside(cause, frame, depth + 1) ||
    (Array.isArray(errors) && errors.some(each => isFromInside(each, frame, depth + 1)))
  );
}
