import { Refused } from "./errors.js";
import { checkOptions, type Names } from "./options.js";

/** A time: milliseconds, or a text such as `30s`, `5m`, `24h`, `7d` or `PT5M`. */
export type Duration = number | string;

/** The rules for a call; see "A policy" in docs/configuration.md. */
export interface Policy {
  /** What the action does to the world; `write`. A `read` just runs. */
  readonly sideEffect?: "read" | "idempotent" | "write" | "destructive";
  /** How long a ticket is trusted without a heartbeat; 30 s. */
  readonly lease?: Duration;
  /** How long the action may act; 5 min. */
  readonly timeLimit?: Duration;
  /** How long to wait for a running duplicate; 10 s. A destructive call never waits. */
  readonly wait?: Duration;
  /** How long a result answers duplicates; 7 days. */
  readonly retention?: Duration;
  /** How long the key answers "expired" after that. */
  readonly tombstone?: Duration;
  /** What happens to an entry in doubt. */
  readonly onDoubt?: "halt" | "probe" | "rerun";
  /** How long the remote may still work on the request of a doubted attempt. */
  readonly probeGrace?: Duration;
  /** The remote that deduplicates by the key, such as `stripe` or `our bank 24h`. */
  readonly passesKeyTo?: string;
  /** Whether a failure answers duplicates. */
  readonly keepFailures?: boolean;
  /** Whether the action leaves a mark before it acts. */
  readonly staged?: boolean;
  /** What happens to a duplicate with other content; `warn`. */
  readonly reworded?: "warn" | "conflict" | "ignore";
  /** Whether a call whose entry is complete gets the stored result, or runs; `replay`. */
  readonly repeat?: "replay" | "run";
  /** Whether a person must approve each call. */
  readonly approval?: boolean;
}

/** What a value of each option may be: one of some words, a duration, a flag, or any text. */
const VALUES: Readonly<Record<keyof Policy, readonly string[] | "duration" | "flag" | "text">> = {
  sideEffect: ["read", "idempotent", "write", "destructive"],
  lease: "duration",
  timeLimit: "duration",
  wait: "duration",
  retention: "duration",
  tombstone: "duration",
  onDoubt: ["halt", "probe", "rerun"],
  probeGrace: "duration",
  passesKeyTo: "text",
  keepFailures: "flag",
  staged: "flag",
  reworded: ["warn", "conflict", "ignore"],
  repeat: ["replay", "run"],
  approval: "flag",
};
const NAMES = Object.fromEntries(Object.keys(VALUES).map(name => [name, true])) as Names<Policy>;
const DEFAULT_WAIT_MS = 10_000;

/** Refuses what the server would refuse at the first call, in the spelling of this package. */
export function checkPolicy(operation: string, policy: Policy): void {
  const what = `the policy of '${operation}'`;
  checkOptions(what, policy, NAMES);
  for (const [name, value] of Object.entries(policy)) {
    const wrong = value === undefined ? undefined : whyWrong(VALUES[name as keyof Policy], value);
    if (wrong !== undefined) {
      throw new Refused(`${what}: ${name}: '${value}' is ${wrong}`);
    }
  }
  if (policy.sideEffect === "read" && policy.approval === true) {
    throw new Refused(
      `${what}: a read runs without asking, so its approval would be ignored; remove the approval, or declare sideEffect: "write"`,
    );
  }
}

function whyWrong(kind: (typeof VALUES)[keyof Policy], value: unknown): string | undefined {
  if (Array.isArray(kind)) {
    return kind.includes(value) ? undefined : `not one of ${kind.join(", ")}`;
  } else if (kind === "duration") {
    return millis(value) === undefined
      ? "no duration; write for instance 500ms, 30s, 5m, 24h or 7d, or a whole number of milliseconds"
      : undefined;
  }
  return kind !== "flag" || typeof value === "boolean" ? undefined : "neither true nor false";
}

/** A policy as the server reads it. */
export function policyMembers(policy: Policy): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(policy)) {
    if (value !== undefined) {
      const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
      members[snake] = typeof value === "number" ? `${value}ms` : value;
    }
  }
  return members;
}

/** How long a call may wait for another attempt. */
export function waitMs(policy: Policy): number {
  if (policy.sideEffect === "destructive") {
    return 0;
  }
  return policy.wait === undefined ? DEFAULT_WAIT_MS : (millis(policy.wait) ?? DEFAULT_WAIT_MS);
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function millis(duration: unknown): number | undefined {
  if (typeof duration === "number") {
    return Number.isSafeInteger(duration) && duration >= 0 ? duration : undefined;
  } else if (typeof duration !== "string") {
    return undefined;
  }
  const [, count = "", unit = ""] = /^(\d+)\s*(ms|s|m|h|d)$/.exec(duration.trim()) ?? [];
  if (count !== "") {
    return Number(count) * (UNITS[unit] ?? 0);
  }
  const iso = /^P(?=.)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(duration.trim());
  const [days, hours, minutes, seconds] = (iso ?? []).slice(1).map(each => Number(each ?? 0));
  return iso ? (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60_000 + (seconds ?? 0) * 1000 : undefined;
}
