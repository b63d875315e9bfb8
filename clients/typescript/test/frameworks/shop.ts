import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { Idem } from "idem-once";
import { z } from "zod";

const folder = mkdtempSync(join(tmpdir(), "idem-frameworks-"));
process.env.XDG_STATE_HOME = folder;
process.env.XDG_RUNTIME_DIR = folder;

/** One server for all tests of this process. */
export const idem = await Idem.open(`sqlite:${join(folder, "idem.db")}`);

/** Time-outs of AbortSignal do not keep a process alive. */
const alive = setInterval(() => {}, 60_000);

after(async () => {
  clearInterval(alive);
  await idem.close();
  rmSync(folder, { recursive: true, force: true });
});

export const order = { customer: "cus_1", cents: 4200 };
export type Order = typeof order;
export const orderShape = { customer: z.string(), cents: z.number() };
export const orderSchema = z.object(orderShape);

/** A payment service that counts its charges, and can lose a response or be slow. */
export class Shop {
  charges = 0;
  #loses = 0;
  #gate: Promise<void> | undefined;

  /** The next responses are lost, after the charge. */
  losing(count: number): this {
    this.#loses = count;
    return this;
  }

  /** The next charge ends only when the returned function is called. */
  slowly(): () => void {
    let open = () => {};
    this.#gate = new Promise(resolve => {
      open = resolve;
    });
    return open;
  }

  readonly charge = async ({ customer, cents }: Order): Promise<{ id: string; customer: string; cents: number }> => {
    const id = `ch_${++this.charges}`;
    const gate = this.#gate;
    this.#gate = undefined;
    await gate;
    if (this.#loses > 0) {
      this.#loses--;
      throw new Error("socket hang up");
    }
    return { id, customer, cents };
  };
}

let scopes = 0;

/** A task of its own for each test. */
export function newTask(): string {
  return `order-${++scopes}`;
}

/** The words that every doubt has. */
export const DOUBT =
  /It is unknown whether it took effect\. Do not call it again: it will not run until somebody has found out\./;
export const STILL_IN_DOUBT = /was not called: an earlier call of it did not end clearly, .* Do not call it again/;
export const REPLAY =
  /'charge' was done before at \S+Z, with the same arguments; the first result is shown\. Nothing was done again\./;
export const HELD = /approv/i;
