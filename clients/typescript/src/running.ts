import { isAnswered } from "./answered.js";
import type { Call } from "./call.js";
import type { Answer } from "./carrier.js";
import type { Moment } from "./clocks.js";
import { type Connection, type Reply, Unanswered } from "./connection.js";
import { type Frame, inContext, isFromInside, isPassed } from "./context.js";
import { LedgerUnavailable, NotExecuted } from "./errors.js";
import { type Json, parse, Written, wellFormed, write } from "./json.js";
import type { About, Outcome } from "./outcome.js";
import { type Settled, settle } from "./settling.js";
import type { Grant, Spec } from "./spec.js";
import type { Ticket, Tickets } from "./tickets.js";
import { words } from "./tickets.js";
import { requireFinished, Unfinished } from "./unfinished.js";
import { type Codec, decoded, storedText } from "./values.js";
import { about, afterDoubt, described, ending, named, settles, unrecorded, withoutResult } from "./words.js";

const OVERHEAD_BYTES = 64 * 1024;

/** How a call ended, and the stored result for callers that share it. */
export interface Ran<T> {
  readonly outcome: Outcome<T>;
  readonly stored?: { readonly value: Json };
}

export type Action<T> = (call: Call) => T | Promise<T>;

/** Runs one granted attempt: looks at its time, acts, settles. */
export class Attempt<T> {
  readonly #controller = new AbortController();
  readonly #limit: Moment;
  readonly #ticket: Ticket;
  #lost = false;
  #marked = false;
  #markError: unknown;
  #remoteEnded = false;

