import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Idem, Refused } from "../src/index.js";
import { children, folder, gate, launcher, until } from "./support.js";

process.env.IDEM = launcher;
const socket = join(folder, "run", "idem", "serve.sock");
const ledger = `sqlite:${join(folder, "served.db")}`;
let server: ChildProcess;
let proxy: Server;
/** The methods that went through the proxy, each with its header of authorization. */
const requests: { method: string; token: string | undefined }[] = [];

before(async () => {
  server = spawn(launcher, ["serve", "--socket", socket, "--ledger", ledger], {
    stdio: "ignore",
    env: { ...process.env, IDEM_NO_BUILD: "1" },
  });
  await until("the socket", () => existsSync(socket) || server.exitCode !== null);
  proxy = createServer((incoming, outgoing) => {
    requests.push({ method: String(incoming.url).replace("/v1/", ""), token: incoming.headers.authorization });
    const passed = request(
      { socketPath: socket, path: incoming.url, method: incoming.method, headers: incoming.headers },
      answer => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>(resolve => proxy.listen(0, "127.0.0.1", resolve));
});

after(() => {
  server.kill("SIGKILL");
  proxy.closeAllConnections();
  proxy.close();
});

test("theUsersSocketIsUsedIfItServesTheSameLedger", async () => {
  const idem = await Idem.open(ledger);
  assert.equal(await idem.operation("charge", { key: "k" }).run(() => "value"), "value");
  assert.equal((await idem.operation("charge", { key: "k" }).attempt(() => "again")).kind, "replayed");
  assert.equal((await idem.about()).way, "socket");
  const many = await Promise.all(
    Array.from({ length: 100 }, (_, i) => idem.operation("charge", { key: `many-${i}` }).run(() => i)),
  );
  assert.deepEqual(
    many,
    Array.from({ length: 100 }, (_, i) => i),
  );
  await idem.close();
  const other = await Idem.open(`sqlite:${join(folder, "other.db")}`);
  assert.equal((await other.about()).way, "pipe");
  await other.close();
});

test("offThePipeTheClientRenewsWithItsTokenAndWaitsDoNotBlockSettles", async () => {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const idem = await Idem.open({ ledger, url, token: "secret-1" });
  assert.equal((await idem.about()).way, "url");
  const open = gate();
  let acting = false;
  const policy = { lease: "3s" };
  const call = idem.operation("charge", { key: "renewed", policy }).attempt(async () => {
    acting = true;
    await open.opened;
    return 1;
  });
  await until("the action", () => acting);
  // More waits than the pool of connections has, each with another policy so that they do not share.
  const waits = Array.from({ length: 50 }, (_, i) =>
    idem.operation("charge", { key: "renewed", policy: { ...policy, retention: `${i + 1}d` } }).attempt(() => 2),
  );
  await until("the waits", () => requests.filter(each => each.method === "wait").length >= 50);
  await until("renewals", () => requests.filter(each => each.method === "renew").length >= 2);
  open.open();
  assert.equal((await call).kind, "done");
  for (const each of await Promise.all(waits)) {
    assert.equal(each.kind, "replayed");
  }
  assert.ok(requests.every(each => each.token === "Bearer secret-1"));
  await idem.close();
});

test("aUrlWithAnotherLedgerIsRefused", async () => {
  const idem = await Idem.open({ ledger: `sqlite:${join(folder, "another.db")}`, url: `http+unix:${socket}` });
  await assert.rejects(
    idem.operation("charge", { key: "k" }).run(() => assert.fail("it ran")),
    (error: unknown) => error instanceof Refused && error.code === "mismatch",
  );
  await idem.close();
});

test("aSocketServerThatIsKilledDuringAnActionIsReplacedAtOnceAndTheTicketIsSettled", async () => {
  const idem = await Idem.open(ledger);
  const open = gate();
  let acting = false;
  const call = idem.operation("charge", { key: "killed" }).attempt(async () => {
    acting = true;
    await open.opened;
    return "value";
  });
  await until("the action", () => acting);
  assert.equal((await idem.about()).way, "socket");
  server.kill("SIGKILL");
  await until("the end of the server", () => server.signalCode !== null);
  if (process.platform === "linux") {
    // Nothing is called meanwhile: the client sees by itself that its connection has ended.
    await until("a server of its own", () => children(process.pid).length > 0, 5000);
  }
  open.open();
  assert.equal((await call).kind, "done");
  const again = await idem.operation("charge", { key: "killed" }).attempt(() => assert.fail("it ran twice"));
  assert.equal(again.kind, "replayed");
  await idem.close();
});
