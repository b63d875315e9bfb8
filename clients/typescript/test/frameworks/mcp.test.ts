import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { type CallToolResult, McpError } from "@modelcontextprotocol/sdk/types.js";
import { guardServer, type McpExtra, ToolReportedError } from "idem-once/mcp";
import { z } from "zod";
import { DOUBT, HELD, idem, newTask, order, orderShape, REPLAY, Shop, STILL_IN_DOUBT } from "./shop.js";

type Options = Partial<Parameters<typeof guardServer>[2]>;
type Authenticated = Parameters<InMemoryTransport["send"]>[1];

async function connected(shop: Shop, guard: Options | undefined, auth?: Authenticated) {
  const server = new McpServer({ name: "shop", version: "1.0" });
  if (guard !== undefined) {
    guardServer(idem, server, { name: newTask(), ...guard });
  }
  const charge = async (args: typeof order) => ({
    content: [{ type: "text" as const, text: (await shop.charge(args)).id }],
  });
  server.registerTool("charge", { inputSchema: orderShape }, charge);
  const outputSchema = { id: z.string() };
  server.registerTool("charge_structured", { inputSchema: orderShape, outputSchema }, async args => {
    const { id } = await shop.charge(args);
    return { content: [{ type: "text", text: id }], structuredContent: { id } };
  });
  server.registerTool("look_up", { annotations: { readOnlyHint: true } }, async () => ({
    content: [{ type: "text", text: String(shop.charges) }],
  }));
  return await hosted(server, auth);
}

async function hosted(server: McpServer, auth?: Authenticated) {
  const [one, other] = InMemoryTransport.createLinkedPair();
  if (auth !== undefined) {
    const send = other.send.bind(other);
    other.send = (message, options) => send(message, { ...options, ...auth });
  }
  const client = new Client({ name: "host", version: "1.0" });
  await Promise.all([server.connect(one), client.connect(other)]);
  return client;
}

async function call(client: Client, name = "charge", more: { timeout?: number; _meta?: Record<string, unknown> } = {}) {
  const { timeout = 60_000, _meta } = more;
  const result = await client.callTool({ name, arguments: order, ...(_meta && { _meta }) }, undefined, { timeout });
  const { content, isError, _meta: meta } = result as CallToolResult;
  return { content, isError, meta, text: content.map(each => (each.type === "text" ? each.text : "")).join("\n") };
}

