import type {
  Conflict,
  Denied,
  Expired,
  Failed,
  Held,
  IdemError,
  InDoubt,
  InFlight,
  LedgerUnavailable,
  ResultUnavailable,
  Unrecorded,
} from "./errors.js";

/** The entry that a call ended with. */
export interface About {
  readonly scope: string;
  readonly operation: string;
  /** The key, once it is known. */
  readonly key: string | undefined;
  readonly fence: string | undefined;
  readonly attempt: number | undefined;
  /** Such as a duplicate with other words, or a result that could not be kept. */
  readonly warnings: readonly string[];
}

/** The action ran, and its result is recorded. */
export interface Done<T> extends About {
  readonly kind: "done";
  readonly value: T;
}

/** It was done before; `value` is the first result. */
export interface Replayed<T> extends About {
  readonly kind: "replayed";
  readonly value: T;
  readonly unavailable?: undefined;
  /** When it ran, in UTC. */
  readonly ranAt: string | undefined;
}

/** It was done before, and there is no result to give; `unavailable` says why. */
export interface ReplayedWithoutResult extends About, Words<ResultUnavailable> {
  readonly kind: "replayed";
  readonly value?: undefined;
  readonly unavailable: string;
  readonly ranAt: string | undefined;
}

/** The action ran and returned `value`, and it is not certain that this is recorded. */
export interface RanUnrecorded<T> extends About, Words<Unrecorded<T>> {
  readonly kind: "unrecorded";
  readonly value: T;
  /** Whether another attempt has taken the key meanwhile. */
  readonly stale: boolean;
}

/** What an ending without a value says. */
export interface Words<E extends IdemError> {
  /** For people. */
  readonly message: string;
  /** For a model. */
  readonly forModel: string;
  /** What `run` throws, unless the action threw something itself. */
  readonly error: E;
}

/** The call ended without a value. */
export interface Without<K extends string, E extends IdemError> extends About, Words<E> {
  readonly kind: K;
  /** What the action threw, if it ran in this call. */
  readonly thrown?: unknown;
}

/** How a call ended. */
export type Outcome<T> =
  | Done<T>
  | Replayed<T>
  | ReplayedWithoutResult
  | RanUnrecorded<T>
  | Without<"failed", Failed>
  | Without<"in_doubt", InDoubt>
  | Without<"in_flight", InFlight>
  | Without<"conflict", Conflict>
  | Without<"expired", Expired>
  | Without<"held", Held>
  | Without<"denied", Denied>
  | Without<"unavailable", LedgerUnavailable>;

export type Kind = Outcome<unknown>["kind"];

/** The value of a call; throws what the action threw, or the error of any other ending. */
export function unwrapped<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "done" || (outcome.kind === "replayed" && outcome.unavailable === undefined)) {
    return outcome.value;
  }
  if ("thrown" in outcome) {
    throw withDoubt(outcome.thrown, outcome.error);
  }
  throw outcome.error;
}

/** What the action threw, as it is; `error.idem` says how the call ended. */
function withDoubt(thrown: unknown, ending: IdemError): unknown {
  if (typeof thrown === "object" && thrown !== null && Object.isExtensible(thrown)) {
    try {
      Object.defineProperty(thrown, "idem", { value: ending, configurable: true, enumerable: false, writable: true });
    } catch {
      // The error has a fixed property of this name.
    }
  }
  return thrown;
}
