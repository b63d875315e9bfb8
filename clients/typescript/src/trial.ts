import type { Connection } from "./connection.js";
import { context, inContext } from "./context.js";
import { requireName } from "./options.js";
import type { Sharing } from "./sharing.js";

/** The ledger that all calls use while an agent is tried in this process, and the beginning of their scopes there. */
export interface Trial {
  readonly connection: Connection;
  readonly sharing: Sharing;
  readonly prefix: string;
}

let running: Trial | undefined;

/** The trial that this code belongs to. Code whose context was lost belongs to the one that runs now. */
export function currentTrial(): Trial | undefined {
  return context().trial ?? running;
}

/** The scope that a user has given, of an operation where it is known. */
export function requireScope(scope: unknown, operation?: string): string {
  const what = operation === undefined ? "the scope of the call" : `the scope of '${operation}'`;
  return requireName(what, scope, 'Give the task as a text that is not blank, such as "order-7"');
}

/** A scope as the current trial has it. */
export function scopeHere(scope: string): string {
  const prefix = currentTrial()?.prefix ?? "";
  return scope.startsWith(prefix) ? scope : prefix + scope;
}

/** Lets every Idem of this process use the ledger of the trial while `body` runs. */
export async function inTrial<T>(trial: Trial, body: () => T | Promise<T>): Promise<T> {
  running = trial;
  try {
    return await inContext({ trial }, body);
  } finally {
    running = undefined;
  }
}
