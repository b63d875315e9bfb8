import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Express } from "express";
import type { Hono } from "hono";
import { guardTool, type ToolAnswer } from "idem-once";
import { begin, end, payments } from "./docs-world.js";
import { idem, newTask, order } from "./shop.js";

const compiled = fileURLToPath(new URL(".", import.meta.url));
const page = readFileSync(join(compiled, "..", "typescript.md"), "utf8");

/** A pattern for a text in which … stands for anything. */
function pattern(text: string): RegExp {
  const parts = text.split("…").map(each => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]*?")}$`);
}

describe("docs/typescript.md", () => {
  after(end);

  for (const file of readdirSync(compiled)
    .filter(name => /^block-\d+\.js$/.test(name))
    .sort()) {
    it(`runs${file.replace(/^b|-|\.js$/g, letter => (letter === "b" ? "B" : ""))}OnceThoughItsModelAsksTwice`, async () => {
      const source = readFileSync(join(compiled, file), "utf8");
      if (source.includes('from "node:test"')) {
        const { NODE_TEST_CONTEXT: _, ...env } = process.env;
        const { status, stdout } = spawnSync(process.execPath, ["--test", join(compiled, file)], {
          env,
          timeout: 60_000,
          encoding: "utf8",
        });
        assert.equal(status, 0, stdout);
        return;
      }
      begin();
      const block = (await import(join(compiled, file))) as { app?: Express | Hono; server?: McpServer };
      if (block.app !== undefined) {
        await sendTwice(block.app);
      } else if (block.server !== undefined) {
        await callTwice(block.server);
      }
      const charges = source.includes("payments.charge(") ? 1 : 0;
      assert.equal(payments.charges, charges);
    });
  }

  async function sendTwice(app: Express | Hono): Promise<void> {
    const init = (path: string) => ({
      url: path,
      method: "POST",
      headers: { "content-type": "application/json", "x-user": "ann", "idempotency-key": newTask() },
      body: JSON.stringify(order),
    });
    if ("fetch" in app) {
      const sent = init("http://shop/orders/charge");
      assert.equal((await app.fetch(new Request(sent.url, sent))).status, 201);
      assert.equal((await app.fetch(new Request(sent.url, sent))).headers.get("idempotent-replayed"), "true");
      return;
    }
    const http = createServer(app);
    await new Promise<void>(resolve => http.listen(0, "127.0.0.1", resolve));
    const sent = init(`http://127.0.0.1:${(http.address() as AddressInfo).port}/orders`);
    assert.equal((await fetch(sent.url, sent)).status, 201);
    assert.equal((await fetch(sent.url, sent)).headers.get("idempotent-replayed"), "true");
    http.close();
    http.closeAllConnections();
  }

  async function callTwice(server: McpServer): Promise<void> {
    const [one, other] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "host", version: "1.0" });
    await Promise.all([server.connect(one), client.connect(other)]);
    await client.callTool({ name: "charge", arguments: order });
    await client.callTool({ name: "charge", arguments: order });
  }

  it("showsWhatItsProgramsPrint", () => {
    const folder = join(compiled, "start");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [, file = "", text = ""] of page.matchAll(/^```js file=(\S+)\n(.*?)^```/gms)) {
      writeFileSync(join(folder, file), text);
    }
    const blocks = [...page.matchAll(/^```text run\n(.*?)^```/gms)].map(found => found[1] ?? "");
    assert.equal(blocks.length, 4);
    for (const block of blocks) {
      const commands = block.split("\n").filter(line => line.startsWith("$ "));
      const script = commands.map(line => `echo '${line.replaceAll("'", "'\\''")}'; ${line.slice(2)}`).join("\n");
      const { stdout } = spawnSync("sh", ["-c", `exec 2>&1\n${script}`], {
        cwd: folder,
        timeout: 60_000,
        encoding: "utf8",
      });
      assert.match(stdout, pattern(block));
    }
  });

  it("namesTheVersionsThatTheseTestsRunOn", () => {
    const installed = JSON.parse(readFileSync(join(compiled, "..", "..", "package.json"), "utf8"));
    const named = [...page.matchAll(/(?<=[ `])(@?[a-z/-]+)@(\d+\.\d+\.\d+)/g)].map(found => [found[1], found[2]]);
    const { axios: _, express: __, hono: ___, ai6, ...versions } = installed.dependencies;
    assert.deepEqual(Object.fromEntries(named), versions);
    assert.ok(page.includes(`\`${ai6.replace("npm:ai@", "")}\``));
    const [[name, version] = []] = Object.entries(installed.overrides);
    assert.ok(page.includes(`overrides[${name}]=${version}`));
  });

  it("showsTheWordsThatTheModelGets", async () => {
    const words = new Map(
      [...page.matchAll(/^\| ([a-z ]+) \| .*?`('charge'.*?)` \|$/gm)].map(found => [found[1], found[2] ?? ""]),
    );
    const check = (row: string, told: string | undefined) => {
      assert.match(told ?? "", pattern(words.get(row) ?? "missing"), row);
      words.delete(row);
    };
    const charge = (scope: string, execute: () => unknown, policy = {}, key?: string, args: object = order) =>
      guardTool(idem, { name: "charge", scope, policy }, execute)(args, { key }) as Promise<ToolAnswer<unknown>>;
    const lost = () => Promise.reject(new Error("socket hang up"));
    const scope = newTask();
    await charge(scope, () => 1);
    check("replayed", (await charge(scope, () => 1)).note);
    const doubted = newTask();
    check("the call left a doubt", (await charge(doubted, lost)).text);
    check("an earlier call is in doubt", (await charge(doubted, lost)).text);
    check("held", (await charge(newTask(), () => 1, { approval: true })).text);
    await charge(scope, () => 1, {}, "req-1");
    check("conflict", (await charge(scope, () => 1, {}, "req-1", { customer: "cus_2", cents: 1 })).text);
    const running = newTask();
    let finish = () => {};
    let first: Promise<unknown> | undefined;
    await new Promise<void>(begun => {
      const slow = () =>
        new Promise<void>(resolve => {
          finish = resolve;
          begun();
        });
      first = charge(running, slow);
    });
    // Another policy, so that it does not share the claim of the first call, which runs in this process.
    check("in flight", (await charge(running, () => 1, { wait: 0 })).text);
    finish();
    await first;
    assert.deepEqual([...words.keys()], []);
  });
});