  constructor(
    private readonly connection: Connection,
    private readonly tickets: Tickets,
    private readonly spec: Spec,
    private readonly reply: Reply,
    private readonly grant: Grant,
  ) {
    this.#limit = reply.first.plus(grant.limitMs);
    this.#ticket = {
      text: grant.ticket,
      limit: this.#limit,
      leaseMs: grant.leaseMs,
      onLost: () => this.#abort(new LedgerUnavailable("another attempt has taken this key over. Stop acting")),
    };
  }

  /** The end of the call; undefined if the ticket was lost before the action, so that the call may claim again. */
  async run(action: Action<T>): Promise<Ran<T> | undefined> {
    this.tickets.hold(this.#ticket);
    try {
      const stop = await this.#beforeActing();
      if (this.#lost) {
        return undefined;
      }
      return stop ?? (await this.#act(action));
    } finally {
      this.tickets.release(this.#ticket);
    }
  }

  /** Undefined if the action may run now. */
  async #beforeActing(): Promise<Ran<T> | undefined> {
    if (this.spec.signal?.aborted) {
      const how = { as: "failed", error: error(this.spec.signal.reason) };
      this.connection.inBackground(settle(this.connection, this.grant.ticket, how));
      throw this.spec.signal.reason;
    }
    if (this.#limit.isOver()) {
      return this.#notRun("its time limit was over before it could begin");
    }
    if (!this.reply.sent.plus(this.grant.leaseMs).isOver()) {
      return undefined;
    }
    try {
      const renewed = await this.tickets.renew([this.#ticket], this.connection.settings.giveUpMs);
      const [word] = words(renewed);
      this.#lost = word === "lost";
      if (
        this.#lost ||
        (word === "renewed" && !renewed.sent.plus(this.grant.leaseMs).isOver() && !this.#limit.isOver())
      ) {
        return undefined;
      }
    } catch (error) {
      if (!(error instanceof Unanswered)) {
        throw error;
      }
    }
    return this.#notRun("its lease was over before it could begin, and was not renewed");
  }

  async #notRun(why: string): Promise<Ran<T>> {
    const failure = { type: "time", message: why };
    const settled = await settle(this.connection, this.grant.ticket, { as: "failed", error: failure });
    const kind = settled.state === "in_doubt" ? "in_doubt" : "failed";
    const message = `'${this.spec.place.operation}' did not run: ${why}`;
    return { outcome: ending(kind, this.#about(), message, `${message}. You may call it again.`) };
  }

  async #act(action: Action<T>): Promise<Ran<T>> {
    const cancel = () => this.#abort(this.spec.signal?.reason);
    this.spec.signal?.addEventListener("abort", cancel);
    const frame: Frame = {
      place: { ...this.spec.place, key: this.grant.key },
      sameness: this.spec.sameness,
      outer: this.spec.outer,
      call: this.#call(),
      isOver: false,
    };
    let value: T;
    try {
      value = await inContext({ frame }, async () => action(frame.call as Call));
      requireFinished(value);
    } catch (thrown) {
      return await this.#failed(thrown, frame);
    } finally {
      frame.isOver = true;
      this.spec.signal?.removeEventListener("abort", cancel);
    }
    return this.#complete(value);
  }

  #abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  #call(): Call {
    const { grant, spec } = this;
    const controller = this.#controller;
    const limit = this.#limit;
    let timed = false;
    return {
      key: grant.key,
      scope: spec.place.scope,
      operation: spec.place.operation,
      fence: grant.fence,
      attempt: grant.attempt,
      get signal() {
        if (!timed) {
          timed = true;
          const over = () =>
            controller.abort(new LedgerUnavailable("the time limit of this attempt is over. Stop acting"));
          setTimeout(over, Math.min(limit.leftMs(), 2 ** 31 - 1)).unref();
        }
        return controller.signal;
      },
      get timeLeftMs() {
        return limit.leftMs();
      },
      mark: name => this.#mark(name),
      remoteEnded: () => {
        this.#remoteEnded = true;
      },
    };
  }

  async #mark(name: string): Promise<void> {
    try {
      const params = write({ ticket: this.grant.ticket, name });
      const reply = await this.connection.ask("mark", params, {
        forMs: this.connection.settings.giveUpMs,
        patient: true,
      });
      if (reply.word !== "marked") {
        throw new LedgerUnavailable("another attempt has taken this key over. Do not act", { place: this.spec.place });
      }
      this.#marked = true;
    } catch (error) {
      this.#markError =
        error instanceof Unanswered
          ? new LedgerUnavailable(`the mark '${name}' had no answer: ${error.message}. Do not act`, {
              place: this.spec.place,
            })
          : error;
      throw this.#markError;
    }
  }

  async #complete(value: T): Promise<Ran<T>> {
    const { back, how } = asStored(value, this.spec.codec, this.connection.requestBytes);
    const settled = await settle(this.connection, this.grant.ticket, { as: "complete", ...how });
    const other = this.#recordedBefore(settled, "done");
    if (other) {
      return other;
    }
    if (settled.word !== "recorded" && settled.state !== "complete") {
      return { outcome: unrecorded(this.#about(), back.value, settled.why, settled.word === "stale") };
    }
    const why = settled.unavailable;
    const warnings =
      why !== undefined ? [`${why}. Later calls of '${this.spec.place.operation}' will get no result`] : [];
    return {
      outcome: { ...this.#about(warnings), kind: "done", value: back.value },
      ...(warnings.length === 0 && back.stored),
    };
  }

  /** An earlier copy of the settle, or a probe, was faster, and others have that result. */
  #recordedBefore(settled: Settled, kind: "done" | "replayed"): Ran<T> | undefined {
    const { word, state, answer } = settled;
    if (word !== "already" || state !== "complete" || !("result" in answer)) {
      return undefined;
    }
    const json = answer.result as Json;
    const read = decodedOr(this.#about(), answer, () => decoded(json, this.spec.codec) as T);
    if ("outcome" in read) {
      return read;
    }
    const { value } = read;
    const outcome: Outcome<T> =
      kind === "done" ? { ...this.#about(), kind, value } : { ...this.#about(), kind, value, ranAt: undefined };
    return { outcome, stored: { value: json } };
  }

  async #failed(thrown: unknown, frame: Frame): Promise<Ran<T>> {
    const definite = this.#proves(thrown, frame);
    const ended = this.grant.policy.probe_grace_ms !== undefined && this.#sawTheEnd(thrown, frame);
    const how = definite ? { as: "failed" } : { as: "in_doubt", ...(ended && { ended }) };
    const settled = await settle(this.connection, this.grant.ticket, { ...how, error: error(thrown) });
    const other = this.#recordedBefore(settled, "replayed");
    if (other) {
      return other;
    }
    const { operation } = this.spec.place;
    const failed = definite && settled.state !== "in_doubt" && settled.word !== "unknown";
    if (failed) {
      const message = `'${operation}' failed, and nothing happened: ${described(thrown)}`;
      return {
        outcome: ending("failed", this.#about(), message, `${message}. You may correct the cause and call it again.`, {
          thrown,
        }),
      };
    }
    const message = `'${operation}' ended with ${described(thrown)}. It is unknown whether it took effect, so it will not run again by itself`;
    const forModel = `'${operation}' was called and ended with ${described(thrown)}. It is unknown whether it took effect. ${this.#next()}`;
    return { outcome: ending("in_doubt", this.#about(), message, forModel, { thrown }) };
  }

  /** What the next call of a model will do about this doubt. */
  #next(): string {
    const { time_limit_ms, probe_grace_ms } = this.grant.policy;
    const seconds = Math.ceil((Number(time_limit_ms ?? this.grant.limitMs) + Number(probe_grace_ms ?? 0)) / 1000);
    return afterDoubt(this.grant.key, settles(this.grant.policy, this.spec.probe !== undefined), seconds);
  }

  /** An error of a call inside this one tells nothing about it. */
  #sawTheEnd(thrown: unknown, frame: Frame): boolean {
    if (thrown instanceof Unfinished) {
      return false;
    }
    try {
      return this.#remoteEnded || (isAnswered(thrown) && !isFromInside(thrown, frame));
    } catch {
      return false; // an error that can't be read tells no end
    }
  }

  /** A classifier that fails proves nothing. */
  #proves(thrown: unknown, frame: Frame): boolean {
    try {
      return this.#isDefinite(thrown, frame);
    } catch {
      return false;
    }
  }

  /** Whether an error proves that nothing happened. An error of a call inside this one proves nothing about it. */
  #isDefinite(thrown: unknown, frame: Frame): boolean {
    if (thrown instanceof Unfinished) {
      return false;
    }
    if (this.grant.policy.staged === true && !this.#marked) {
      const cause = typeof thrown === "object" && thrown !== null ? (thrown as { cause?: unknown }).cause : undefined;
      return this.#markError === undefined || this.#markError === thrown || this.#markError === cause;
    }
    if (typeof thrown !== "object" || thrown === null) {
      return false;
    }
    if (thrown instanceof NotExecuted) {
      return !isPassed(thrown, frame);
    }
    return !isFromInside(thrown, frame) && this.spec.isDefinite(thrown);
  }

  #about(warnings: readonly string[] = []) {
    return about({ ...this.spec.place, key: this.grant.key }, this.reply.answer, warnings);
  }
}

