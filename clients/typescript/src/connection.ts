import { existsSync } from "node:fs";
import type { Answer, Carrier, Response, Way } from "./carrier.js";
import { Moment, pause } from "./clocks.js";
import { type IdemError, LedgerUnavailable, Refused } from "./errors.js";
import { Http } from "./http.js";
import { write } from "./json.js";
import { Pipe } from "./pipe.js";
import { isMemory, masked, type Settings } from "./settings.js";

const LATER = ["busy", "ledger_unavailable", "internal"];
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
const LONGEST_RESTART_PAUSE_MS = 5000;
const CLOSE_MS = 2000;
/** A busy host has let a server take seconds for its first answer. */
const SOCKET_MS = 10_000;
/** What a request needs besides its params. */
const LINE_BYTES = 200;

/** There was no answer in time. */
export class Unanswered extends Error {
  constructor(
    message: string,
    /** Whether a copy of the request was sent. */
    readonly sent: boolean,
  ) {
    super(message);
  }
}

/** An answer, the moment of the first sending, and the moment at which the copy was sent that was answered. */
export interface Reply {
  readonly answer: Answer;
  readonly word: string;
  readonly first: Moment;
  readonly sent: Moment;
}

export interface Asking {
  /** How long to go on without an answer, from the first sending. */
  readonly forMs: number;
  /** After how long another copy is sent. */
  readonly eachMs?: number;
  /** Whether a server that can't be started is tried again. */
  readonly patient?: boolean;
  /** Whether the process stays alive while this waits between two copies. */
  readonly background?: boolean;
  /** Called when a copy is sent. */
  readonly onSent?: () => void;
  readonly signal?: AbortSignal | undefined;
}

/** Who the server is, for people. */
export interface Greeting {
  readonly way: Way;
  readonly ledgerId: string;
  readonly server: string;
  readonly shownLedger: string;
  readonly requestBytes: number;
}

/** The server of a ledger: finds or starts it, says hello, starts it again when it is lost, and repeats requests. */
export class Connection {
  readonly #settings: Settings;
  #carrier: Carrier | undefined;
  #starting: Promise<Carrier> | undefined;
  #greeting: Greeting | undefined;
  #stopped: IdemError | undefined;
  #closed = false;
  #users = 0;
  readonly #background = new Set<Promise<unknown>>();
  /** Called after each hello, and when the server was lost. */
  onGreeted: () => void = () => {};
  /** Whether actions run that need a server now. */
  isNeeded: () => boolean = () => false;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** Counts the objects that use this connection. */
  use(change: 1 | -1): number {
    this.#users += change;
    return this.#users;
  }

  /** How the server is reached now; undefined before the first hello. */
  get way(): Way | undefined {
    return this.#greeting?.way;
  }

  /** The longest request that the server takes. */
  get requestBytes(): number {
    return this.#greeting?.requestBytes ?? 16 * 1024 * 1024;
  }

