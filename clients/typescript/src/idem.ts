import { randomUUID } from "node:crypto";
import { checkDefinite, requireNoGenerator } from "./callbacks.js";
import type { Answer, Way } from "./carrier.js";
import { pause } from "./clocks.js";
import { Connection, Unanswered } from "./connection.js";
import { inContext } from "./context.js";
import type { Definite } from "./definite.js";
import { type Ensured, type Ledger as EnsureLedger, type EnsureOptions, ensure } from "./ensure.js";
import { LedgerUnavailable, Refused } from "./errors.js";
import { Written, writeMembers } from "./json.js";
import { type OnceOptions, once } from "./once.js";
import { type Ground, Operation, type OperationOptions } from "./operation.js";
import { checkOptions, type Names } from "./options.js";
import type { Action } from "./running.js";
import { isMemory, type OpenOptions, settings } from "./settings.js";
import { Sharing } from "./sharing.js";
import { Tickets } from "./tickets.js";
import { currentTrial, requireScope, scopeHere } from "./trial.js";
import { identityText } from "./values.js";

const CLOSE_WAIT_MS = 10_000;

/** Where an entry is. */
export interface Address {
  readonly scope?: string;
  readonly operation: string;
  readonly key: string;
}

/** An entry as the server shows it; its members are listed in docs/protocol.md. */
export interface Entry {
  readonly scope: string;
  readonly operation: string;
  readonly key: string;
  readonly state: "in_progress" | "complete" | "failed" | "in_doubt" | "expired" | (string & {});
  readonly fence: string;
  readonly attempt: number;
  readonly [member: string]: unknown;
}

/** A person's decision about an entry in doubt. */
export interface Decision {
  /** `complete`: it happened; `failed`: it did not, and the call may run again. */
  readonly as: "complete" | "failed";
  /** With `complete`: the value for later callers. */
  readonly result?: unknown;
  readonly who: string;
  readonly why: string;
  /** For how long the result is kept, where that is not 7 days. */
  readonly retentionMs?: number;
  readonly evenThoughItMayStillAct?: boolean;
}

/** What became of a decision. */
export interface Resolution {
  readonly answer: "done" | "changed" | "may_still_act" | "gone";
  readonly [member: string]: unknown;
}

/** Which ledger and which server an Idem uses. */
export interface AboutServer {
  /** Without a password. */
  readonly ledger: string;
  readonly ledgerId: string;
  /** The version of the server. */
  readonly server: string;
  readonly way: Way;
}

/** Operations in one scope. */
export interface Session {
  readonly scope: string;
  operation(name: string, options?: Omit<OperationOptions, "scope">): Operation;
  ensure<T>(name: string, options: Omit<EnsureOptions<T>, "scope">, make: Action<T>): Promise<Ensured<T>>;
  once<A extends unknown[], R>(
    name: string,
    options: Omit<OnceOptions<A>, "scope">,
    body: (...args: A) => R | Promise<R>,
  ): (...args: A) => Promise<R>;
}

interface Shared {
  readonly connection: Connection;
  readonly sharing: Sharing;
}

/** Connections of this process, or of this worker thread: one for each ledger and way to it. */
const connections = new Map<string, Shared>();

/** The connection of an Idem, for trials. */
export let sharedOf: (idem: Idem) => Shared;

/** Makes operations happen once. Open one for a process and keep it. */
export class Idem {
  static {
    sharedOf = idem => idem.#shared;
  }

  readonly #shared: Shared;
  readonly #ground: Ground;
  readonly #registered: string | undefined;
  readonly #calls = new Set<object>();
  #idle = () => {};
  #closed = false;

