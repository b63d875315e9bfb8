import { Refused } from "./errors.js";
import { wellFormed } from "./json.js";

/** All names of an options object. The compiler knows if one is missing, or is none. */
export type Names<T> = Readonly<Record<keyof T & string, true>>;

/** Refuses a name that an options object does not have: a misspelt rule would be no rule. */
export function checkOptions(what: string, given: object, known: Readonly<Record<string, true>>): void {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known);
      const meant = nearest(name, names);
      const instead = meant === undefined ? `there are ${names.join(", ")}` : `did you mean '${meant}'?`;
      throw new Refused(`${what}: there is no option '${name}'; ${instead}`);
    }
  }
}

/** A value, or what a function gives for this call; perhaps only later. */
export type Later<T> = T | Promise<T>;

/** Whether a value can name a user, a task or a key: two that are blank, or no text, would be one. */
export function isName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && wellFormed(value) === value;
}

/** Refuses what is no name; `instead` says what to give. */
export function requireName(what: string, value: unknown, instead: string): string {
  if (isName(value)) {
    return value;
  }
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  const is =
    typeof value !== "string"
      ? `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}, not a text`
      : value.trim() === ""
        ? "blank"
        : "a text with half a surrogate pair";
  throw new Refused(`${what} is ${is}. ${instead}. Nothing ran`);
}

/** The name that was probably meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = (each: string) => each.toLowerCase().replace(/[_-]/g, "");
  const near = known
    .map(each => ({ each, steps: distance(plain(name), plain(each)) }))
    .filter(({ each, steps }) => steps <= Math.max(1, Math.floor(each.length / 3)))
    .sort((one, other) => one.steps - other.steps);
  return near[0]?.each;
}

/** How many letters have to be added, removed or changed. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...one].entries()) {
    const row = [i + 1];
    for (let j = 1; j <= other.length; j++) {
      const changed = (above[j - 1] ?? 0) + (letter === other[j - 1] ? 0 : 1);
      row.push(Math.min(changed, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[other.length] ?? 0;
}
