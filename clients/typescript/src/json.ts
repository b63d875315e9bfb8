/** A value that JSON can hold exactly. Integers beyond 2^53 are of the type bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [name: string]: Json };

/** A value can't be written as JSON without changing it. */
export class NotJson extends Error {
  constructor(
    readonly path: string,
    readonly what: string,
  ) {
    super(`${path === "" ? "it" : `'${path}'`} is ${what}`);
    this.name = "NotJson";
  }
}

/** JSON that is written already. */
export class Written {
  constructor(readonly text: string) {}
}

const DEEPEST = 900;

/** Writes a value as JSON; throws NotJson for anything that would come back as something else. */
export function write(value: unknown): string {
  return text(value, "", 0);
}

function text(value: unknown, path: string, depth: number): string {
  switch (typeof value) {
    case "string":
      return string(value, path);
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return value.toString();
    case "number":
      return number(value, path);
    case "object":
      if (value === null) {
        return "null";
      }
      if (depth > DEEPEST) {
        throw new NotJson(path.slice(0, 60), `nested more than ${DEEPEST} levels deep, or inside itself`);
      }
      return Array.isArray(value) ? list(value, path, depth) : object(value, path, depth);
    default:
      throw new NotJson(path, value === undefined ? "undefined" : `a ${typeof value}`);
  }
}

function string(value: string, path: string): string {
  if (!isWellFormed(value)) {
    throw new NotJson(path, "a text with half a surrogate pair");
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

function number(value: number, path: string): string {
  if (!Number.isFinite(value)) {
    throw new NotJson(path, String(value));
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new NotJson(path, `${value}, an integer beyond 2^53 that a number can't hold exactly; use a bigint`);
  }
  return JSON.stringify(value);
}

function list(value: readonly unknown[], path: string, depth: number): string {
  const items: string[] = [];
  for (let i = 0; i < value.length; i++) {
    items.push(text(value[i], `${path}[${i}]`, depth + 1));
  }
  return `[${items.join(",")}]`;
}

function object(value: object, path: string, depth: number): string {
  if (value instanceof Written) {
    return value.text;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new NotJson(path, `a ${value.constructor?.name || "class instance"}`);
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    throw new NotJson(path, "an object with a symbol as a name");
  }
  if (!(value instanceof Object) && prototype !== null && prototype.constructor?.name !== "Object") {
    throw new NotJson(path, `a ${prototype.constructor?.name}`);
  }
  const members: string[] = [];
  for (const name of Object.keys(value)) {
    const inner = path === "" ? name : `${path}.${name}`;
    members.push(`${string(name, inner)}:${text((value as Record<string, unknown>)[name], inner, depth + 1)}`);
  }
  return `{${members.join(",")}}`;
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
