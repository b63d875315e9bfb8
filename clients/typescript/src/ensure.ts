import { requireNoGenerator } from "./callbacks.js";
import { isDefinite } from "./definite.js";
import { NotExecuted, Refused } from "./errors.js";
import type { Address, Entry } from "./idem.js";
import type { Operation, OperationOptions } from "./operation.js";
import { checkOptions, type Later, type Names } from "./options.js";
import { type Replayed, type ReplayedWithoutResult, unwrapped } from "./outcome.js";
import type { Action } from "./running.js";
import { type Doubted, happened } from "./spec.js";
import { isPlain, unfinished } from "./unfinished.js";

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

/** Only callers that wait for this call need its result, for as long as they take to read it. */
const NEXT_TO_NOTHING = "100ms";

/** Marks the entry of an ensure, in every language, so that the next one may forget it. */
const LABEL = { ensure: "true" } as const;

const LOOKS_EACH_TIME = ["repeat", "retention", "tombstone"] as const;

/** What ensure needs of an Idem. */
export interface Ledger {
  operation(name: string, options: OperationOptions): Operation;
  find(address: Address): Promise<Entry | undefined>;
  /** Forgets an entry, unless it has changed since it was seen. */
  forget(seen: Entry): Promise<unknown>;
}

/** Makes a thing unless it exists, with one claim around the look and the making. */
export async function ensure<T>(
  ledger: Ledger,
  name: string,
  options: EnsureOptions<T>,
  make: Action<T>,
): Promise<Ensured<T>> {
  const what = `ensure("${name}")`;
  checkOptions(what, options, NAMES);
  // Without a scope it is not the one around the call: that is a task.
  const { unless, definite, policy, scope = "default", labels, ...rest } = options;
  const given = LOOKS_EACH_TIME.find(each => policy?.[each] !== undefined);
  if (typeof unless !== "function") {
    throw new Refused(`${what} needs a look: unless: () => …, which returns the thing, or undefined if it is absent`);
  } else if (given !== undefined) {
    throw new Refused(`${what} looks each time; leave out '${given}'`);
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
  const requireOwn = ({ key, labels }: Entry) => {
    if ((labels as Readonly<Record<string, unknown>> | undefined)?.ensure !== LABEL.ensure) {
      throw new Refused(
        `the key ${key} of '${name}' belongs to an ordinary call, whose result would be lost. Give ensure another name, ` +
          "scope, key or identity. Nothing was made",
      );
    }
  };
  /** The entry that another ensure has left. It may have expired or been claimed meanwhile, which is fine. */
  const left = async ({ key = "", ...about }: Replayed<T> | ReplayedWithoutResult) => {
    const entry = await ledger.find({ scope: about.scope, operation: name, key });
    if (entry?.state !== "complete") {
      return undefined;
    }
    requireOwn(entry);
    return entry;
  };
  const probe = async ({ entry }: Doubted) => {
    requireOwn(entry as Entry);
    const found = await look();
    return isThere(found) ? happened(found) : NotExecuted;
  };
  for (let newest: bigint | undefined; ; ) {
    let found = false;
    let notLooked: unknown;
    const once = ledger.operation(name, {
      ...rest,
      scope,
      labels: { ...labels, ...LABEL },
      policy: { ...policy, retention: NEXT_TO_NOTHING },
      probe,
      definite: isDefinite([error => error === notLooked, definite]),
    });
    const outcome = await once.attempt<T>(async call => {
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
      continue;
    }
    // Another call that started after this one has looked while this one waited. The result of a call that may have
    // started before is not used: the thing may be gone since.
    const entry = await left(outcome);
    const fence = outcome.fence === undefined ? undefined : BigInt(outcome.fence);
    const later = fence !== undefined && newest !== undefined && fence > newest && entry?.fence === outcome.fence;
    if (later && outcome.unavailable === undefined) {
      return ensured(outcome.value, false);
    }
    newest = fence ?? newest;
    if (entry !== undefined) {
      await ledger.forget(entry);
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
    return found.length === 0 ? "an empty list" : unfinished(found);
  }
  if (found instanceof Map || found instanceof Set || ArrayBuffer.isView(found)) {
    const size = ArrayBuffer.isView(found) ? found.byteLength : found.size;
    return size === 0 ? `an empty ${found.constructor.name}` : unfinished(found);
  }
  return isPlain(found) && Reflect.ownKeys(found).length === 0 ? "an empty object" : unfinished(found);
}

function ensured<T>(value: T, created: boolean): Ensured<T> {
  return created
    ? { value, created, effect: "created", reason: "created" }
    : { value, created, effect: "noop", reason: "already_exists" };
}