/** A value as a settle sends it, and as duplicates will get it. One that can't be kept stays the caller's. */
export function asStored<T>(value: T, codec: Codec<unknown> | undefined, most: number): Kept<T> {
  const stored = storedText(value, codec);
  if ("unavailable" in stored) {
    return { back: { value }, how: stored };
  }
  if (Buffer.byteLength(stored.text) + OVERHEAD_BYTES > most) {
    return { back: { value }, how: { unavailable: "the result is too large to be kept" } };
  }
  try {
    const json = parse(stored.text);
    const back = { value: decoded(json, codec) as T, stored: { stored: { value: json } } };
    return { back, how: { result: new Written(stored.text) } };
  } catch (error) {
    const unavailable = wellFormed(`its codec can't read it back: ${described(error)}`);
    return { back: { value }, how: { unavailable } };
  }
}

export interface Kept<T> {
  readonly back: { readonly value: T; readonly stored?: { readonly stored: { readonly value: Json } } };
  readonly how: { readonly unavailable?: string; readonly result?: Written };
}

/** A value that a codec reads; where it fails, that the call is done and its result can't be given. */
export function decodedOr<T>(what: About, answer: Answer, read: () => T): { readonly value: T } | Ran<never> {
  try {
    return { value: read() };
  } catch (error) {
    return { outcome: withoutResult(what, `its codec can't read it: ${described(error)}`, answer) };
  }
}

/** An error as a settle sends it. */
export function error(thrown: unknown): { type: string; message: string } {
  return {
    type: wellFormed(named(thrown).slice(0, 200)),
    message: wellFormed(described(thrown).slice(0, 2000)),
  };
}
