import type { Call } from "../../call.js";
import { requireAtOnce } from "../../callbacks.js";
import { IdemError, NotExecuted } from "../../errors.js";
import type { Entry, Idem } from "../../idem.js";
import { writeResult } from "../../json.js";
import { checkOptions, type Later, type Names, requireName } from "../../options.js";
import type { Outcome } from "../../outcome.js";
import { checkPolicy, type Policy } from "../../policy.js";
import { fingerprint, type HttpRequest, isAmbiguous, onePath, type RequestBody } from "./fingerprint.js";
import { callerScope, entryKey, MalformedKey, operationName, parseKey, type RequestKey } from "./key.js";
import {
  DAMAGED,
  DOUBT_PASSES,
  type HttpResponse,
  isProblem,
  type ProblemName,
  problemResponse,
  RESOLVED_WITHOUT_RESPONSE,
  STEP_REFUSED,
} from "./problems.js";
import { fromStored, type StoredResponse, storedHeaders, toStored } from "./stored.js";

/** Options of the guard for requests of the type `R`. */
export interface HttpOptions<R> {
  /**
   * Who calls, as authentication before the guard has found out: a name, or several parts such as tenant and name. A key
   * belongs to its caller. `"anonymous"` lets all callers share their keys: one who guesses a key reads the response of
   * another.
   */
  readonly principal: ((request: R) => Later<string | readonly string[] | null | undefined>) | "anonymous";
  /** The header that holds the key; `Idempotency-Key`. */
  readonly keyHeader?: string;
  /** Whether a request without a key is refused; false, and such a request is not guarded. */
  readonly keyRequired?: boolean;
  /** The `WWW-Authenticate` of the 401 for a request without a caller; `Bearer`. */
  readonly challenge?: string;
  /** The guarded methods; POST, PUT, PATCH and DELETE. */
  readonly methods?: readonly string[];
  /** The template of a request's route, such as `/orders/{id}`; found by the framework's routes where it gives none. */
  readonly route?: (request: R) => string | undefined;
  /** Statuses by which the handler says that it is done, did nothing, or may have done its work. */
  readonly finalOn?: readonly number[];
  readonly releasedOn?: readonly number[];
  readonly doubtfulOn?: readonly number[];
  /** Response headers to store beside the usual ones; `x-order-*` is a prefix. */
  readonly storedHeaders?: readonly string[];
  /** The longest body of a guarded request; 100 MiB. */
  readonly largestBody?: number;
  /** The longest body of a response that can be replayed; 1 MiB. */
  readonly largestStoredBody?: number;
  /** How many duplicates of running requests wait at a time; 64. Others are refused at once. */
  readonly waiters?: number;
  /** The policy of the calls: how long a duplicate waits, how long a response is kept. */
  readonly policy?: Policy;
}

/** A request as an adapter gives it: its body is read only where the request is guarded. */
export interface IncomingRequest extends Omit<HttpRequest, "body"> {
  body(largest: number): RequestBody | Promise<RequestBody>;
}

/** What a handler did: its response, and the error that led to it. */
export interface Handled {
  readonly response: HttpResponse;
  readonly error?: unknown;
}

export type Reply =
  /** No key, or a method that is not guarded; nothing ran. */
  | { readonly kind: "unguarded" }
  | { readonly kind: "send"; readonly response: HttpResponse }
  /** The handler has sent its response itself. */
  | { readonly kind: "streamed" };

export class BodyTooLarge extends Error {}

const MIB = 1024 * 1024;
const NEVER_GUARDED = ["GET", "HEAD", "OPTIONS", "TRACE"];
const NOT_FINAL = [408, 421, 423, 425, 429];
const REPLAYED = "idempotent-replayed";
const RECORDED = "idempotent-recorded";
const EXPIRES = "idempotency-expires";