  private constructor(shared: Shared, registered: string | undefined, options: IdemOptions) {
    this.#shared = shared;
    this.#registered = registered;
    shared.connection.use(1);
    this.#ground = {
      sharing: shared.sharing,
      definite: options.definite,
      warn: message => warn(options, message),
      begin: () => this.#begin(),
    };
  }

  /** Opens a ledger: `sqlite:orders.db`, `memory:`, or options. It starts no server before the first call. */
  static async open(ledger: string | IdemOptions = {}): Promise<Idem> {
    const options = typeof ledger === "string" ? { ledger } : ledger;
    checkOptions("Idem.open", options, OPEN_NAMES);
    checkDefinite("of Idem.open", options.definite);
    const { clocks, ...where } = settings(options);
    const make = (): Shared => {
      const connection = new Connection({ clocks, ...where });
      return { connection, sharing: new Sharing(connection, new Tickets(connection)) };
    };
    if (isMemory(where.ledger) || options.clocks) {
      // Each memory: is a ledger of its own.
      return new Idem(make(), undefined, options);
    }
    const name = JSON.stringify(where);
    const shared = connections.get(name) ?? make();
    connections.set(name, shared);
    return new Idem(shared, name, options);
  }

  /** Something that must happen once; then `run` or `attempt`. */
  operation(name: string, options: OperationOptions = {}): Operation {
    return new Operation(this.#ground, name, options);
  }

  /** A function whose calls happen once. */
  once<A extends unknown[], R>(
    name: string,
    options: OnceOptions<A>,
    body: (...args: A) => R | Promise<R>,
  ): (...args: A) => Promise<R> {
    return once((each, more) => this.operation(each, more), name, options, body);
  }

  /**
   * Makes a thing unless it exists. The claim covers the look and the making, so of two agents one looks after the other has
   * made it. Nothing is remembered after the call: each later call looks again, and makes the thing again if it is gone.
   *
   * Do not hand `call.key` to a remote that deduplicates by keys: a thing that is made again has the same key.
   * `${call.key}-${call.fence}` is different each time.
   *
   * @example
   * const { value, created } = await idem.ensure(
   *   "create_subscription",
   *   { scope: "tenant-1", identity: { customer: "cus_1", plan: "pro" }, unless: () => billing.find("cus_1", "pro") },
   *   () => billing.create("cus_1", "pro"),
   * );
   */
  async ensure<T>(name: string, options: EnsureOptions<T>, make: Action<T>): Promise<Ensured<T>> {
    const ledger: EnsureLedger = {
      operation: (each, more) => this.operation(each, more),
      find: address => this.find(address),
      forget: ({ scope, operation, key, fence, state }) =>
        this.#ask("forget", { scope: scopeHere(scope), operation, key, fence, state }),
    };
    return ensure(ledger, name, options, make);
  }

  /** Gives all operations inside of `body` this scope, unless they name another; `ensure` does not take it. */
  scope<T>(name: string, body: () => T): T {
    requireNoGenerator("the function that idem.scope runs", body);
    return inContext({ scope: requireScope(name) }, body);
  }

  /** Operations in this scope. */
  session(scope: string): Session {
    requireScope(scope);
    return {
      scope,
      operation: (name, options = {}) => this.operation(name, { ...options, scope }),
      ensure: (name, options, make) => this.ensure(name, { ...options, scope } as typeof options, make),
      once: (name, options, body) => this.once(name, { ...options, scope } as typeof options, body),
    };
  }

  /** An entry; undefined if there is none. */
  async find(address: Address): Promise<Entry | undefined> {
    const { scope, operation, key } = address;
    const answer = await this.look("find", {
      scope: scopeHere(requireScope(scope ?? "default", operation)),
      operation,
      key,
    });
    return answer.answer === "found" ? (camelCase(answer.entry as Answer) as Entry) : undefined;
  }

  /** Records what a person found out about an entry in doubt, as that person saw it. */
  async resolve(
    entry: Address & { readonly fence: string; readonly state: string },
    decision: Decision,
  ): Promise<Resolution> {
    const { scope = "default", operation, key, fence, state } = entry;
    checkOptions("resolve", decision, DECISION_NAMES);
    const { as, who, why, result, retentionMs, evenThoughItMayStillAct } = decision;
    const params = {
      scope: scopeHere(requireScope(scope, operation)),
      operation,
      key,
      fence,
      state,
      as: as === "failed" ? "not_executed" : as,
      who,
      why,
      result: result === undefined ? undefined : new Written(identityText("the result of the decision", result)),
      retention_ms: retentionMs,
    };
    const even = evenThoughItMayStillAct === true ? { even_though_it_may_still_act: true } : {};
    return camelCase(await this.#ask("resolve", { ...params, ...even, request_id: randomUUID() })) as Resolution;
  }

  /** Asks a method of the server that only looks: find, browse, trail, result, stats, suggest or key. */
  async look(
    method: LookMethod,
    params: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (!LOOKING.includes(method)) {
      throw new Refused(`'${method}' is no method that only looks`);
    }
    return this.#ask(method, params);
  }

  async #ask(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> {
    const end = this.#begin();
    const { connection } = this.#here;
    try {
      const reply = await connection.ask(method, `{${writeMembers(params)}}`, { forMs: connection.settings.giveUpMs });
      return reply.answer;
    } catch (error) {
      if (error instanceof Unanswered) {
        throw new LedgerUnavailable(`the ledger gave no answer to '${method}': ${error.message}`, { cause: error });
      }
      throw error;
    } finally {
      end();
    }
  }

  /** Which ledger and which server this uses; finds or starts that. */
  async about(): Promise<AboutServer> {
    const { shownLedger, ledgerId, server } = await this.#greeting();
    return { ledger: shownLedger, ledgerId, server, way: this.#here.connection.way as Way };
  }

  async #greeting() {
    const end = this.#begin();
    try {
      return await this.#here.connection.greeting();
    } finally {
      end();
    }
  }

  get #here(): Shared {
    return currentTrial() ?? this.#shared;
  }

  #begin(): () => void {
    if (this.#closed) {
      throw new LedgerUnavailable("this Idem is closed. Nothing ran");
    }
    const call = {};
    this.#calls.add(call);
    return () => {
      this.#calls.delete(call);
      if (this.#calls.size === 0) {
        this.#idle();
      }
    };
  }

  /** Takes no more calls, waits up to 10 seconds for those that run, and ends a server that nothing else uses. */
  async close(): Promise<void> {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    if (this.#calls.size > 0) {
      const over = new AbortController();
      const idle = new Promise<void>(resolve => {
        this.#idle = resolve;
      });
      await Promise.race([idle, pause(CLOSE_WAIT_MS, over.signal)]);
      over.abort();
    }
    if (this.#shared.connection.use(-1) === 0) {
      if (this.#registered !== undefined && connections.get(this.#registered) === this.#shared) {
        connections.delete(this.#registered);
      }
      await this.#shared.connection.close();
    }
  }
}

