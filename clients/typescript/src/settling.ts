import { type Answer, isText } from "./carrier.js";
import type { Connection } from "./connection.js";
import { Refused } from "./errors.js";
import { wellFormed, write } from "./json.js";
import { described } from "./words.js";

/** What became of a settle. `unknown` has no answer, or a refusal that can't be helped. */
export interface Settled {
  readonly word: "recorded" | "already" | "stale" | "unknown";
  readonly state: string;
  readonly answer: Answer;
  readonly why: string;
  /** With `complete`: why its result is not kept. */
  readonly unavailable?: string | undefined;
}

/** Sends a settle until it is answered. */
export async function settle(
  connection: Connection,
  ticket: string,
  how: Readonly<Record<string, unknown>>,
): Promise<Settled> {
  try {
    const params = write({ ticket, ...how });
    const { settleMs } = connection.settings;
    const reply = await connection.ask("settle", params, { forMs: settleMs, patient: true });
    const { word, answer } = reply;
    const known = word === "recorded" || word === "already" || word === "stale";
    return {
      word: known ? word : "unknown",
      state: String(answer.state),
      answer,
      unavailable: isText(how.unavailable)
        ? how.unavailable
        : isText(answer.unavailable)
          ? answer.unavailable
          : undefined,
      why: word === "stale" ? "another attempt has the key now" : `the ledger has it as ${answer.state}`,
    };
  } catch (error) {
    if (error instanceof Refused && "result" in how) {
      // A server that refuses more than the result refuses this, too.
      const why = error.code === "too_large" ? "it is too large" : `the server refuses it: ${error.message}`;
      return settle(connection, ticket, {
        as: "complete",
        unavailable: wellFormed(`the result can't be kept: ${why}`),
      });
    }
    // The action has run, so that no error may take the place of its value.
    const why = `the ledger has not recorded it: ${described(error)}`;
    return { word: "unknown", state: "unknown", answer: {}, why };
  }
}
