import type { Answer } from "./carrier.js";
import { type Moment, pause } from "./clocks.js";
import { type Connection, type Reply, Unanswered } from "./connection.js";
import { write } from "./json.js";

const MOST = 1000;
const SHORTEST_MS = 20;
const LONGEST_PAUSE_MS = 1000;
const LONGEST_ASK_MS = 10_000;

/** A ticket whose action runs. */
export interface Ticket {
  readonly text: string;
  /** When the action must have ended. */
  readonly limit: Moment;
  readonly leaseMs: number;
  /** Called if the ticket is lost while the action runs. */
  readonly onLost: () => void;
}

/** The tickets of a connection: all are renewed after a restart, and at a third of the lease off the pipe. */
export class Tickets {
  readonly #connection: Connection;
  readonly #held = new Set<Ticket>();
  #timer: NodeJS.Timeout | undefined;
  #every = 0;
  readonly #due = new Set<Ticket>();
  #renewing = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.isNeeded = () => this.#held.size > 0;
    connection.onGreeted = () => {
      this.#renewAll();
      this.#schedule();
    };
  }

  hold(ticket: Ticket): void {
    this.#held.add(ticket);
    this.#schedule();
  }

  release(ticket: Ticket): void {
    this.#held.delete(ticket);
    if (this.#held.size === 0) {
      this.#schedule();
    }
  }

  /** Over a pipe the server renews while that is open. Elsewhere it may not see this process, so this client renews. */
  #schedule(): void {
    const leases = this.#connection.way === "pipe" ? [] : [...this.#held].map(each => each.leaseMs);
    const every = leases.length === 0 ? 0 : Math.max(SHORTEST_MS, Math.min(...leases) / 3);
    if (every !== this.#every) {
      clearInterval(this.#timer);
      this.#every = every;
      this.#timer = every === 0 ? undefined : setInterval(() => this.#renewAll(), every).unref();
    }
  }

  /** Renews every ticket that is held now. */
  #renewAll(): void {
    for (const each of this.#held) {
      this.#due.add(each);
    }
    if (!this.#renewing) {
      this.#renewing = true;
      void this.#renewDue().finally(() => {
        this.#renewing = false;
      });
    }
  }

  /** Goes on until each ticket is renewed, lost or released: an answer `unanswered` is none. */
  async #renewDue(): Promise<void> {
    let wait = SHORTEST_MS;
    for (let some = this.#next(); some.length > 0; some = this.#next()) {
      try {
        const told = words(await this.renew(some, LONGEST_ASK_MS));
        some.forEach((ticket, i) => {
          if (told[i] === "renewed" || told[i] === "lost") {
            this.#due.delete(ticket);
            wait = SHORTEST_MS;
          }
          if (told[i] === "lost") {
            ticket.onLost();
          }
        });
      } catch (error) {
        if (!(error instanceof Unanswered)) {
          // It refuses, and the settle will tell why.
          this.#due.clear();
        }
      }
      if (this.#due.size > 0) {
        await pause(wait, undefined, false);
        wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Tickets to renew now. One that was released, or whose limit is over, needs it no more. */
  #next(): Ticket[] {
    for (const each of this.#due) {
      if (!this.#held.has(each) || each.limit.isOver()) {
        this.#due.delete(each);
      }
    }
    return [...this.#due].slice(0, MOST);
  }

  /** Renews tickets, each with the time that it has left when the request is sent. */
  renew(tickets: readonly Ticket[], forMs: number): Promise<Reply> {
    const params = () => write({ tickets: tickets.map(each => ({ ticket: each.text, left_ms: each.limit.leftMs() })) });
    return this.#connection.ask("renew", params, { forMs, background: true });
  }
}

/** What a renew answered for each ticket. */
export function words(renewed: Reply): string[] {
  const tickets = renewed.answer.tickets;
  return Array.isArray(tickets) ? tickets.map(each => String((each as Answer).answer)) : [];
}
