/** A value that JSON can hold exactly. Integers beyond 2^53 are of the type bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [name: string]: Json };

/** A value can't be written as JSON without changing it. */
export class NotJson extends Error {
  #path = "";

  constructor(private readonly what: string) {
    super();
    this.name = "NotJson";
  }

  /** The error as one inside of a member or item. */
  inside(step: string): this {
    this.#path = this.#path.startsWith("[") || this.#path === "" ? step + this.#path : `${step}.${this.#path}`;
    return this;
  }

  override get message(): string {
    return `${this.#path === "" ? "it" : `'${wellFormed(this.#path.slice(0, 80))}'`} is ${this.what}`;
  }
}

/** JSON that is written already. */
export class Written {
  constructor(readonly text: string) {}
}

/** What a server reads of one number, in characters. */
const LONGEST_NUMBER = 1000;
const DEEPEST = 900;

/** Writes a value as JSON; throws NotJson for anything that would come back as something else. */
export function write(value: unknown): string {
  return text(value, 0, new Writing(number));
}

/** Writes a result, in which large numbers may be: what they stand for matters only where calls are told apart. */
export function writeResult(value: unknown): string {
  // With digits alone a number beyond 2^53 would come back as a bigint.
  const large = (each: number) => JSON.stringify(each).replace(/^[-0-9]+$/, "$&.0");
  return text(value, 0, new Writing(each => (isLarge(each) ? large(each) : number(each))));
}

/** One value as it is written. What is in it many times is walked once, since its text may double with each level. */
class Writing {
  readonly #texts = new Map<object, { readonly text: string; readonly depth: number }>();

  constructor(readonly number: (value: number) => string) {}

  once(value: object, depth: number, body: () => string): string {
    const before = this.#texts.get(value);
    if (before && depth <= before.depth) {
      return before.text;
    }
    try {
      const text = body();
      this.#texts.set(value, { text, depth });
      return text;
    } catch (error) {
      throw error instanceof RangeError ? new NotJson("too large to be kept") : error;
    }
  }
}

/** The members of an object without its braces; those that are undefined are left out. */
export function writeMembers(members: Readonly<Record<string, unknown>>): string {
  let all = "";
  for (const name of Object.keys(members)) {
    if (members[name] !== undefined) {
      all += `${all === "" ? "" : ","}${JSON.stringify(name)}:${text(members[name], 1, new Writing(number))}`;
    }
  }
  return all;
}

function text(value: unknown, depth: number, writing: Writing): string {
  switch (typeof value) {
    case "string":
      return string(value);
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return integer(value);
    case "number":
      return writing.number(value);
    case "object":
      if (value === null) {
        return "null";
      }
      if (depth > DEEPEST) {
        throw new NotJson(`nested more than ${DEEPEST} levels deep, or inside itself`);
      }
      return writing.once(value, depth, () =>
        Array.isArray(value) ? list(value, depth, writing) : object(value, depth, writing),
      );
    default:
      throw new NotJson(value === undefined ? "undefined" : `a ${typeof value}`);
  }
}

function string(value: string): string {
  if (!isWellFormed(value)) {
    throw new NotJson("a text with half a surrogate pair");
  }
  return JSON.stringify(value);
}

/** The method of this name is not in the types of ES2023. */
function isWellFormed(value: string): boolean {
  return (value as string & { isWellFormed(): boolean }).isWellFormed();
}

/** A text in which half surrogate pairs are replaced, for messages. */
export function wellFormed(value: string): string {
  return (value as string & { toWellFormed(): string }).toWellFormed();
}

function number(value: number): string {
  if (!Number.isFinite(value)) {
    throw new NotJson(String(value));
  }
  if (isLarge(value)) {
    throw new NotJson(`${value}, an integer beyond 2^53 that a number can't hold exactly; use a bigint`);
  }
  return JSON.stringify(value);
}

function integer(value: bigint): string {
  const digits = value.toString();
  if (digits.length > LONGEST_NUMBER) {
    throw new NotJson(`an integer of ${digits.length} digits, of which a server reads ${LONGEST_NUMBER}; use a text`);
  }
  return digits;
}

