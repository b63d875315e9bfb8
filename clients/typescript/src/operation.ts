import type { Call } from "./call.js";
import { checkCallbacks, requireNoGenerator } from "./callbacks.js";
import { around, context, type Frame, innermost, passedOut } from "./context.js";
import { type Definite, isDefinite } from "./definite.js";
import { type Place, Refused } from "./errors.js";
import { Written, write, writeMembers } from "./json.js";
import { checkOptions, type Names, requireName } from "./options.js";
import { type Outcome, unwrapped } from "./outcome.js";
import { insideItself } from "./performing.js";
import { checkPolicy, type Policy, policyMembers, waitMs } from "./policy.js";
import type { Action } from "./running.js";
import type { Sharing } from "./sharing.js";
import type { Probe, Spec } from "./spec.js";
import { currentTrial, requireScope, scopeHere } from "./trial.js";
import { type Codec, identityText } from "./values.js";
import { about, described, ending } from "./words.js";

/** Options of an operation. */
export interface OperationOptions {
  /** The space in which keys are unique: a task, a tenant. By default that of `idem.scope(…)` around the call. */
  readonly scope?: string | undefined;
  /** A key that the caller has and keeps across retries, such as a request id. Never the call id of a model. */
  readonly key?: string | undefined;
  /** The fields that make it this call. Without a key, the key is derived from them; with one, they guard it. */
  readonly identity?: unknown;
  /** Fields that may be worded differently without being another call. */
  readonly content?: unknown;
  /** 2, 3 … for a deliberate repeat. */
  readonly occurrence?: number | undefined;
  /** Names and values for people who search. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The call that this one runs inside of; by default the one around it. */
  readonly parent?: { readonly scope: string; readonly operation: string; readonly key: string } | undefined;
  /** All arguments, where the policy says `approval`. */
  readonly arguments?: unknown;
  readonly policy?: Policy | undefined;
  /** Asks the outside world about an entry in doubt. */
  readonly probe?: Probe | undefined;
  /** Errors that prove that nothing happened. */
  readonly definite?: Definite | undefined;
  /** How long to wait for a running duplicate; overrides `policy.wait`. */
  readonly waitMs?: number | undefined;
  /** For results that JSON does not have. */
  readonly codec?: Codec<unknown> | undefined;
  /** Cancels the call. Before the grant nothing runs; later the action decides, and a thrown error is a doubt. */
  readonly signal?: AbortSignal | undefined;
}

const NAMES: Names<OperationOptions> = {
  scope: true,
  key: true,
  identity: true,
  content: true,
  occurrence: true,
  labels: true,
  parent: true,
  arguments: true,
  policy: true,
  probe: true,
  definite: true,
  waitMs: true,
  codec: true,
  signal: true,
};

/** What operations of one Idem share. */
export interface Ground {
  readonly sharing: Sharing;
  readonly definite: Definite | undefined;
  readonly warn: (message: string) => void;
  readonly begin: () => () => void;
}

/** Tells the warnings of an ending to the observer of its Idem, for endings that no program looks at. */
export let tellWarnings: (operation: Operation, outcome: Outcome<unknown>) => void;

/** Something that must happen once. */
export class Operation {
  constructor(
    private readonly ground: Ground,
    private readonly name: string,
    private readonly options: OperationOptions,
  ) {
    requireName("the name of the operation", name, 'Give a text that stays the same, such as "charge"');
    checkOptions(`the operation '${name}'`, options, NAMES);
    checkCallbacks(name, options);
    if (options.policy !== undefined) {
      checkPolicy(name, options.policy);
    }
  }

  static {
    tellWarnings = (operation, outcome) => outcome.warnings.forEach(operation.ground.warn);
  }

  /** Runs the action once and returns its value, as duplicates get it; throws if there is none. */
  async run<T>(action: Action<T>): Promise<T> {
    const outcome = await this.attempt(action);
    tellWarnings(this, outcome);
    if ("error" in outcome) {
      // The user's own lines, which an error that was made further inside has lost.
      Error.captureStackTrace(outcome.error, this.run);
    }
    return unwrapped(outcome);
  }

