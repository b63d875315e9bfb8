// Programs and servers are killed under load: nothing runs twice, nothing is told wrongly. IDEM_LONG=1 kills 200 times.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Idem } from "../src/index.js";
import { children, folder, launcher, until } from "./support.js";

process.env.IDEM = launcher;
const skip = process.platform === "linux" ? false : "it looks into /proc";
const KILLS = process.env.IDEM_LONG ? 100 : 2;
const KEYS_OF_A_KILL = 40;
const LANES = 4;
const LONG_END_MS = 600_000;

const programs: ChildProcess[] = [];
after(() => programs.forEach(each => void each.kill("SIGKILL")));

/** Programs on one ledger, their effects, and what they were told. */
class Kills {
  readonly ledger: string;
  readonly #effects: string;
  readonly #outputs: string[] = [];

  constructor(
    private readonly name: string,
    private readonly count: number,
  ) {
    this.ledger = `sqlite:${join(folder, `${name}.db`)}`;
    this.#effects = join(folder, `effects-${name}`);
    mkdirSync(this.#effects);
  }

  start(waitMs: number): ChildProcess {
    const output = join(folder, `${this.name}-${this.#outputs.length}.out`);
    const out = openSync(output, "wx");
    const args = [new URL("./killed.js", import.meta.url).pathname, this.name, this.count, waitMs, this.#effects];
    const child = spawn(process.execPath, args.map(String), {
      stdio: ["ignore", out, "inherit"],
      env: { ...process.env, IDEM_LEDGER: this.ledger },
    });
    closeSync(out);
    programs.push(child);
    this.#outputs.push(output);
    return child;
  }

  /** The value that each run of an action has left, by its key. */
  ran(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const file of readdirSync(this.#effects)) {
      const [key = "", value = ""] = file.split("=");
      found.set(key, [...(found.get(key) ?? []), value]);
    }
    return found;
  }

  get effects(): number {
    return readdirSync(this.#effects).length;
  }

  /** Kills nothing before there are more effects. */
  async acts(effects: number, program: ChildProcess): Promise<void> {
    const before = this.effects;
    await until("an effect", () => this.effects >= before + effects || hasEnded(program));
    await sleep(Math.random() * 30);
  }

  /** Compares what was told and what is stored with the effects; gives how many keys are in doubt. */
  async check(): Promise<number> {
    const ran = this.ran();
    for (const [key, values] of ran) {
      assert.equal(values.length, 1, `the action of ${key} ran twice`);
    }
    const told = this.#outputs.flatMap(file => readFileSync(file, "utf8").split("\n").slice(0, -1));
    for (const line of told) {
      const [, key = "", kind = "", value = ""] = line.split(" ");
      if (kind === "done" || kind === "replayed") {
        assert.deepEqual([value], ran.get(key), line);
      } else {
        assert.equal(kind, "in_doubt", line);
      }
    }
    const idem = await Idem.open(this.ledger);
    let doubts = 0;
    for (let i = 0; i < this.count; i++) {
      const key = `${this.name}-${i}`;
      const outcome = await idem
        .operation("kills", { key, waitMs: 0 })
        .attempt(() => assert.fail(`the action of ${key} ran again`));
      if (outcome.kind === "replayed") {
        assert.deepEqual([outcome.value], ran.get(key));
      } else {
        assert.equal(outcome.kind, "in_doubt", `${key}: ${outcome.kind}`);
        doubts++;
      }
    }
    await idem.close();
    const figures = { programs: this.#outputs.length, calls: told.length, effects: this.effects, doubts };
    console.log(`${this.name}: ${JSON.stringify(figures)}`);
    return doubts;
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function endsWell(program: ChildProcess): Promise<void> {
  await until("the end of the program", () => hasEnded(program), LONG_END_MS);
  assert.equal(program.exitCode, 0);
}

test("killedProgramsLeaveDoubtsAtOnceAndNothingRunsTwice", { skip }, async () => {
  const kills = new Kills("programs", KILLS * KEYS_OF_A_KILL);
  // A killed program is known to be gone, so that nothing has to be waited for.
  for (let i = 0; i < KILLS; i++) {
    const program = kills.start(0);
    await kills.acts(1, program);
    assert.ok(program.kill("SIGKILL"), "the program ended before its kill");
    await until("its end", () => hasEnded(program));
  }
  await endsWell(kills.start(0));
  const doubts = await kills.check();
  assert.ok(doubts > 0 && doubts <= KILLS * LANES, `${doubts} doubts`);
});

test("killedServersLeaveNoDoubtInAProgramThatLives", { skip }, async () => {
  const count = KILLS * KEYS_OF_A_KILL;
  const kills = new Kills("servers", count);
  const program = kills.start(30_000);
  for (let i = 0; i < KILLS; i++) {
    // More than the server before it had granted.
    await kills.acts(LANES + 1, program);
    const [server] = children(program.pid ?? 0);
    assert.ok(server, "the program ended before the kills");
    process.kill(server, "SIGKILL");
  }
  await endsWell(program);
  assert.equal(await kills.check(), 0);
  assert.equal(kills.effects, count);
});
