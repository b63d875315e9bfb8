import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";
import { Moment } from "../src/clocks.js";
import { Idem, LedgerUnavailable, Refused } from "../src/index.js";
import { masked, settings } from "../src/settings.js";
import { folder } from "./support.js";

test("theLedgerIsMadeAbsoluteOnce", () => {
  const here = process.cwd();
  const ledger = (url: string) => settings({ ledger: url }, {}).ledger;
  assert.equal(ledger("sqlite:rel.db?busy=5s"), `sqlite:${join(here, "rel.db")}?busy=5s`);
  assert.equal(ledger("jsonl:/a/b.jsonl"), "jsonl:/a/b.jsonl");
  assert.equal(ledger("memory:"), "memory:");
  assert.equal(ledger("postgresql://ann@db/shop"), "postgresql://ann@db/shop");
  assert.equal(settings({}, { IDEM_LEDGER: "sqlite:x.db" }).ledger, `sqlite:${join(here, "x.db")}`);
  const state = mkdtempSync(join(folder, "state-"));
  assert.equal(settings({}, { XDG_STATE_HOME: state }).ledger, `sqlite:${state}/idem/idem.db`);
  assert.ok(statSync(join(state, "idem")).isDirectory());
  assert.throws(() => ledger("orders.db"), Refused);
});

test("theServerIsFoundByUrlSocketAndCommand", () => {
  const endpoint = (url: string) => settings({ ledger: "memory:", url }, {}).endpoint;
  assert.deepEqual(endpoint("http+unix:/run/a%20b.sock"), { socket: "/run/a b.sock" });
  assert.deepEqual(settings({ ledger: "memory:" }, { IDEM_URL: "https://x:1", IDEM_TOKEN: "t" }).endpoint, {
    url: new URL("https://x:1"),
    token: "t",
  });
  assert.throws(() => endpoint("ftp://x"), Refused);
  const socket = (env: Record<string, string>) => settings({ ledger: "sqlite:/a.db" }, env).socket;
  assert.equal(socket({ IDEM_SOCKET: "/s" }), "/s");
  assert.equal(socket({ XDG_RUNTIME_DIR: "/run/me" }), "/run/me/idem/serve.sock");
  assert.equal(socket({ XDG_STATE_HOME: "/st" }), "/st/idem/serve.sock");
  assert.equal(socket({}), join(homedir(), ".local/state/idem/serve.sock"));
  assert.equal(settings({ ledger: "memory:" }, {}).socket, undefined);
  const command = (given: string | string[]) => settings({ ledger: "memory:", command: given }, {}).command;
  assert.deepEqual(command("idem"), ["idem", "serve", "--stdio"]);
  assert.deepEqual(command("./idem"), [join(process.cwd(), "idem"), "serve", "--stdio"]);
  assert.deepEqual(command(["java", "-jar", "x"]), ["java", "-jar", "x"]);
});

test("secretsAreInNoMessage", async () => {
  assert.equal(
    masked("postgresql://ann:secret@db/shop?sslpassword=geheim&a=b"),
    "postgresql://ann:***@db/shop?sslpassword=***&a=b",
  );
  assert.equal(masked("postgresql://ann:p@ss:w/rd@db/shop"), "postgresql://ann:***@db/shop");
  const failing = join(folder, "failing");
  writeFileSync(failing, '#!/bin/sh\necho "idem: can not open $IDEM_LEDGER" >&2\nexit 83\n', { mode: 0o755 });
  const idem = await Idem.open({ ledger: "postgresql://ann:geheim@db/shop", command: failing, token: "geheim" });
  const error = await idem
    .operation("x", { key: "k" })
    .run(() => 1)
    .catch(error => error);
  assert.ok(error instanceof LedgerUnavailable && /can not open/.test(error.message));
  assert.doesNotMatch(`${error.stack}${JSON.stringify(error)}${JSON.stringify(idem)}`, /geheim/);
});

test("aServerThatCantBeStartedIsOneSentenceAtOnce", async () => {
  const began = Date.now();
  const missing = await Idem.open({ ledger: "memory:", command: "/nonexistent/idem" });
  await assert.rejects(
    missing.operation("x", { key: "k" }).run(() => assert.fail("it ran")),
    (error: unknown) => error instanceof LedgerUnavailable && /set the variable IDEM/.test(error.message),
  );
  const failing = join(folder, "no-java");
  writeFileSync(failing, '#!/bin/sh\necho "idem: no java found; install a JDK" >&2\nexit 127\n', { mode: 0o755 });
  const unbuilt = await Idem.open({ ledger: "memory:", command: failing });
  const outcome = await unbuilt.operation("x", { key: "k" }).attempt(() => assert.fail("it ran"));
  assert.ok(outcome.kind === "unavailable" && /no java found; install a JDK/.test(outcome.message), outcome.kind);
  assert.ok(Date.now() - began < 5000);
  assert.ok(realpathSync(folder));
});

test("anErrorPointsAtTheLineOfItsCallerAndPrintsInFewLines", async () => {
  const idem = await Idem.open({ ledger: "memory:", command: "/nonexistent/idem" });
  async function order(): Promise<unknown> {
    return await idem.operation("charge", { key: "k" }).run(() => 1);
  }
  const error = await order().catch((thrown: Error) => thrown);
  assert.ok(error instanceof LedgerUnavailable);
  assert.match(
    error.stack ?? "",
    /^LedgerUnavailable: .*Nothing ran\n( +at process\..*\n)? +at async order \(.*settings\.test/,
  );
  assert.doesNotMatch(inspect(error), /answer/);
});

test("theEarlierClockCounts", () => {
  const clocks = { mono: 0, day: 0, monotonic: () => clocks.mono, wall: () => clocks.day };
  const end = Moment.now(clocks).plus(1000);
  clocks.mono = 400;
  assert.equal(end.leftMs(), 600);
  // The machine slept, and the monotonic clock stood still.
  clocks.day = 5000;
  assert.ok(end.isOver());
  clocks.day = -5000;
  clocks.mono = 1000;
  assert.ok(end.isOver());
});
