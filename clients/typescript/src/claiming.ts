import { randomFillSync } from "node:crypto";
import { pause } from "./clocks.js";
import { type Connection, type Reply, Unanswered } from "./connection.js";
import { LedgerUnavailable, Refused } from "./errors.js";
import { writeMembers } from "./json.js";
import { ownerText } from "./owner.js";
import type { Spec } from "./spec.js";

const ID_BYTES = 16;
const WITHDRAW_MS = 600_000;
const LONGEST_WAIT_MS = 25_000;

const random = Buffer.alloc(ID_BYTES * 256);
let used = random.length;

/** An id of one claim, never used again: 128 bits of the secure generator, which is asked for many at a time. */
function attemptId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += ID_BYTES;
  return random.toString("hex", used - ID_BYTES, used);
}

/** Sends a claim until it is answered. One that is given up is withdrawn, also later. */
export async function claim(
  connection: Connection,
  spec: Spec,
  waited: boolean,
): Promise<Reply & { readonly id: string }> {
  const { giveUpMs, ledger } = connection.settings;
  const id = attemptId();
  const own = writeMembers({ attempt_id: id, owner: ownerText(), waited: waited || undefined, ledger });
  const params = `{${spec.claim},${own}}`;
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
  const params = `{${spec.address},${writeMembers({ attempt_id: id })}}`;
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
      const reply = await connection.ask("wait", `{${writeMembers(params)}}`, {
        forMs,
        eachMs: forMs,
        signal: spec.signal,
      });
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
