// Programs that a test starts, kills and looks at. The first argument says which one.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { Idem } from "../src/index.js";

const [, , mode = "", gate = ""] = process.argv;
const say = (word: string) => process.stdout.write(`${word}\n`);

async function untilGate(): Promise<string> {
  while (!existsSync(gate)) {
    await sleep(10);
  }
  return "value";
}

async function main(): Promise<void> {
  const idem = await Idem.open();
  const call = (key: string, wait = 0) => idem.operation("work", { key, waitMs: wait });
  switch (mode) {
    case "killed": {
      let began = () => {};
      const acting = new Promise<void>(resolve => {
        began = resolve;
      });
      void call("killed").run(() => {
        began();
        return untilGate();
      });
      await acting;
      // The server is busy with a wait when this process is killed.
      void idem.operation("work", { key: "killed", waitMs: 60_000, policy: { lease: "29s" } }).attempt(() => "again");
      say("acting");
      break;
    }
    case "interrupted": {
      process.on("SIGINT", () => say("interrupted"));
      const value = await call("interrupted").run(() => {
        say("acting");
        return untilGate();
      });
      say(value);
      // No close: an idle client lets the process end.
      break;
    }
    case "exits":
      await call("exits").run(() => "value");
      for (let i = 0; i < 5000; i++) {
        void call(`unfinished-${i}`).attempt(() => "value");
      }
      process.exit(0);
      break;
    case "worker": {
      const worker = new Worker(new URL(import.meta.url), { argv: ["worker"] });
      const message = new Promise<string>(resolve => worker.once("message", resolve));
      const main = await call("of-the-main-thread").run(() => "main");
      const way = await message;
      say(`${main} ${way}`);
      await untilGate();
      await worker.terminate();
      say((await call("of-the-main-thread").attempt(() => "again")).kind);
      say("terminated");
      setInterval(() => {}, 1000);
      break;
    }
  }
}

async function inWorker(): Promise<void> {
  const idem = await Idem.open();
  const value = await idem.operation("work", { key: "of-a-worker" }).run(() => "worker");
  parentPort?.postMessage(`${value} ${(await idem.about()).way}`);
  setInterval(() => {}, 1000);
}

await (isMainThread ? main() : inWorker());
