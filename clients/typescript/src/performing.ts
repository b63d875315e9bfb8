import { type Answer, isText } from "./carrier.js";
import { claim, wait, withdraw } from "./claiming.js";
import { pause } from "./clocks.js";
import type { Connection, Reply } from "./connection.js";
import { around } from "./context.js";
import { LedgerUnavailable, NotExecuted, Refused } from "./errors.js";
import type { Json } from "./json.js";
import type { Outcome } from "./outcome.js";
import { type Action, Attempt, asStored, decodedOr, type Ran } from "./running.js";
import { settle } from "./settling.js";
import { type Grant, grant, Happened, type Spec } from "./spec.js";
import type { Tickets } from "./tickets.js";
import { requireFinished } from "./unfinished.js";
import { decoded } from "./values.js";
import { about, afterDoubt, ending, isEnding, told, unrecorded, whyNot, withoutResult } from "./words.js";

const LOST_TICKETS = 3;

/** Makes one call: claims until there is a grant or an ending, then runs the action. */
export async function perform<T>(
  connection: Connection,
  tickets: Tickets,
  spec: Spec,
  action: Action<T>,
): Promise<Ran<T>> {
  try {
    return await new Performance<T>(connection, tickets, spec).run(action);
  } catch (error) {
    if (error instanceof LedgerUnavailable) {
      const outcome = ending("unavailable", about(spec.place), error.message, error.forModel(), { cause: error.cause });
      return { outcome };
    }
    throw error;
  }
}

class Performance<T> {
  readonly #waitEnd;
  #waited = false;
  #lost = 0;

  constructor(
    private readonly connection: Connection,
    private readonly tickets: Tickets,
    private readonly spec: Spec,
  ) {
    this.#waitEnd = connection.now().plus(spec.waitMs);
  }

  async run(action: Action<T>): Promise<Ran<T>> {
    for (;;) {
      const reply = await claim(this.connection, this.spec, this.#waited);
      const ran = await this.#next(reply, action);
      if (this.spec.signal?.aborted && !ran) {
        throw this.spec.signal.reason;
      }
      if (ran) {
        return ran;
      }
    }
  }

  /** The end of the call, or undefined to claim again. */
  async #next(reply: Reply & { readonly id: string }, action: Action<T>): Promise<Ran<T> | undefined> {
    const { word, answer } = reply;
    const granted = word === "granted" || word === "probe" ? grant(answer) : undefined;
    if (granted) {
      return word === "granted" ? this.#granted(reply, granted, action) : this.#probed(reply, granted);
    }
    if (word === "replay") {
      return this.#replayed(answer);
    }
    if (word === "in_flight") {
      return this.#inFlight(reply);
    }
    if (word === "in_doubt" && (await this.#isProbedSoon(answer))) {
      return undefined;
    }
    if (isEnding(word)) {
      return { outcome: told(word, this.spec.place, answer) };
    }
    // An answer that is not known counts as none: the claim is given up.
    withdraw(this.connection, this.spec, reply.id);
    throw new Refused(`the server gave an answer that this client does not know: ${word}. Nothing ran`, "malformed", {
      place: this.spec.place,
    });
  }

  async #granted(reply: Reply, granted: Grant, action: Action<T>): Promise<Ran<T> | undefined> {
    const ran = await new Attempt<T>(this.connection, this.tickets, this.spec, reply, granted).run(action);
    if (!ran && ++this.#lost >= LOST_TICKETS) {
      throw new LedgerUnavailable("the ticket was lost before the action could begin. Nothing ran", {
        place: this.spec.place,
      });
    }
    return ran;
  }

