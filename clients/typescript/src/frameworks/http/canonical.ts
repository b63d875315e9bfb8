/**
 * The canonical text (RFC 8785) of a JSON text: one text for each value, whatever the order of its names, its spaces and
 * the spelling of its numbers. A number that a double does not hold exactly is written digit for digit.
 *
 * It is the form that Idem in Java compares requests by, so that both take the same two requests for equal.
 */
export function canonicalText(json: string): string {
  JSON.parse(json); // checks the grammar, so that the scanner below need not
  const scanner = new Scanner(json);
  return scanner.value();
}

/** The canonical text of a value that was parsed from JSON. */
export function canonicalValue(value: unknown): string {
  return canonicalText(JSON.stringify(value, distinct) ?? "null");
}

/** JSON writes some values like others, and then two different requests would look alike. */
function distinct(_: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    return { number: String(value) };
  } else if (typeof value === "object" && value !== null) {
    const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
    if (!SHOWN.test(kind) && (Symbol.iterator in value || Object.keys(value).length === 0)) {
      throw new TypeError(
        `the body to compare has a ${kind}, whose content is not in JSON: give plain data. Nothing ran`,
      );
    }
  }
  return value;
}

/** JSON shows what these hold. Of others it shows nothing, such as a Map, a File or an ArrayBuffer. */
const SHOWN = /^(Object|\w*Array|String|Number|Boolean)$/;

/** Whether a text has no half of a surrogate pair. The method of this name is not in the types of ES2023. */
export function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}

const LONGEST_NUMBER = 1000;
const LONGEST_OF_A_DOUBLE = 25;
/** Of all numbers in a text: 1e999 is two hundred times as long there. All languages have the same number. */
const MOST_FILLING = 100_000;

class Scanner {
  #at = 0;
  #filling = 0;

  constructor(private readonly json: string) {}

  value(): string {
    const first = this.#skipSpace();
    if (first === "{") {
      return this.#object();
    } else if (first === "[") {
      return this.#array();
    } else if (first === '"') {
      return JSON.stringify(this.#text());
    }
    const token = this.#match(/[-+.0-9A-Za-z]+/y);
    return /^[-0-9]/.test(token) ? this.#number(token) : token;
  }

  #number(token: string): string {
    const text = canonicalNumber(token);
    if (text.length > LONGEST_OF_A_DOUBLE) {
      this.#filling += text.length - decimal(token).digits.toString().replace("-", "").length;
      if (this.#filling > MOST_FILLING) {
        throw new SyntaxError("its numbers have too many zeros");
      }
    }
    return text;
  }

  #object(): string {
    const members = new Map<string, string>();
    for (let more = this.#enter("}"); more; more = this.#next("}")) {
      this.#skipSpace();
      const name = this.#text();
      this.#skipSpace();
      this.#at++; // the colon
      if (members.has(name)) {
        throw new SyntaxError("an object has a name twice");
      }
      members.set(name, this.value());
    }
    const names = [...members.keys()].sort();
    return `{${names.map(name => `${JSON.stringify(name)}:${members.get(name)}`).join(",")}}`;
  }

  #array(): string {
    const elements: string[] = [];
    for (let more = this.#enter("]"); more; more = this.#next("]")) {
      elements.push(this.value());
    }
    return `[${elements.join(",")}]`;
  }

  #enter(closing: string): boolean {
    this.#at++;
    if (this.#skipSpace() === closing) {
      this.#at++;
      return false;
    }
    return true;
  }

  #next(closing: string): boolean {
    const found = this.#skipSpace();
    this.#at++;
    return found !== closing;
  }

  #text(): string {
    const text = JSON.parse(this.#match(/"(?:[^"\\]|\\.)*"/y)) as string;
    if (!isWellFormed(text)) {
      throw new SyntaxError("a text holds half of a surrogate pair");
    }
    return text;
  }

  #skipSpace(): string | undefined {
    this.#match(/[ \t\r\n]*/y);
    return this.json[this.#at];
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.json)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}

function canonicalNumber(token: string): string {
  const nearest = Number(token);
  const exact = decimal(token);
  if (Number.isFinite(nearest)) {
    const text = String(nearest);
    const written = decimal(text);
    if (written.digits === exact.digits && (written.exponent === exact.exponent || exact.digits === 0n)) {
      return text;
    }
  }
  return plain(exact);
}

interface Decimal {
  /** Without trailing zeros, with the sign. */
  readonly digits: bigint;
  readonly exponent: number;
}

function decimal(token: string): Decimal {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  const significant = digits.replace(/0+$/, "");
  if (digits.length > LONGEST_NUMBER || Math.abs(Number(exponent)) > LONGEST_NUMBER) {
    throw new SyntaxError("a number is too long");
  }
  if (/^-?$/.test(significant)) {
    return { digits: 0n, exponent: 0 };
  }
  return {
    digits: BigInt(significant),
    exponent: Number(exponent) - fraction.length + (digits.length - significant.length),
  };
}

function plain({ digits, exponent }: Decimal): string {
  const sign = digits < 0n ? "-" : "";
  const text = (digits < 0n ? -digits : digits).toString();
  if (exponent >= 0) {
    return sign + text + "0".repeat(exponent);
  }
  const padded = text.padStart(1 - exponent, "0");
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