/** Tells a warning. What goes wrong with that is no matter of the call. */
function warn(options: IdemOptions, message: string): void {
  try {
    const observed: unknown = options.onWarning
      ? options.onWarning(message)
      : process.emitWarning(message, "IdemWarning");
    Promise.resolve(observed).catch(() => {});
  } catch {
    // The observer failed.
  }
}

export interface IdemOptions extends OpenOptions {
  /** Errors that prove that nothing happened, for all operations. */
  readonly definite?: Definite;
}

const OPEN_NAMES: Names<IdemOptions> = {
  ledger: true,
  url: true,
  token: true,
  command: true,
  resendMs: true,
  giveUpMs: true,
  settleMs: true,
  helloMs: true,
  onWarning: true,
  clocks: true,
  definite: true,
};

const DECISION_NAMES: Names<Decision> = {
  as: true,
  result: true,
  who: true,
  why: true,
  retentionMs: true,
  evenThoughItMayStillAct: true,
};

const LOOKING = ["find", "browse", "trail", "result", "stats", "suggest", "key"] as const;
export type LookMethod = (typeof LOOKING)[number];

/** An answer with the names of JavaScript. Names inside of labels are the user's own. */
function camelCase(members: Answer): Record<string, unknown> {
  const entries = Object.entries(members).map(([name, value]) => {
    const nested = name === "entry" && typeof value === "object" && value !== null;
    return [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      nested ? camelCase(value as Answer) : value,
    ];
  });
  return Object.fromEntries(entries);
}
