import { Refused } from "./errors.js";
import { type Json, NotJson, wellFormed, write, writeResult } from "./json.js";
import { described } from "./words.js";

/** Writes results of a type that JSON does not have, and reads them back. */
export interface Codec<T> {
  encode(value: T): Json;
  decode(stored: Json): T;
}

/**
 * Stores a value as `JSON.stringify` shows it: a Date becomes a text, a class instance a plain object, and members that are
 * undefined are left out. All callers, also the first, get the value in this form. Unlike there, a bigint is kept, and a Map
 * or Set, of which nothing would be left, can't be stored.
 */
export const json: Codec<unknown> = {
  encode: value => plain(value) as Json,
  decode: stored => stored,
};

const DEEPEST = 1000;
const BEGUN = Symbol();

/** `known` has what each object has become, so that one which is in the value many times is walked once. */
function plain(value: unknown, depth = 0, known = new Map<object, unknown>()): unknown {
  if (typeof value === "function" || typeof value === "symbol") {
    return undefined;
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    return null;
  }
  if (typeof value !== "object" || value === null || value instanceof Map || value instanceof Set) {
    return value;
  }
  if (known.get(value) === BEGUN || depth > DEEPEST) {
    throw new NotJson("inside itself, or nested too deep");
  }
  if (!known.has(value)) {
    known.set(value, BEGUN);
    known.set(value, plainObject(value, depth, known));
  }
  return known.get(value);
}

function plainObject(value: object, depth: number, known: Map<object, unknown>): unknown {
  const inside = (step: string, each: unknown) => {
    try {
      return plain(each, depth + 1, known);
    } catch (error) {
      throw error instanceof NotJson ? error.inside(step) : error;
    }
  };
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return plain(value.toJSON(""), depth + 1, known);
  }
  if (Array.isArray(value)) {
    return Array.from(value, (each, i) => inside(`[${i}]`, each) ?? null);
  }
  const members = Object.entries(value).map(([name, each]) => [name, inside(name, each)] as const);
  return Object.fromEntries(members.filter(([, each]) => each !== undefined));
}

/** Writes an identity or content; refuses whatever another program, or another day, would write in another way. */
export function identityText(what: string, value: unknown): string {
  try {
    return write(value);
  } catch (error) {
    if (error instanceof NotJson) {
      throw new Refused(
        `${what}: ${error.message}. Use plain objects, lists, texts, booleans, null, safe integers and bigint; ` +
          "turn anything else into one of these first. Nothing ran",
      );
    }
    throw error;
  }
}

/** A result as it is stored, or why it can't be. */
export type Stored = { readonly text: string } | { readonly unavailable: string };

/** Writes a result. One that can't be written is no error: the action has run. */
export function storedText<T>(value: T, codec: Codec<T> | undefined): Stored {
  try {
    const plain = codec ? codec.encode(value) : value;
    return { text: plain === undefined ? "null" : writeResult(plain) };
  } catch (error) {
    const why =
      error instanceof NotJson
        ? `the result can't be kept as JSON: ${error.message}`
        : `its codec failed: ${described(error)}`;
    return { unavailable: wellFormed(why) };
  }
}

/** Reads a stored result as a value of the caller's own. */
export function decoded<T>(stored: Json, codec: Codec<T> | undefined): T {
  return codec ? codec.decode(stored) : (stored as T);
}

/** The members that are not undefined. */
export function dropped(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