  /** Work that goes on after its call has ended; close waits for it for a moment. */
  inBackground(work: Promise<unknown>): void {
    const done = work.catch(() => {}).finally(() => this.#background.delete(done));
    this.#background.add(done);
  }

  now(): Moment {
    return Moment.now(this.#settings.clocks);
  }

  async greeting(): Promise<Greeting> {
    await this.#connected();
    return this.#greeting as Greeting;
  }

  /** Sends a request, or what it is by then, until it is answered. Throws Unanswered, Refused or LedgerUnavailable. */
  async ask(method: string, params: string | (() => string), asking: Asking): Promise<Reply> {
    const { forMs, eachMs = this.#settings.resendMs, patient = false, background = false, signal } = asking;
    const responses = new Responses();
    let first: Moment | undefined;
    let end = this.now().plus(forMs);
    let wait = SHORTEST_PAUSE_MS;
    let why = "the server gave no answer";
    while (!end.isOver() && !signal?.aborted) {
      let carrier: Carrier;
      try {
        // The start of a server has a limit of its own. Once a copy was sent, that of the request counts.
        carrier = await this.#connected(signal, first && end);
      } catch (error) {
        if (error instanceof Lost || (patient && error instanceof LedgerUnavailable && !this.#closed)) {
          why = error.message;
          await pause(Math.min(wait, end.leftMs()), signal, !background);
          wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
          continue;
        }
        throw error;
      }
      if (signal?.aborted) {
        break;
      }
      const sent = this.now();
      if (first === undefined) {
        first = sent;
        end = sent.plus(forMs);
      }
      const copy = typeof params === "string" ? params : params();
      if (copy.length * 3 > this.requestBytes && Buffer.byteLength(copy) + LINE_BYTES > this.requestBytes) {
        throw new Refused(
          `'${method}' is longer than the ${this.requestBytes} bytes that the server takes`,
          "too_large",
        );
      }
      asking.onSent?.();
      void carrier.send(method, copy).then(response => responses.add({ sent, response }));
      const event = await responses.next(Math.min(eachMs, end.leftMs()), signal);
      if (event?.response.kind === "answer") {
        const { answer } = event.response;
        return { answer, word: String(answer.answer), first, sent: event.sent };
      }
      if (event?.response.kind === "refused") {
        if (!LATER.includes(event.response.code)) {
          throw new Refused(event.response.message, event.response.code);
        }
        why = event.response.message;
      }
      if (event) {
        await pause(Math.min(wait, end.leftMs()), signal, !background);
        wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
      }
    }
    throw new Unanswered(why, first !== undefined);
  }

  async #connected(signal?: AbortSignal, end?: Moment): Promise<Carrier> {
    if (this.#stopped) {
      throw this.#stopped;
    }
    if (this.#closed) {
      throw new LedgerUnavailable("this Idem is closed. Nothing ran");
    }
    if (this.#carrier && !this.#carrier.isGone) {
      return this.#carrier;
    }
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    const starting = this.#starting;
    starting.catch(() => {});
    if (!signal && !end) {
      return starting;
    }
    const over = new AbortController();
    const signals = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
    const late = pause(end?.leftMs() ?? this.#settings.helloMs * 2, signals).then(() => {
      throw new Lost("the server did not start in time");
    });
    return Promise.race([starting, late]).finally(() => over.abort());
  }

  /** Finds a server in the order of the docs, or starts one. */
  async #start(): Promise<Carrier> {
    const { ledger, endpoint, socket } = this.#settings;
    if (isMemory(ledger) && this.#greeting) {
      this.#stopped = new Refused(
        "the server of memory: has ended, and its entries with it. Open a new Idem",
        "mismatch",
      );
      throw this.#stopped;
    }
    if (endpoint) {
      return this.#greet(new Http(endpoint, "socket" in endpoint ? "socket" : "url"));
    }
    if (socket && existsSync(socket)) {
      const found = new Http({ socket }, "socket");
      try {
        return await this.#greet(found, Math.min(SOCKET_MS, this.#settings.helloMs));
      } catch (error) {
        await found.close();
        if (this.#stopped) {
          throw error;
        }
      }
    }
    return this.#startChild();
  }

