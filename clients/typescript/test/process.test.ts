import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { Idem, IdemError, Refused } from "../src/index.js";
import { children, folder, gate, isAlive, launcher, parentAndGroup, until } from "./support.js";

const skip = process.platform === "linux" ? false : "it looks into /proc";
const slow = skip || (process.env.IDEM_LONG ? false : "other tests show the most of it; set IDEM_LONG=1");
process.env.IDEM = launcher;
process.env.IDEM_LEDGER = `sqlite:${join(folder, "shared.db")}`;
const idem = await Idem.open();
after(() => idem.close());

/** A test that fails leaves no program behind. */
const programs: ChildProcess[] = [];
after(() => programs.forEach(each => void each.kill("SIGKILL")));

/** A program that runs, with what it has said. */
class Program {
  readonly child: ChildProcess;
  readonly gate: string;
  said = "";

  constructor(mode: string) {
    this.gate = join(folder, `gate-${mode}`);
    const file = new URL("./program.js", import.meta.url).pathname;
    this.child = spawn(process.execPath, [file, mode, this.gate], {
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    programs.push(this.child);
    this.child.stdout?.on("data", chunk => {
      this.said += chunk;
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  says(words: string): Promise<void> {
    return until(`'${words}'`, () => this.said.includes(words) || this.child.exitCode !== null);
  }

  ended(): Promise<void> {
    return until("the end of the program", () => this.child.exitCode !== null || this.child.signalCode !== null);
  }

  open(): void {
    writeFileSync(this.gate, "");
  }
}

async function gone(pids: readonly number[]): Promise<void> {
  await until(`the end of the servers ${pids}`, () => !pids.some(isAlive), 20_000);
}

async function stateOf(key: string): Promise<string | undefined> {
  return (await idem.find({ operation: "work", key }))?.state;
}

test("aParentThatIsKilledLeavesNoServerAndADoubtAtOnce", { skip }, async () => {
  const program = new Program("killed");
  await program.says("acting");
  const servers = children(program.pid);
  assert.equal(servers.length, 1);
  process.kill(program.pid, "SIGKILL");
  await program.ended();
  const next = await idem.operation("work", { key: "killed", waitMs: 0 }).attempt(() => assert.fail("it ran twice"));
  assert.equal(next.kind, "in_doubt");
  await gone(servers);
});

test("ctrlCDoesNotReachTheServerAndAnIdleClientLetsNodeEnd", { skip }, async () => {
  const program = new Program("interrupted");
  await program.says("acting");
  const servers = children(program.pid);
  assert.equal(servers.length, 1);
  assert.ok(
    !servers.some(each => parentAndGroup(each)[1] === program.pid),
    "the server is in the group of the program",
  );
  process.kill(-program.pid, "SIGINT");
  await program.says("interrupted");
  assert.deepEqual(children(program.pid), servers, "the server ended with Ctrl-C");
  program.open();
  await program.ended();
  assert.match(program.said, /value/);
  assert.equal(program.child.exitCode, 0);
  assert.equal(await stateOf("interrupted"), "complete");
  await gone(servers);
});

test("processExitRightAfterACallLosesNothingThatWasTold", { skip }, async () => {
  const program = new Program("exits");
  await program.ended();
  assert.equal(program.child.exitCode, 0);
  assert.equal(await stateOf("exits"), "complete");
  // A call that was under way is in doubt, was not begun, or is complete; none stays in progress.
  await until("the end of what was under way", async () => {
    const { entries } = (await idem.look("browse", { states: ["in_progress"], operation: "work" })) as {
      entries: unknown[];
    };
    return entries.length === 0;
  });
});

test("aWorkerThreadHasAServerOfItsOwnThatEndsWithIt", { skip: slow }, async () => {
  const program = new Program("worker");
  await program.says("main worker pipe");
  const servers = children(program.pid);
  assert.equal(servers.length, 2);
  program.open();
  await program.says("terminated");
  assert.match(program.said, /replayed/);
  await until("the end of the worker's server", () => children(program.pid).length === 1, 20_000);
  process.kill(program.pid, "SIGKILL");
  await program.ended();
  await gone(servers);
});

test("aKilledServerIsStartedAgainAtOnceWithTheSameLedgerAndTheTicketIsSettled", { skip }, async () => {
  const home = process.cwd();
  const [here, elsewhere] = [join(folder, "here"), join(folder, "elsewhere")];
  mkdirSync(here);
  mkdirSync(elsewhere);
  process.chdir(here);
  const own = await Idem.open("sqlite:relative.db");
  const others = children(process.pid);
  try {
    const open = gate();
    let acting = false;
    const call = own.operation("work", { key: "restart" }).attempt(async () => {
      acting = true;
      await open.opened;
      return "value";
    });
    await until("the action", () => acting);
    const server = () => children(process.pid).filter(each => !others.includes(each));
    const [first] = server();
    assert.ok(first);
    process.chdir(elsewhere);
    process.kill(first, "SIGKILL");
    await until("another server", () => server().length === 1 && server()[0] !== first);
    open.open();
    assert.equal((await call).kind, "done");
    const replayed = await own.operation("work", { key: "restart" }).attempt(() => assert.fail("it ran twice"));
    assert.equal(replayed.kind, "replayed");
    assert.deepEqual(readdirSync(elsewhere), []);
    const last = server();
    await own.close();
    assert.ok(!last.some(isAlive), "close left the server behind");
    await assert.rejects(
      own.operation("work", { key: "x" }).run(() => 1),
      /closed/,
    );
  } finally {
    process.chdir(home);
    await own.close();
  }
});

test("anotherLedgerAfterARestartIsAnError", { skip }, async () => {
  const file = join(folder, "replaced.db");
  const others = children(process.pid);
  const own = await Idem.open(`sqlite:${file}`);
  const same = await Idem.open(`sqlite:${file}`);
  assert.equal(await own.operation("work", { key: "k" }).run(() => 1), 1);
  assert.equal(await same.operation("work", { key: "k" }).run(() => 2), 1);
  const servers = children(process.pid).filter(each => !others.includes(each));
  assert.equal(servers.length, 1, "two objects with one ledger share one server");
  for (const suffix of ["", "-wal", "-shm"]) {
    rmSync(file + suffix, { force: true });
  }
  process.kill(servers[0] as number, "SIGKILL");
  await gone(servers);
  await assert.rejects(
    own.operation("work", { key: "k" }).run(() => assert.fail("it ran twice")),
    (error: unknown) => error instanceof Refused && error.code === "mismatch",
  );
  await own.close();
  await same.close();
});

test("aKilledServerOfMemoryIsAnError", { skip }, async () => {
  const others = children(process.pid);
  const own = await Idem.open("memory:");
  const open = gate();
  let acting = false;
  const running = own.operation("work", { key: "running" }).attempt(async () => {
    acting = true;
    await open.opened;
    return 1;
  });
  await until("the action", () => acting);
  const servers = children(process.pid).filter(each => !others.includes(each));
  process.kill(servers[0] as number, "SIGKILL");
  await gone(servers);
  await assert.rejects(
    own.operation("work", { key: "k" }).run(() => assert.fail("it ran")),
    IdemError,
  );
  open.open();
  const outcome = await running;
  assert.ok(outcome.kind === "unrecorded" && outcome.value === 1, outcome.kind);
  await own.close();
});
