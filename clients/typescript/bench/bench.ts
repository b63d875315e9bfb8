// Measures calls from node on a SQLite ledger, over the pipe and over the socket. By hand: npm run build && npm run bench
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Idem } from "../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "idem-bench-"));
const rounds = Number(process.argv[2] ?? 3000);
const ledger = `sqlite:${join(folder, "bench.db")}`;
process.env.XDG_RUNTIME_DIR = folder;

function at(sorted: readonly number[], part: number): string {
  return `${(sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(3)} ms`;
}

async function timed(name: string, count: number, call: (i: number) => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await call(i);
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(cpu);
  const own = `${((user + system) / 1000 / count).toFixed(3)} ms`;
  times.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(34)} p50 ${at(times, 0.5)}  p90 ${at(times, 0.9)}  p99 ${at(times, 0.99)}  cpu of node ${own}  (${count} calls)`,
  );
}

async function measure(way: string): Promise<void> {
  const began = performance.now();
  const idem = await Idem.open(ledger);
  const about = await idem.about();
  console.log(
    `${way}: the server ${about.server} answered after ${(performance.now() - began).toFixed(0)} ms (${about.way})`,
  );
  const charge = (n: number, round: string) =>
    idem.operation("charge", { scope: way, identity: { customer: "cus_1", n, round } }).run(() => ({ id: `ch_${n}` }));
  for (const round of ["warm", "measured"]) {
    const count = round === "warm" ? rounds : rounds * 2;
    const shown = round === "warm" ? "" : " ";
    await timed(`${way}, ${round}: first call${shown}`, count, i => charge(i, round));
    await timed(`${way}, ${round}: replay${shown}`, count, i => charge(i, round));
  }
  for (const what of ["first calls", "replays"]) {
    const start = performance.now();
    await Promise.all(Array.from({ length: 1000 }, (_, i) => charge(i, "many")));
    const took = performance.now() - start;
    console.log(`${way}: 1,000 ${what} in flight took ${took.toFixed(0)} ms, ${(took / 1000).toFixed(3)} ms each`);
  }
  await idem.close();
}

try {
  await measure("pipe");
  const socket = join(folder, "idem", "serve.sock");
  const server = spawn(process.env.IDEM ?? "idem", ["serve", "--ledger", ledger], { stdio: "ignore" });
  try {
    while (!existsSync(socket) && server.exitCode === null) {
      await sleep(20);
    }
    await measure("socket");
  } finally {
    server.kill();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
