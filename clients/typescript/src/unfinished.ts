/** A function returned something that is not there yet, so it is unknown whether it has ended. */
export class Unfinished extends TypeError {
  constructor(what: string, whose: string) {
    super(
      `${whose} returned ${what}, so its work may not have ended. Wait for it, or read it to its end, inside of ${whose}, ` +
        "and return the value that it gave",
    );
    this.name = "TypeError";
  }
}

/** Throws Unfinished for a result that is not there yet. */
export function requireFinished(value: unknown, whose = "the action"): void {
  const what = unfinished(value);
  if (what !== undefined) {
    throw new Unfinished(what, whose);
  }
}

/** A value that is not there yet, in words; undefined if it is there. */
export function unfinished(value: unknown): string | undefined {
  return typeof value === "function" ? "a function" : (pending(value) ?? streaming(value) ?? inside(value));
}

/** What a value is that does its work only later. A value that can't be looked at is none. */
function pending(value: unknown): string | undefined {
  return seen(value, each =>
    typeof each.then === "function"
      ? "a Promise"
      : typeof each.next === "function" && (Symbol.iterator in each || Symbol.asyncIterator in each)
        ? "a generator"
        : undefined,
  );
}

function streaming(value: unknown): string | undefined {
  return seen(value, each => {
    const { body, bodyUsed, url, readableEnded, writableFinished, ended } = each;
    if (isStream(each)) {
      const halves = [readableEnded, writableFinished, ended].filter(half => half !== undefined);
      return halves.length > 0 && halves.every(half => half === true) ? undefined : "a stream";
    }
    // A response that the program made itself has no address.
    if (bodyUsed === false && body !== null && body !== undefined && url !== "") {
      return "a response whose body was not read";
    }
    return Symbol.asyncIterator in each && !Object.values(each).some(isData) ? "an async iterator" : undefined;
  });
}

function isStream(each: Record<string, unknown>): boolean {
  const { getReader, toReadableStream, pipe, readable, on, subscribe } = each;
  const flows = readable !== undefined || typeof on === "function" || typeof subscribe === "function";
  return (
    typeof getReader === "function" || typeof toReadableStream === "function" || (typeof pipe === "function" && flows)
  );
}

/** Whether a member is a part of a value, and no tool for getting it. */
function isData(member: unknown): boolean {
  return ["string", "number", "boolean", "bigint"].includes(typeof member) || Array.isArray(member) || isPlain(member);
}

/** Looks for what lists and plain objects hold, such as a Promise that was not awaited. */
function inside(value: unknown): string | undefined {
  const known = new Set([value]);
  const holders: [path: string, holder: unknown][] = [["", value]];
  for (const [path, holder] of holders) {
    for (const [step, each] of seen(holder, members) ?? []) {
      const at = path === "" || step.startsWith("[") ? path + step : `${path}.${step}`;
      const what = pending(each);
      if (what !== undefined) {
        return `${what} at '${at.slice(0, 80)}'`;
      }
      if (typeof each === "object" && each !== null && !known.has(each)) {
        known.add(each);
        holders.push([at, each]);
      }
    }
  }
  return undefined;
}

function members(holder: object): (readonly [step: string, member: unknown])[] {
  if (Array.isArray(holder)) {
    return holder.map((item, i) => [`[${i}]`, item] as const);
  }
  return isPlain(holder) ? Object.entries(holder) : [];
}

/** Whether a value is an object of no class. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function seen<T>(value: unknown, look: (each: Record<string, unknown>) => T): T | undefined {
  try {
    return typeof value === "object" && value !== null ? look(value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
