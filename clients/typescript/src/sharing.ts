import { pause } from "./clocks.js";
import type { Connection } from "./connection.js";
import type { Outcome } from "./outcome.js";
import { perform, shared } from "./performing.js";
import type { Action, Ran } from "./running.js";
import type { Spec } from "./spec.js";
import type { Tickets } from "./tickets.js";

/** Lets equal calls that are in flight in this process share one claim: all of address, identity, content and policy. */
export class Sharing {
  readonly #running = new Map<string, Promise<Ran<unknown> | undefined>>();

  constructor(
    private readonly connection: Connection,
    private readonly tickets: Tickets,
  ) {}

  async call<T>(spec: Spec, action: Action<T>): Promise<Outcome<T>> {
    const end = this.connection.now().plus(spec.waitMs);
    for (;;) {
      const leader = this.#running.get(spec.sameness);
      if (!leader) {
        return this.#lead({ ...spec, waitMs: end.leftMs() }, action);
      }
      if (end.isOver()) {
        // It has waited as long as it may: the server tells what is going on.
        return (await perform(this.connection, this.tickets, { ...spec, waitMs: 0 }, action)).outcome;
      }
      const over = new AbortController();
      const signals = spec.signal ? AbortSignal.any([over.signal, spec.signal]) : over.signal;
      const ran = await Promise.race([leader, pause(end.leftMs(), signals)]);
      over.abort();
      spec.signal?.throwIfAborted();
      const outcome = ran && shared(ran as Ran<T>, spec);
      if (outcome) {
        return outcome;
      }
    }
  }

  async #lead<T>(spec: Spec, action: Action<T>): Promise<Outcome<T>> {
    const running = perform(this.connection, this.tickets, spec, action);
    const watched = running
      .catch(() => undefined)
      .finally(() => {
        this.#running.delete(spec.sameness);
      });
    this.#running.set(spec.sameness, watched);
    return (await running).outcome;
  }
}
