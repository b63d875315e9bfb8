import { type Json, parse } from "./json.js";

/** How the server is reached. */
export type Way = "pipe" | "socket" | "url";

/** The members of an answer. */
export type Answer = { readonly [name: string]: Json };

/** What came back for one request: an answer, a refusal, or nothing because the connection is gone. */
export type Response =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "gone"; readonly why: string };

/** Sends requests to one server. It never throws: what went wrong is in the response. */
export interface Carrier {
  readonly way: Way;
  /** Whether the connection is lost for good. */
  readonly isGone: boolean;
  /** Sends one request; `params` is its JSON. */
  send(method: string, params: string): Promise<Response>;
  /** Calls back once when the connection is lost. */
  onGone(listener: () => void): void;
  /** Ends a server of this process that does not answer; a server of others is left alone. */
  kill(): boolean;
  close(): Promise<void>;
}

/** The parts of a text that is a JSON object; undefined for anything else. */
export function members(text: string): Answer | undefined {
  try {
    return record(parse(text));
  } catch {
    return undefined;
  }
}

export function record(value: Json | undefined): Answer | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Answer) : undefined;
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}
