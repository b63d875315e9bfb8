import type { Answer } from "./carrier.js";
import type { Frame } from "./context.js";
import type { Place } from "./errors.js";
import type { Written } from "./json.js";
import type { Codec } from "./values.js";

/** What a probe is asked about. */
export interface Doubted extends Place {
  readonly key: string;
  readonly fence: string;
  /** The number of the attempt in doubt. */
  readonly attempt: number;
  /** The entry as the server shows it. */
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The effect took place; `value` is the result. */
export class Happened<T = unknown> {
  constructor(readonly value: T) {}
}

export function happened<T>(value: T): Happened<T> {
  return new Happened(value);
}

/** Asks the outside world: returns `happened(value)`, the class `NotExecuted`, or anything else if it can't tell. */
export type Probe = (doubted: Doubted) => unknown;

/** One call, checked and complete. */
export interface Spec {
  readonly place: Place;
  /** The members of a claim that stay the same for each attempt, written without braces. */
  readonly claim: string;
  /** The members of a claim that a withdraw repeats, written without braces. */
  readonly address: string;
  /** Equal for two calls that may share one claim. */
  readonly sameness: string;
  readonly sideEffect: string;
  readonly policy: Written | undefined;
  readonly waitMs: number;
  readonly probe: Probe | undefined;
  readonly codec: Codec<unknown> | undefined;
  readonly isDefinite: (error: unknown) => boolean;
  readonly signal: AbortSignal | undefined;
  readonly outer: Frame | undefined;
}

/** A grant, read from an answer; undefined if it lacks what a grant must have. */
export function grant(answer: Answer): Grant | undefined {
  const { ticket, key, fence, attempt, lease_ms, time_limit_ms, policy } = answer;
  const numbers = [lease_ms, time_limit_ms].every(each => typeof each === "number" && Number.isFinite(each));
  return typeof ticket === "string" && typeof key === "string" && numbers
    ? {
        ticket,
        key,
        fence: String(fence),
        attempt: Number(attempt),
        leaseMs: Number(lease_ms),
        limitMs: Number(time_limit_ms),
        policy: (policy ?? {}) as Answer,
      }
    : undefined;
}

export interface Grant {
  readonly ticket: string;
  readonly key: string;
  readonly fence: string;
  readonly attempt: number;
  readonly leaseMs: number;
  readonly limitMs: number;
  /** The policy in force. */
  readonly policy: Answer;
}