function isLarge(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

function list(value: readonly unknown[], depth: number, writing: Writing): string {
  let all = "";
  for (let i = 0; i < value.length; i++) {
    try {
      all += (i === 0 ? "" : ",") + text(value[i], depth + 1, writing);
    } catch (error) {
      throw error instanceof NotJson ? error.inside(`[${i}]`) : error;
    }
  }
  return `[${all}]`;
}

function object(value: object, depth: number, writing: Writing): string {
  if (value instanceof Written) {
    return value.text;
  }
  requirePlain(value);
  let all = "";
  for (const name of Object.keys(value)) {
    try {
      const member = text((value as Record<string, unknown>)[name], depth + 1, writing);
      all += `${all === "" ? "" : ","}${string(name)}:${member}`;
    } catch (error) {
      throw error instanceof NotJson ? error.inside(name) : error;
    }
  }
  return `{${all}}`;
}

/** Refuses instances of classes, which would come back as plain objects. */
function requirePlain(value: object): void {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    // An object of another realm is plain if its prototype is the root there.
    const isRoot = Object.getPrototypeOf(prototype) === null && prototype.constructor?.name === "Object";
    if (!isRoot) {
      throw new NotJson(`a ${value.constructor?.name || "class instance"}`);
    }
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    throw new NotJson("an object with a symbol as a name");
  }
}

/** Reads JSON. Integers that a number can't hold exactly become a bigint. */
export function parse(source: string): Json {
  // An integer beyond 2^53 has 16 digits or more. Without any, the built-in reader is exact.
  return /\d{16}/.test(source) ? new Reader(source).document() : (JSON.parse(source) as Json);
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const SPACE = /[ \t\r\n]*/y;
const WORD = /true|false|null/y;

/** A reader of JSON that keeps integers exact. It takes each token by a pattern, and texts by the built-in reader. */
class Reader {
  #at = 0;

  constructor(private readonly source: string) {}

  document(): Json {
    const value = this.#value();
    this.#take(SPACE);
    if (this.#at !== this.source.length) {
      throw this.#error();
    }
    return value;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** Takes this character after spaces, if it is there. */
  #is(character: string): boolean {
    this.#take(SPACE);
    if (this.source[this.#at] !== character) {
      return false;
    }
    this.#at++;
    return true;
  }

  #error(): SyntaxError {
    return new SyntaxError(`not JSON at position ${this.#at}`);
  }

  #value(): Json {
    if (this.#is("{")) {
      return this.#object();
    }
    if (this.#is("[")) {
      return this.#list();
    }
    const next = this.source[this.#at];
    if (next === '"') {
      return this.#string();
    }
    const token = next === "-" || (next !== undefined && next >= "0" && next <= "9") ? NUMBER : WORD;
    const found = this.#take(token);
    if (found === undefined || found === "") {
      throw this.#error();
    }
    if (token === WORD) {
      return JSON.parse(found) as Json;
    }
    const read = Number(found);
    return /[.eE]/.test(found) || Number.isSafeInteger(read) ? read : BigInt(found);
  }

  #string(): string {
    const found = this.#take(STRING);
    if (found === undefined) {
      throw this.#error();
    }
    return JSON.parse(found) as string;
  }

  #list(): Json {
    const items: Json[] = [];
    if (this.#is("]")) {
      return items;
    }
    do {
      items.push(this.#value());
    } while (this.#is(","));
    return this.#closed("]", items);
  }

  #object(): Json {
    const members: Record<string, Json> = {};
    if (this.#is("}")) {
      return members;
    }
    do {
      this.#take(SPACE);
      const name = this.#string();
      if (!this.#is(":")) {
        throw this.#error();
      }
      // A plain assignment to __proto__ would set the prototype.
      Object.defineProperty(members, name, {
        value: this.#value(),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } while (this.#is(","));
    return this.#closed("}", members);
  }

  #closed<T>(character: string, value: T): T {
    if (!this.#is(character)) {
      throw this.#error();
    }
    return value;
  }
}