describe("MCP SDK", () => {
  it("chargesTwiceForAHostThatCallsTwiceAndOnceOnAGuardedServer", async () => {
    const bare = new Shop();
    const client = await connected(bare, undefined);
    await call(client);
    await call(client);
    assert.equal(bare.charges, 2);

    const shop = new Shop();
    const guarded = await connected(shop, {});
    const first = await call(guarded);
    const second = await call(guarded);
    assert.equal(shop.charges, 1);
    assert.deepEqual(first.content, [{ type: "text", text: "ch_1" }]);
    assert.match(second.text, /^ch_1\n/);
    assert.match(second.text, REPLAY);
    assert.equal(second.meta?.["dev.idem/status"], "replayed");
  });

  it("givesTheResultToAHostThatTimedOutAndCallsAgain", async () => {
    for (const [kind, expected] of [
      ["bare", 2],
      ["guarded", 1],
    ] as const) {
      const shop = new Shop();
      const finish = shop.slowly();
      const client = await connected(shop, kind === "bare" ? undefined : {});
      await assert.rejects(call(client, "charge", { timeout: 100 }), /timed out/);
      const again = call(client);
      finish();
      assert.match((await again).text, new RegExp(`^ch_${expected}`));
      assert.equal(shop.charges, expected, kind);
    }
  });

  it("tellsALostResponseAsADoubtAndTheRepeatRunsNothing", async () => {
    const shop = new Shop().losing(1);
    const client = await connected(shop, {});
    const first = await call(client);
    const second = await call(client);
    assert.equal(shop.charges, 1);
    assert.match(first.text, DOUBT);
    assert.match(second.text, STILL_IN_DOUBT);
    assert.equal(second.isError, undefined);
    assert.equal(second.meta?.["dev.idem/status"], "in_doubt");
  });

  it("tellsADoubtAsAnErrorWhereClientsCheckResultsAgainstASchema", async () => {
    const shop = new Shop().losing(1);
    const client = await connected(shop, {});
    const doubt = await call(client, "charge_structured");
    assert.equal(doubt.isError, true);
    assert.match(doubt.text, DOUBT);
  });

  it("showsTheErrorThatAToolReportsWithTheDoubtThatItLeavesUnlessItIsDeclaredAsDefinite", async () => {
    for (const definite of [undefined, ToolReportedError]) {
      const shop = new Shop();
      const server = new McpServer({ name: "shop", version: "1.0" });
      guardServer(idem, server, { name: newTask(), tools: { charge: { definite } } });
      server.registerTool("charge", { inputSchema: orderShape }, async args => {
        await shop.charge(args);
        return { content: [{ type: "text", text: "insufficient funds" }], isError: true };
      });
      const client = await hosted(server);
      const first = await call(client);
      assert.match(first.text, /^insufficient funds/);
      assert.equal(first.isError, true);
      await call(client);
      if (definite === undefined) {
        assert.match(first.text, DOUBT);
      }
      assert.equal(shop.charges, definite === undefined ? 1 : 2);
    }
  });

  it("takesNoErrorThatAHandlerPassesOnForProofThatNothingHappened", async () => {
    for (const code of [-32700, -32600, -32601, -32602, -32042]) {
      for (const definite of [undefined, McpError]) {
        const shop = new Shop();
        const server = new McpServer({ name: "shop", version: "1.0" });
        guardServer(idem, server, { name: newTask(), tools: { charge: { definite } } });
        server.registerTool("charge", { inputSchema: orderShape }, async args => {
          await shop.charge(args);
          throw new McpError(code, "Tool email not found", { elicitations: [] });
        });
        const client = await hosted(server);
        for (let i = 1; i <= 3; i++) {
          await call(client).catch(() => {});
        }
        assert.equal(shop.charges, definite === undefined ? 1 : 3, `${code}`);
      }
    }
  });

  it("tellsThatACallWaitsForAPerson", async () => {
    const shop = new Shop();
    const client = await connected(shop, { tools: { charge: { policy: { approval: true } } } });
    assert.match((await call(client)).text, HELD);
    assert.equal(shop.charges, 0);
  });

  it("runsAReadEachTimeAndACallInAnotherSessionOrWithAnotherKey", async () => {
    const shop = new Shop();
    const client = await connected(shop, {});
    await call(client);
    assert.equal((await call(client, "look_up")).text, "1");
    await call(client, "charge", { _meta: { "dev.idem/session": "order-8" } });
    await call(client, "charge", { _meta: { "dev.idem/session": "order-8" } });
    await call(client, "charge", { _meta: { "dev.idem/key": "req-1" } });
    assert.equal((await call(client, "look_up")).text, "3");
  });

  it("neverGivesAUserTheResultOfAnother", async () => {
    const shop = new Shop();
    const name = newTask();
    const user = (extra: McpExtra) => extra.authInfo?.extra?.sub as string | undefined;
    const as = (sub?: string): Authenticated => ({
      authInfo: { token: "t", clientId: "host", scopes: [], ...(sub && { extra: { sub } }) },
    });
    const session = { _meta: { "dev.idem/session": "order-9" } };
    assert.equal((await call(await connected(shop, { name, user }, as("ann")), "charge", session)).text, "ch_1");
    assert.equal((await call(await connected(shop, { name, user }, as("bob")), "charge", session)).text, "ch_2");
    assert.match((await call(await connected(shop, { name, user }, as("ann")), "charge", session)).text, /^ch_1\n/);
    const nobody = await call(await connected(shop, { name, user }, as()), "charge", session);
    assert.match(nobody.text, /the caller is not authenticated/);
    const undeclared = await call(await connected(shop, { name }, as("ann")), "charge", session);
    assert.match(undeclared.text, /nothing says who calls; add user:/);
    assert.equal(shop.charges, 2);
  });

  it("refusesAServerThatHasToolsAlready", () => {
    const server = new McpServer({ name: "shop", version: "1.0" });
    server.registerTool("charge", { inputSchema: orderShape }, async () => ({ content: [] }));
    assert.throws(() => guardServer(idem, server, { name: "shop" }), /before you register them/);
  });
});