/** Runs each guarded request once for its key, and answers duplicates with the stored response. */
export class HttpGuard<R> {
  readonly keyHeader: string;
  readonly largestStoredBody: number;
  readonly #stores: (name: string) => boolean;
  #waiting = 0;
  #toldOfAnonymous = false;

  constructor(
    private readonly idem: Idem,
    private readonly options: HttpOptions<R>,
  ) {
    this.keyHeader = options.keyHeader ?? "Idempotency-Key";
    this.largestStoredBody = options.largestStoredBody ?? MIB;
    this.#stores = storedHeaders(options.storedHeaders ?? []);
    checkOptions("idempotency", options, NAMES);
    requireAtOnce("the route of 'idempotency'", options.route);
    checkRules(options);
  }

  /** Whether a method is guarded at all. */
  guards(method: string): boolean {
    return (this.options.methods ?? ["POST", "PUT", "PATCH", "DELETE"]).includes(method);
  }

  /** Answers a request. The promise ends when the outcome is recorded. */
  async handle(
    source: R,
    request: IncomingRequest,
    handler: (call: Call, echo: string) => Promise<Handled>,
  ): Promise<Reply> {
    const lines = request.lines(this.keyHeader.toLowerCase());
    if (!this.guards(request.method) || (lines.length === 0 && this.options.keyRequired !== true)) {
      return { kind: "unguarded" };
    }
    const key = lines.length === 0 ? undefined : readKey(lines);
    const caller = await this.#caller(source);
    if (caller === undefined) {
      return this.#problem("principal-missing");
    } else if (key instanceof MalformedKey) {
      return this.#problem(
        "key-malformed",
        undefined,
        `The key is malformed: ${key.message}. Send the request again with one line of the header %s that has a quoted string of 1 to 255 printable ASCII characters, for instance a UUID in quotes. Nothing was executed.`,
      );
    } else if (key === undefined) {
      return this.#problem("key-missing");
    }
    const route = this.options.route?.(source) ?? request.route;
    if (route !== undefined) {
      requireName("the route of a request", route, 'Give a pattern such as "/orders/{id}"');
    }
    if (route === undefined && isAmbiguous(request.path)) {
      return this.#problem("path-ambiguous", key);
    }
    let identity: Record<string, unknown>;
    try {
      const body = await request.body(this.options.largestBody ?? 100 * MIB);
      identity = fingerprint({ ...request, lines: name => request.lines(name), body });
    } catch (error) {
      if (error instanceof BodyTooLarge) {
        return this.#problem("body-too-large", key);
      }
      throw error;
    }
    return this.#run(
      {
        scope: callerScope(caller),
        operation: operationName(request.method, route ?? onePath(request.path)),
        key: entryKey(key.value),
      },
      key,
      identity,
      handler,
    );
  }

  async #run(
    address: { scope: string; operation: string; key: string },
    key: RequestKey,
    identity: Record<string, unknown>,
    handler: (call: Call, echo: string) => Promise<Handled>,
  ): Promise<Reply> {
    const exchange: Exchange = { key, address };
    // A request that may not wait can still run; it is refused only if it is a duplicate of a running one.
    let waits = this.#waiting < (this.options.waiters ?? 64);
    const stopWaiting = () => {
      this.#waiting -= waits ? 1 : 0;
      waits = false;
    };
    this.#waiting += waits ? 1 : 0;
    const labels = address.key === key.value ? {} : { labels: { id: key.value.slice(0, 64) } };
    const policy = this.options.policy === undefined ? {} : { policy: this.options.policy };
    try {
      const outcome = await this.idem
        .operation(address.operation, {
          scope: address.scope,
          key: address.key,
          identity,
          ...labels,
          ...policy,
          ...(waits ? {} : { waitMs: 0 }),
        })
        .attempt(async call => {
          stopWaiting();
          exchange.began = true;
          return this.#judged(await handler(call, key.echo), exchange);
        });
      return await this.#reply(outcome, exchange);
    } finally {
      stopWaiting();
    }
  }

  /** The value to record for a response, or the error that says what it means for the key. */
  #judged({ response, error }: Handled, exchange: Exchange): StoredResponse {
    if (error instanceof IdemError) {
      throw error;
    }
    exchange.answered = response;
    const ending = this.#ending(response);
    if (ending === "final") {
      return toStored(response, this.#stores, this.largestStoredBody);
    } else if (ending === "released") {
      throw new NotExecuted(`the handler answered with ${response.status} and declares that it did nothing`);
    }
    throw new Error(`the handler answered with ${response.status}, which does not tell whether it took effect`);
  }

  #ending(response: HttpResponse): "final" | "released" | "doubtful" {
    const { status } = response;
    if (response.notExecuted === true || this.options.releasedOn?.includes(status)) {
      return "released";
    } else if (this.options.finalOn?.includes(status)) {
      return "final";
    } else if (this.options.doubtfulOn?.includes(status)) {
      return "doubtful";
    } else if (status === 409) {
      // "Still in progress" says nothing about the end.
      return "retry-after" in response.headers || isProblem(response) ? "doubtful" : "final";
    }
    return status >= 200 && status < 500 && !NOT_FINAL.includes(status) ? "final" : "doubtful";
  }

  async #reply(outcome: Outcome<StoredResponse>, exchange: Exchange): Promise<Reply> {
    const { key, answered } = exchange;
    if (answered?.streamed === true) {
      return { kind: "streamed" };
    } else if (outcome.kind === "replayed") {
      return this.#replay(outcome, exchange);
    } else if (answered !== undefined) {
      return this.#first(answered, outcome.kind, exchange);
    }
    if (outcome.kind === "done" || outcome.kind === "unrecorded") {
      throw new Error("the handler gave no response");
    } else if (exchange.began) {
      return this.#thrown("thrown" in outcome ? outcome.thrown : outcome.error, key);
    }
    switch (outcome.kind) {
      case "in_flight":
        return this.#problem("in-flight", key);
      case "conflict":
        return this.#problem("key-reused", key);
      case "in_doubt": {
        const { next = "person" } = outcome.error.answer;
        return this.#problem("in-doubt", key, next === "person" ? undefined : DOUBT_PASSES);
      }
      case "expired":
        return this.#problem("expired", key);
      case "failed":
        return this.#problem("not-executed", key);
      case "unavailable":
        return this.#problem("ledger-unavailable", key);
      default:
        throw outcome.error;
    }
  }

  /** The reply for an error of the handler. One of Idem tells about a step, and others may have run before it. */
  #thrown(thrown: unknown, key: RequestKey): Reply {
    if (thrown instanceof NotExecuted) {
      return this.#problem("not-executed", key);
    } else if (thrown instanceof IdemError) {
      return this.#problem("in-doubt", key, STEP_REFUSED);
    }
    throw thrown;
  }

  async #first(response: HttpResponse, kind: Outcome<unknown>["kind"], exchange: Exchange): Promise<Reply> {
    const entry = kind === "done" ? await this.#entry(exchange) : undefined;
    const unrecorded = kind === "unrecorded";
    return send(response, {
      [this.keyHeader.toLowerCase()]: exchange.key.echo,
      ...expires(entry?.expiresAt),
      ...(unrecorded ? { [RECORDED]: "false" } : {}),
    });
  }

  async #replay(outcome: Outcome<StoredResponse> & { kind: "replayed" }, exchange: Exchange): Promise<Reply> {
    const entry = await this.#entry(exchange);
    const { value } = outcome;
    if (outcome.unavailable !== undefined) {
      return this.#problem("result-not-kept", exchange.key, entry?.resolution ? RESOLVED_WITHOUT_RESPONSE : undefined);
    }
    const stored = fromStored(value);
    if (stored === "not-kept") {
      return this.#problem("result-not-kept", exchange.key);
    } else if (stored === "damaged" || (stored === "plain" && !entry?.resolution)) {
      return this.#problem("result-not-kept", exchange.key, DAMAGED);
    }
    const response =
      stored === "plain"
        ? {
            status: 200,
            headers: { "content-type": ["application/json"] },
            body: Buffer.from(writeResult(value ?? null)),
          }
        : stored;
    const age = isText(entry?.settledAt) ? Math.max(0, Date.now() - Date.parse(entry.settledAt)) : 0;
    return send(response, {
      date: new Date().toUTCString(),
      age: String(Math.floor(age / 1000)),
      "cache-control": "no-store",
      [REPLAYED]: "true",
      [this.keyHeader.toLowerCase()]: exchange.key.echo,
      ...expires(entry?.expiresAt),
    });
  }

  /** The entry, for its times and its resolution; undefined where the ledger does not answer, for they are not worth an error. */
  async #entry({ address }: Exchange): Promise<Entry | undefined> {
    try {
      return await this.idem.find(address);
    } catch {
      return undefined;
    }
  }

  async #caller(source: R): Promise<readonly string[] | undefined> {
    const { principal } = this.options;
    if (principal === "anonymous") {
      return [""];
    }
    const found: unknown = await principal(source);
    const parts = Array.isArray(found) ? found : [found];
    if (parts.length > 0 && parts.every(part => typeof part === "string" && part.trim() !== "")) {
      return parts;
    }
    if (!this.#toldOfAnonymous) {
      this.#toldOfAnonymous = true;
      process.emitWarning(
        `a request with the header ${this.keyHeader} got 401, because its caller is not known and keys belong to callers. Put authentication before the guard, and let 'principal' return the caller's name; or say principal: "anonymous". Further requests are refused silently`,
        { code: "IDEM_PRINCIPAL" },
      );
    }
    return undefined;
  }

  #problem(name: ProblemName, key?: RequestKey, detail?: string): Reply {
    const response = problemResponse(name, this.keyHeader, this.options.challenge ?? "Bearer", detail);
    return send(response, key === undefined ? {} : { [this.keyHeader.toLowerCase()]: key.echo });
  }
}

