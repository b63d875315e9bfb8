import type { Answer } from "./carrier.js";
import { type Connection, Unanswered } from "./connection.js";
import { IdemError, Refused } from "./errors.js";
import { write } from "./json.js";

/** What became of a settle. `unknown` has no answer, or a refusal that can't be helped. */
export interface Settled {
  readonly word: "recorded" | "already" | "stale" | "unknown";
  readonly state: string;
  readonly answer: Answer;
  readonly why: string;
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
      why: word === "stale" ? "another attempt has the key now" : `the ledger has it as ${answer.state}`,
    };
  } catch (error) {
    if (error instanceof Refused && error.code === "too_large" && "result" in how) {
      return settle(connection, ticket, { as: "complete", unavailable: "the result is too large to be kept" });
    }
    if (error instanceof IdemError || error instanceof Unanswered) {
      return { word: "unknown", state: "unknown", answer: {}, why: `the ledger has not recorded it: ${error.message}` };
    }
    throw error;
  }
}