  async #startChild(): Promise<Carrier> {
    const { command, ledger } = this.#settings;
    const pipe = this.#spawned();
    try {
      return await this.#greet(pipe);
    } catch (error) {
      const { status, words, code } = (await pipe.lastWords()) ?? { status: null, words: "", code: undefined };
      pipe.kill();
      const said = masked(words.trim().split("\n")[0] ?? "").replaceAll(ledger, masked(ledger));
      if (code === "ENOENT" || code === "EACCES") {
        throw new LedgerUnavailable(
          `the program '${command[0]}' can't be started (${code}). Idem needs its command line and Java 17: ` +
            "set the variable IDEM to the file 'idem' of its checkout, or put that on the PATH. Nothing ran",
        );
      }
      if (status !== null && status > 0 && status < 128 && said !== "") {
        throw new LedgerUnavailable(`the server did not start: ${said}. Nothing ran`);
      }
      throw error;
    }
  }

  #spawned(): Pipe {
    const { command, ledger } = this.#settings;
    try {
      // The URL may hold a password, so it is no argument that others could see.
      return new Pipe(command, { ...process.env, IDEM_LEDGER: ledger, IDEM_NO_BUILD: "1" });
    } catch (error) {
      throw new LedgerUnavailable(`the program '${command[0]}' can't be started: ${error}. Nothing ran`);
    }
  }

  /** Says hello until it is answered: a server may take seconds to start. */
  async #greet(carrier: Carrier, forMs = this.#settings.helloMs): Promise<Carrier> {
    const { ledger, resendMs } = this.#settings;
    const hello = write({ protocol: 1, ledger, client: "idem-once for node" });
    const responses = new Responses();
    const end = this.now().plus(forMs);
    while (!end.isOver() && !this.#closed) {
      const sent = this.now();
      void carrier.send("hello", hello).then(response => responses.add({ sent, response }));
      const event = await responses.next(Math.min(resendMs, end.leftMs()));
      if (event?.response.kind === "answer") {
        this.#accept(carrier, event.response.answer);
        return carrier;
      }
      if (event?.response.kind === "refused" && !LATER.includes(event.response.code)) {
        throw new Refused(event.response.message, event.response.code);
      }
      if (event?.response.kind === "gone") {
        throw new Lost(`there is no server: ${event.response.why}`);
      }
      if (event) {
        await pause(SHORTEST_PAUSE_MS);
      }
    }
    carrier.kill();
    throw new Lost("the server did not answer hello");
  }

  #accept(carrier: Carrier, answer: Answer): void {
    const { ledger } = this.#settings;
    const id = String(answer.ledger_id);
    if (answer.answer !== "hello" || answer.protocol !== 1) {
      throw new Refused("the server speaks another protocol. Use the idem of the same version", "mismatch");
    }
    if (this.#greeting && this.#greeting.ledgerId !== id) {
      this.#stopped = new Refused(
        `another ledger is at ${masked(ledger)} now: its id is ${id} instead of ${this.#greeting.ledgerId}. Entries that this program counts on are elsewhere`,
        "mismatch",
      );
      throw this.#stopped;
    }
    const limits = answer.limits as Answer | undefined;
    this.#greeting = {
      way: carrier.way,
      ledgerId: id,
      server: String(answer.server ?? "unknown"),
      shownLedger: String(answer.ledger ?? masked(ledger)),
      requestBytes: Number(limits?.request_bytes ?? 16 * 1024 * 1024),
    };
    this.#carrier = carrier;
    carrier.onGone(() => this.#restart());
    this.onGreeted();
  }

  /** Starts the server again at once while actions run: nothing else renews their leases. */
  async #restart(): Promise<void> {
    let wait = SHORTEST_PAUSE_MS;
    while (!this.#closed && !this.#stopped && this.isNeeded()) {
      try {
        await this.#connected();
        return;
      } catch (error) {
        if (error instanceof Refused) {
          // No other try helps, and the settle will tell.
          return;
        }
        await pause(wait, undefined, false);
        wait = Math.min(wait * 2, LONGEST_RESTART_PAUSE_MS);
      }
    }
  }

  /** After a claim had no answer: ends a server of this process that answers nothing at all. */
  async suspect(): Promise<void> {
    const carrier = this.#carrier;
    if (!carrier || carrier.isGone) {
      return;
    }
    const responses = new Responses();
    const { ledger, resendMs } = this.#settings;
    const sent = this.now();
    void carrier.send("hello", write({ protocol: 1, ledger })).then(response => responses.add({ sent, response }));
    if (!(await responses.next(resendMs))) {
      carrier.kill();
    }
  }

  async close(): Promise<void> {
    const over = new AbortController();
    await Promise.race([Promise.all(this.#background), pause(CLOSE_MS, over.signal)]);
    over.abort();
    this.#closed = true;
    const carrier = this.#carrier ?? (await this.#starting?.catch(() => undefined));
    await carrier?.close();
  }
}

/** The connection is lost, and another one may do. */
class Lost extends Error {}

/** Responses to the copies of one request, of which an answer counts more than an error. */
class Responses {
  #events: { sent: Moment; response: Response }[] = [];
  #wake = () => {};

  add(event: { sent: Moment; response: Response }): void {
    this.#events.push(event);
    this.#wake();
  }

  async next(millis: number, signal?: AbortSignal): Promise<{ sent: Moment; response: Response } | undefined> {
    if (this.#events.length === 0) {
      await new Promise<void>(resolve => {
        const done = () => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, millis);
        this.#wake = done;
        signal?.addEventListener("abort", done);
      });
    }
    const answer = this.#events.findIndex(each => each.response.kind === "answer");
    return this.#events.splice(Math.max(answer, 0), 1)[0];
  }
}
