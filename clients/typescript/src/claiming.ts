import { randomBytes } from "node:crypto";
import { pause } from "./clocks.js";
import { type Connection, type Reply, Unanswered } from "./connection.js";
import { LedgerUnavailable, Refused } from "./errors.js";
import { write } from "./json.js";
import { owner } from "./owner.js";
import type { Spec } from "./spec.js";

const WITHDRAW_MS = 600_000;
const LONGEST_WAIT_MS = 25_000;

/** An id of one claim, never used again. */
function attemptId(): string {
  return randomBytes(16).toString("hex");
}

/** Sends a claim until it is answered. One that is given up is withdrawn, also later. */
export async function claim(
  connection: Connection,
  spec: Spec,
  waited: boolean,
): Promise<Reply & { readonly id: string }> {
  const { giveUpMs, ledger } = connection.settings;
  const id = attemptId();
  const params = write({ ...spec.claim, attempt_id: id, owner: owner(), waited, ledger });
  let copies = 0;
  const onSent = () => {
    copies++;
  };
  try {
    const reply = await connection.ask("claim", params, { forMs: giveUpMs, signal: spec.signal, onSent });
    return { ...reply, id };
  } catch (error) {
    // The only copy that was refused did nothing. Any other may have been granted.
    if (copies > (error instanceof Refused ? 1 : 0)) {
      withdraw(connection, spec, id);
    }
    if (spec.signal?.aborted) {
      throw spec.signal.reason;
    }
    if (error instanceof Unanswered) {
      connection.inBackground(connection.suspect());
      throw new LedgerUnavailable(
        `the ledger gave no answer to '${spec.place.operation}': ${error.message}. Nothing ran`,
        {
          place: spec.place,
          forModel: `'${spec.place.operation}' was not called: the ledger that guards it can't be reached. Try again later.`,
          cause: error,
        },
      );
    }
    throw error;
  }
}

/** Tells the server that a claim was given up and ran nothing, as soon as one answers. */
export function withdraw(connection: Connection, spec: Spec, id: string): void {
  const params = write({ ...spec.address, attempt_id: id });
  connection.inBackground(connection.ask("withdraw", params, { forMs: WITHDRAW_MS, patient: true, background: true }));
}

/** Waits for the end of another attempt; true to claim again, else the reply that ends the call. */
export async function wait(
  connection: Connection,
  spec: Spec,
  inFlight: Reply,
  leftMs: () => number,
): Promise<true | Reply> {
  const { scope, operation } = spec.place;
  const { key, fence, retry_after_ms } = inFlight.answer;
  if (leftMs() === 0) {
    return inFlight;
  }
  if (fence === undefined || fence === null) {
    await pause(Math.min(Number(retry_after_ms ?? 100), leftMs()), spec.signal);
    return true;
  }
  while (leftMs() > 0 && !spec.signal?.aborted) {
    const most = Math.min(LONGEST_WAIT_MS, leftMs());
    const params = {
      scope,
      operation,
      key,
      fence,
      at_most_ms: most,
      can_probe: spec.probe !== undefined,
      policy: spec.policy,
    };
    const forMs = most + connection.settings.giveUpMs;
    try {
      const reply = await connection.ask("wait", write(dropped(params)), { forMs, eachMs: forMs, signal: spec.signal });
      if (reply.word !== "in_flight") {
        return reply.word === "claim_again" ? true : reply;
      }
    } catch (error) {
      if (!(error instanceof Unanswered)) {
        throw error;
      }
      break;
    }
  }
  spec.signal?.throwIfAborted();
  return inFlight;
}

/** The members that are not undefined. */
export function dropped(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
