import type { Definite } from "./definite.js";
import { Refused } from "./errors.js";
import type { Probe } from "./spec.js";
import type { Codec } from "./values.js";

const ASYNC = "an async function";
const KINDS: Readonly<Record<string, string>> = {
  AsyncFunction: ASYNC,
  GeneratorFunction: "a generator function",
  AsyncGeneratorFunction: "an async generator function",
};

/** The kind of a function that is not a plain one, as far as it can be seen. */
function kindOf(given: unknown): string | undefined {
  return KINDS[Object.prototype.toString.call(given).slice(8, -1)];
}

/** Refuses a generator function: a call of it gives a generator, and has run nothing of its body. */
export function requireNoGenerator(what: string, given: unknown): void {
  const kind = kindOf(given);
  if (kind !== undefined && kind !== ASYNC) {
    throw new Refused(
      `${what} is ${kind}, and calling one runs nothing of it. Give a plain or an async function, and return the value ` +
        "instead of yielding it",
    );
  }
}

/** Refuses a function that does not give its value at once. */
export function requireAtOnce(what: string, given: unknown): void {
  const kind = kindOf(given);
  if (kind !== undefined) {
    throw new Refused(`${what} is ${kind}, but its value is needed at once. Give a plain function`);
  }
}

/** The functions of an operation, of a function whose calls happen once, or of a tool. */
interface Callbacks {
  readonly scope?: unknown;
  readonly key?: unknown;
  readonly identity?: unknown;
  readonly content?: unknown;
  readonly labels?: unknown;
  readonly arguments?: unknown;
  readonly probe?: Probe | undefined;
  readonly definite?: Definite | undefined;
  readonly codec?: Codec<unknown> | undefined;
}

/** Refuses functions whose answer would be a Promise or a generator where another one counts. */
export function checkCallbacks(operation: string, given: Callbacks): void {
  const of = `of '${operation}'`;
  requireNoGenerator(`the scope ${of}`, given.scope);
  for (const name of ["key", "identity", "content", "labels", "arguments"] as const) {
    requireAtOnce(`the ${name} ${of}`, given[name]);
  }
  requireAtOnce(`the codec's encode ${of}`, given.codec?.encode);
  requireAtOnce(`the codec's decode ${of}`, given.codec?.decode);
  requireNoGenerator(`the probe ${of}`, given.probe);
  if (given.probe !== undefined && typeof given.probe !== "function") {
    throw new Refused(`the probe ${of} is not a function. Write probe: async doubted => …`);
  }
  checkDefinite(of, given.definite);
}

/** Refuses what can't decide whether an error proves that nothing happened. */
export function checkDefinite(of: string, rule: Definite | undefined): void {
  const instead =
    "Give a function that returns true or false at once, a class of errors, or a list of classes of errors";
  const refused = (is: string) => new Refused(`the definite ${of} is ${is}. ${instead}`);
  if (rule === undefined) {
    return;
  }
  if (Array.isArray(rule)) {
    if (!rule.every(isErrorClass)) {
      throw refused("a list with something that is no class of errors");
    }
  } else if (typeof rule !== "function") {
    throw refused("neither a function nor a class of errors");
  } else if (kindOf(rule) !== undefined) {
    throw refused(`${kindOf(rule)}, whose answer is never true`);
  } else if (!isErrorClass(rule) && /^class\b/.test(Function.prototype.toString.call(rule))) {
    throw refused("a class whose instances are no errors");
  }
}

/** Whether instances of a function are errors. */
export function isErrorClass(given: unknown): boolean {
  return typeof given === "function" && (given === Error || given.prototype instanceof Error);
}
