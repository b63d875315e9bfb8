import { requireNoGenerator } from "./callbacks.js";
import { isDefinite } from "./definite.js";
import { NotExecuted, Refused } from "./errors.js";
import type { Operation, OperationOptions } from "./operation.js";
import { checkOptions, type Later, type Names } from "./options.js";
import { unwrapped } from "./outcome.js";
import type { Action } from "./running.js";
import { happened } from "./spec.js";
import { isPlain } from "./unfinished.js";

/** Options of a thing that is made unless it is there. */
export interface EnsureOptions<T> extends Omit<OperationOptions, "content" | "occurrence" | "arguments" | "probe"> {
  /** A tenant, an account: where the thing is unique; `default` by default. Not a task, since tasks share things. */
  readonly scope?: string | undefined;
  /**
   * Looks for the thing; undefined or null if it is absent. If it throws, nothing is made. It is also the probe after a
   * crash or a lost response: then it is asked only when the earlier attempt can no longer act.
   */
  readonly unless: () => Later<T | undefined | null>;
}

/** The thing that exists now. */
export interface Ensured<T> {
  readonly value: T;
  /** Whether this call has made it. */
  readonly created: boolean;
  readonly effect: "created" | "noop";
  readonly reason: "created" | "already_exists";
}

const NAMES: Names<EnsureOptions<unknown>> = {
  scope: true,
  key: true,
  identity: true,
  labels: true,
  parent: true,
  policy: true,
  definite: true,
  waitMs: true,
  codec: true,
  signal: true,
  unless: true,
};

/** Makes a thing unless it exists, with one claim around the look and the making. */
export async function ensure<T>(
  operation: (name: string, options: OperationOptions) => Operation,
  name: string,
  options: EnsureOptions<T>,
  make: Action<T>,
): Promise<Ensured<T>> {
  const what = `ensure("${name}")`;
  checkOptions(what, options, NAMES);
  // Without a scope it is not the one around the call: that is a task.
  const { unless, definite, policy, scope = "default", ...rest } = options;
  if (typeof unless !== "function") {
    throw new Refused(`${what} needs a look: unless: () => …, which returns the thing, or undefined if it is absent`);
  } else if (policy?.repeat !== undefined) {
    throw new Refused(`${what} looks each time; leave out 'repeat'`);
  } else if (policy?.sideEffect === "read") {
    throw new Refused(`${what} makes something; leave out sideEffect: "read"`);
  }
  requireNoGenerator(`unless of ${what}`, unless);
  requireNoGenerator(`the function of ${what}`, make);
  const look = async () => {
    const found = await unless();
    const is = noThing(found);
    if (is !== undefined) {
      throw new Refused(
        `unless of ${what} gave ${is}, which does not say whether the thing is there. Return the thing, or undefined or ` +
          "null if it is absent. Nothing was made",
      );
    }
    return found;
  };
  const probe = async () => {
    const found = await look();
    return isThere(found) ? happened(found) : NotExecuted;
  };
  for (let newest: bigint | undefined; ; ) {
    let found = false;
    let notLooked: unknown;
    const outcome = await operation(name, {
      ...rest,
      scope,
      policy: { ...policy, repeat: "run" },
      probe,
      definite: isDefinite([error => error === notLooked, definite]),
    }).attempt<T>(async call => {
      let thing: T | undefined | null;
      try {
        thing = await look();
      } catch (error) {
        notLooked = error;
        throw error;
      }
      found = isThere(thing);
      return isThere(thing) ? thing : make(call);
    });
    if (outcome.kind === "done") {
      return ensured(outcome.value, !found);
    } else if (outcome.kind !== "replayed") {
      unwrapped(outcome);
    } else if (outcome.fence !== undefined) {
      // Another call that started after this one has looked while this one waited. The result of a call that may have
      // started before is not used: the thing may be gone since.
      const fence = BigInt(outcome.fence);
      if (newest !== undefined && fence > newest && outcome.unavailable === undefined) {
        return ensured(outcome.value, false);
      }
      newest = fence;
    }
  }
}

function isThere<T>(thing: T | undefined | null): thing is T {
  return thing !== undefined && thing !== null;
}

/** What a look gives by mistake in place of the thing, or of nothing. */
function noThing(found: unknown): string | undefined {
  if (typeof found === "boolean" || Number.isNaN(found) || found === 0 || found === 0n) {
    return String(found);
  }
  if (found === "") {
    return "an empty text";
  } else if (Array.isArray(found)) {
    return found.length === 0 ? "an empty list" : undefined;
  }
  return isPlain(found) && Reflect.ownKeys(found).length === 0 ? "an empty object" : undefined;
}

function ensured<T>(value: T, created: boolean): Ensured<T> {
  return created
    ? { value, created, effect: "created", reason: "created" }
    : { value, created, effect: "noop", reason: "already_exists" };
}
