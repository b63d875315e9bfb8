// A program that calls many keys, and that kills.test.ts kills with its servers. Each run of the action leaves a file.
import { closeSync, openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Call, Idem } from "../src/index.js";

const LANES = 4;
// Of a hundred kills some meet an action in any case. Of two, both should.
const ACT_MS = process.env.IDEM_LONG ? 5 : 60;
const [, , name = "", count = "", waitMs = "", effects = ""] = process.argv;
const idem = await Idem.open({ resendMs: 500, giveUpMs: 20_000 });
let runs = 0;

async function act(call: Call): Promise<string> {
  const value = `${call.key}-${process.pid}-${++runs}`;
  // A file for each effect, since a kill may cut a line that is being written.
  closeSync(openSync(`${effects}/${call.key}=${value}`, "wx"));
  await sleep(ACT_MS);
  return value;
}

async function work(lane: number): Promise<void> {
  for (let i = lane; i < Number(count); i += LANES) {
    const key = `${name}-${i}`;
    const call = () => idem.operation("kills", { key, waitMs: Number(waitMs) }).attempt(act);
    let outcome = await call();
    while (outcome.kind === "unavailable") {
      // Nothing ran: no server lived long enough to answer.
      outcome = await call();
    }
    writeSync(1, `told ${key} ${outcome.kind} ${"value" in outcome ? outcome.value : undefined}\n`);
  }
}

await Promise.all(Array.from({ length: LANES }, (_, lane) => work(lane)));
await idem.close();