  #replayed(answer: Answer): Ran<T> {
    const what = about(this.spec.place, answer);
    const { unavailable, result_bytes, ran_at } = answer;
    if (isText(unavailable)) {
      return { outcome: withoutResult(what, unavailable, answer) };
    }
    const stored = (answer.result ?? result_bytes ?? null) as Json;
    const isBytes = answer.result === undefined && result_bytes !== undefined;
    const read = decodedOr(what, answer, () => readStored<T>(stored, isBytes, this.spec));
    if ("outcome" in read) {
      return read;
    }
    const ranAt = isText(ran_at) ? ran_at : undefined;
    return { outcome: { ...what, kind: "replayed", value: read.value, ranAt }, stored: { value: stored } };
  }

  async #inFlight(reply: Reply): Promise<Ran<T> | undefined> {
    const { scope, operation } = this.spec.place;
    for (const { place } of around(this.spec.outer)) {
      if (place.scope === scope && place.operation === operation && place.key === reply.answer.key) {
        throw insideItself(this.spec);
      }
    }
    const end = await wait(this.connection, this.spec, reply, () => this.#waitEnd.leftMs());
    if (end === true) {
      this.#waited = true;
      return undefined;
    }
    if (!isEnding(end.word)) {
      throw new Refused(`the server gave an answer that this client does not know: ${end.word}. Nothing ran`);
    }
    return { outcome: told(end.word, this.spec.place, { ...reply.answer, ...end.answer }) };
  }

  /** Waits until the probe may be asked, if that is soon enough. */
  async #isProbedSoon(answer: Answer): Promise<boolean> {
    const { next, probe_in_ms } = answer;
    const soon = next === "probe" && typeof probe_in_ms === "number" && probe_in_ms < this.#waitEnd.leftMs();
    if (soon && this.spec.probe) {
      await pause(probe_in_ms + 1, this.spec.signal);
      return true;
    }
    return false;
  }

  /** Asks the probe about an earlier attempt. It is no grant: the action may run only after another claim. */
  async #probed(reply: Reply, granted: Grant): Promise<Ran<T> | undefined> {
    const limit = reply.first.plus(granted.limitMs);
    const ticket = { text: granted.ticket, limit, leaseMs: granted.leaseMs, onLost: () => {} };
    this.tickets.hold(ticket);
    try {
      return await this.#settledByProbe(granted, await this.#verdict(granted, reply.answer), reply.answer);
    } finally {
      this.tickets.release(ticket);
    }
  }

  async #verdict(granted: Grant, answer: Answer): Promise<unknown> {
    const { key, fence, attempt } = granted;
    const entry = (answer.entry ?? {}) as Readonly<Record<string, unknown>>;
    try {
      const verdict = await this.spec.probe?.({ ...this.spec.place, key, fence, attempt, entry });
      if (!(verdict instanceof Happened)) {
        return verdict;
      }
      const value = await verdict.value;
      requireFinished(value, "the probe");
      return new Happened(value);
    } catch (error) {
      return new ProbeFailed(error);
    }
  }

  async #settledByProbe(granted: Grant, verdict: unknown, answer: Answer): Promise<Ran<T> | undefined> {
    const what = about({ ...this.spec.place, key: granted.key }, answer);
    if (verdict instanceof Happened) {
      const { back, how } = asStored(verdict.value as T, this.spec.codec, this.connection.requestBytes);
      const settled = await settle(this.connection, granted.ticket, { as: "complete", ...how });
      if (settled.word === "stale") {
        return undefined;
      }
      if (settled.word === "already" && "result" in settled.answer) {
        return this.#replayed({ ...answer, ...settled.answer });
      }
      if (settled.word !== "recorded" && settled.state !== "complete") {
        return { outcome: unrecorded(what, back.value, settled.why, false) };
      }
      return { outcome: { ...what, kind: "replayed", value: back.value, ranAt: undefined }, ...back.stored };
    }
    const no = verdict === NotExecuted || verdict instanceof NotExecuted;
    const how = no ? { as: "not_executed", evidence: "the probe found no effect" } : { as: "in_doubt" };
    const settled = await settle(this.connection, granted.ticket, how);
    const { operation } = this.spec.place;
    if (settled.word === "stale" || (no && settled.word !== "unknown" && this.spec.sideEffect !== "destructive")) {
      return undefined;
    }
    if (settled.word === "already" && "result" in settled.answer) {
      return this.#replayed({ ...answer, ...settled.answer });
    }
    if (no && settled.word !== "unknown") {
      const message = `'${operation}' did not take effect, as its probe found. It is destructive, so only a new call runs it`;
      return { outcome: ending("failed", what, message, `${message}. Ask the user before you call it again.`) };
    }
    const cause = verdict instanceof ProbeFailed ? verdict.error : undefined;
    const why = verdict instanceof ProbeFailed ? `failed: ${whyNot(cause)}` : "can't tell";
    const message = `it is unknown whether an earlier call of '${operation}' took effect, and its probe ${why}. It did not run`;
    const next = afterDoubt(granted.key, "person", 0);
    const forModel = `'${operation}' was not called: an earlier call of it did not end clearly, and it is unknown whether that took effect. ${next}`;
    return { outcome: ending("in_doubt", what, message, forModel, { cause }) };
  }
}

class ProbeFailed {
  constructor(readonly error: unknown) {}
}

/** A stored result as a value of the caller's own. Bytes of other programs become a Uint8Array. */
export function readStored<T>(stored: Json, isBytes: boolean, spec: Spec): T {
  if (isBytes && !spec.codec) {
    return new Uint8Array(Buffer.from(String((stored as Answer).base64), "base64")) as T;
  }
  return decoded(stored, spec.codec) as T;
}

export function insideItself(spec: Spec): Refused {
  const { scope, operation } = spec.place;
  const chain = [...around(spec.outer)].map(({ place }) => `${place.scope}/${place.operation}/${place.key}`).reverse();
  return new Refused(
    `${scope}/${operation} was called inside itself and would wait for its own end: ${chain.join(" > ")}. ` +
      "Give the inner call a key of its own, or an occurrence number. Nothing ran",
    "inside_itself",
    { place: spec.place },
  );
}

/** A call that shares the end of an equal one: the value is its own copy, and is marked as a replay. */
export function shared<T>(ran: Ran<T>, spec: Spec): Outcome<T> | undefined {
  const { outcome, stored } = ran;
  switch (outcome.kind) {
    case "done":
    case "replayed": {
      if (!stored) {
        // Its own claim tells why there is no result.
        return undefined;
      }
      const ranAt = outcome.kind === "replayed" ? outcome.ranAt : undefined;
      const { scope, operation, key, fence, attempt, warnings } = outcome;
      const copy = structuredClone(stored.value) as Json;
      const isBytes = outcome.kind === "replayed" && outcome.value instanceof Uint8Array;
      const what = { scope, operation, key, fence, attempt, warnings };
      const read = decodedOr(what, {}, () => readStored<T>(copy, isBytes, spec));
      return "outcome" in read ? read.outcome : { ...what, kind: "replayed", value: read.value, ranAt };
    }
    case "in_flight":
    case "unrecorded":
      // It may wait longer, or the server knows more.
      return undefined;
    default: {
      const { message, forModel, kind } = outcome;
      return ending(kind, about(outcome, {}, outcome.warnings), message, forModel, {
        answer: outcome.error.answer as Answer,
        cause: outcome.error.cause,
      });
    }
  }
}