/** One guarded request on its way to a reply. */
interface Exchange {
  readonly key: RequestKey;
  readonly address: { scope: string; operation: string; key: string };
  began?: boolean;
  answered?: HttpResponse;
}

function readKey(lines: readonly string[]): RequestKey | MalformedKey {
  try {
    return parseKey(lines);
  } catch (error) {
    if (error instanceof MalformedKey) {
      return error;
    }
    throw error;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function send(response: HttpResponse, headers: Record<string, string>): Reply {
  const more = Object.entries(headers).map(([name, value]) => [name, [value]]);
  return { kind: "send", response: { ...response, headers: { ...response.headers, ...Object.fromEntries(more) } } };
}

function expires(at: unknown): Record<string, string> {
  return !isText(at) ? {} : { [EXPIRES]: new Date(at).toUTCString() };
}

const NAMES: Names<HttpOptions<unknown>> = {
  principal: true,
  keyHeader: true,
  keyRequired: true,
  challenge: true,
  methods: true,
  route: true,
  finalOn: true,
  releasedOn: true,
  doubtfulOn: true,
  storedHeaders: true,
  largestBody: true,
  largestStoredBody: true,
  waiters: true,
  policy: true,
};

function checkRules({ methods, policy = {} }: HttpOptions<never> | HttpOptions<unknown>): void {
  const wrong = methods?.find(method => NEVER_GUARDED.includes(method));
  if (wrong !== undefined) {
    throw new TypeError(`${wrong} changes nothing and is never guarded; leave it out`);
  }
  checkPolicy("idempotency", policy);
  if (policy.sideEffect === "read" || policy.keepFailures || policy.approval) {
    throw new TypeError(
      "a policy for HTTP can't be a read and can't set keepFailures or approval; leave them out, or name fewer methods",
    );
  }
}
