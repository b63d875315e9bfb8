// The driver around this client, as "Conformance" in docs/protocol.md describes it.
import { appendFileSync, existsSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import {
  happened,
  Idem,
  IdemError,
  NotExecuted,
  type OperationOptions,
  type Outcome,
  type Policy,
} from "../src/index.js";
import { parse, write } from "../src/json.js";

interface Job {
  readonly job: string;
  readonly scope: string;
  readonly operation: string;
  readonly key?: string | null;
  readonly identity?: unknown;
  readonly content?: unknown;
  readonly arguments?: unknown;
  readonly policy?: Record<string, unknown> | null;
  readonly wait_ms: number;
  readonly action: {
    readonly name: string;
    readonly ends: string;
    readonly value?: unknown;
    readonly until?: string | null;
  };
  readonly probe?: { readonly says: string; readonly value?: unknown } | null;
}

const env = process.env;
const effects = env.IDEM_EFFECTS ?? "";
const idem = await Idem.open({
  ledger: env.IDEM_LEDGER ?? "",
  command: JSON.parse(env.IDEM_SERVE ?? "[]") as string[],
  resendMs: Number(env.IDEM_RESEND_MS),
  giveUpMs: Number(env.IDEM_GIVE_UP_MS),
  settleMs: Number(env.IDEM_SETTLE_MS),
});

async function act(action: Job["action"], key: string): Promise<unknown> {
  appendFileSync(effects, `${action.name} ${key}\n`);
  while (action.until && !existsSync(action.until)) {
    if (!existsSync(effects)) {
      throw new Error("the scenario is over");
    }
    await sleep(10);
  }
  switch (action.ends) {
    case "definite_error":
      throw new NotExecuted("a definite error");
    case "other_error":
      throw new Error("the connection was reset");
    default:
      return action.value;
  }
}

function options(job: Job): OperationOptions {
  const policy = Object.entries(job.policy ?? {}).map(([name, value]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  const { probe } = job;
  const verdicts: Record<string, unknown> = {
    happened: happened(probe?.value ?? null),
    not_executed: NotExecuted,
    unknown: "unknown",
  };
  return {
    scope: job.scope,
    key: job.key ?? undefined,
    identity: job.identity ?? undefined,
    content: job.content ?? undefined,
    arguments: job.arguments ?? undefined,
    policy: Object.fromEntries(policy) as Policy,
    waitMs: job.wait_ms,
    probe: probe ? () => verdicts[probe.says] : undefined,
  };
}

function answer(outcome: Outcome<unknown>): { outcome: string; value: unknown; message: string } {
  const word = outcome.kind === "unrecorded" && outcome.stale ? "stale" : outcome.kind;
  const value = "value" in outcome ? (outcome.value ?? null) : null;
  return { outcome: word, value, message: "message" in outcome ? outcome.message : "" };
}

async function perform(job: Job): Promise<void> {
  let ended: { outcome: string; value: unknown; message: string };
  try {
    ended = answer(await idem.operation(job.operation, options(job)).attempt(call => act(job.action, call.key)));
  } catch (error) {
    const known = error instanceof IdemError;
    ended = { outcome: "error", value: null, message: known ? error.message : String((error as Error).stack) };
  }
  writeSync(1, `${write({ job: job.job, ...ended })}\n`);
}

for await (const line of createInterface({ input: process.stdin })) {
  void perform(parse(line) as unknown as Job);
}
process.exit(0);