  /** Runs the action once. Every ending is a value; only a wrong or cancelled call throws. */
  async attempt<T>(action: Action<T>): Promise<Outcome<T>> {
    requireNoGenerator(`the action of '${this.name}'`, action);
    const frame = innermost();
    const end = this.ground.begin();
    try {
      if (this.options.policy?.sideEffect === "read") {
        return this.#passed(await this.#read(action), frame);
      }
      const spec = specOf(this.name, this.options, this.ground.definite);
      for (const each of around(spec.outer)) {
        if (each.sameness === spec.sameness || isSame(each.place, spec.place)) {
          throw insideItself(spec);
        }
      }
      return this.#passed(await (currentTrial() ?? this.ground).sharing.call(spec, action), frame);
    } catch (error) {
      passedOut(error, frame);
      throw error;
    } finally {
      end();
    }
  }

  /** Remembers that the errors of this call prove nothing about the one around it. */
  #passed<T>(outcome: Outcome<T>, frame: Frame | undefined): Outcome<T> {
    if ("error" in outcome) {
      passedOut(outcome.error, frame);
      passedOut("thrown" in outcome ? outcome.thrown : undefined, frame);
    }
    return outcome;
  }

  async #read<T>(action: Action<T>): Promise<Outcome<T>> {
    const scope = this.options.scope ?? context().scope ?? "default";
    const place: Place = { scope, operation: this.name, key: this.options.key };
    const call: Call = {
      key: this.options.key ?? "",
      scope,
      operation: this.name,
      fence: "",
      attempt: 1,
      signal: this.options.signal ?? new AbortController().signal,
      timeLeftMs: Number.POSITIVE_INFINITY,
      mark: async () => {},
      remoteEnded: () => {},
    };
    try {
      return { ...about(place), kind: "done", value: await action(call) };
    } catch (thrown) {
      const message = `'${this.name}', which only reads, failed: ${described(thrown)}`;
      return ending("failed", about(place), message, `${message}. You may call it again.`, { thrown });
    }
  }
}

function isSame(one: Place, other: Place): boolean {
  return one.scope === other.scope && one.operation === other.operation && one.key === other.key;
}

/** Checks the options of a call, with what surrounds it. */
function specOf(operation: string, options: OperationOptions, definite: Definite | undefined): Spec {
  const { key, identity, content, occurrence, labels, policy = {}, probe, codec, signal } = options;
  const surrounding = context();
  const given = options.scope === undefined ? surrounding.scope : options.scope;
  const who = `'${operation}'`;
  if (given === undefined && key === undefined) {
    throw new Refused(
      `${who} has neither a scope nor a key, so equal calls of different tasks would be one. Add { scope: "order-7" } ` +
        `to the operation, or run it inside idem.scope("order-7", …). Nothing ran`,
      "no_scope",
    );
  }
  if (key === undefined && identity === undefined) {
    throw new Refused(
      `${who} has neither a key nor an identity. Add { identity: { … } }, the fields that make it this call. Nothing ran`,
    );
  }
  if (key !== undefined) {
    requireName(
      `the key of ${who}`,
      key,
      "Give a text that the caller keeps across retries, such as the id of a request",
    );
    if (!/^[!-~]{1,255}$/.test(key)) {
      throw new Refused(
        `the key of ${who} is not 1 to 255 visible ASCII characters. Give another one, or no key and the id as ` +
          "identity: { id: … }, which takes any text. Nothing ran",
      );
    }
  }
  const scope = scopeHere(given === undefined ? "default" : requireScope(given, operation));
  const outer = innermost();
  const parent = options.parent ?? (outer && { ...outer.place });
  const written = (what: string, value: unknown) =>
    value === undefined ? undefined : new Written(identityText(`${what} of ${who}`, value));
  const address = writeMembers({ scope, operation, key, identity: written("the identity", identity), occurrence });
  const rules = options.policy && new Written(write(policyMembers(policy)));
  const guards = writeMembers({
    content: written("the content", content),
    policy: rules,
    arguments: written("the arguments", options.arguments),
  });
  const more = writeMembers({ labels: written("the labels", labels), parent, can_probe: probe ? true : undefined });
  return {
    place: { scope, operation, key },
    claim: [address, guards, more].filter(each => each !== "").join(","),
    address,
    sameness: `${address},${guards}`,
    sideEffect: policy.sideEffect ?? "write",
    policy: rules,
    waitMs: policy.sideEffect === "destructive" ? 0 : (options.waitMs ?? waitMs(policy)),
    probe,
    codec,
    isDefinite: isDefinite([options.definite, definite]),
    signal,
    outer,
  };
}
