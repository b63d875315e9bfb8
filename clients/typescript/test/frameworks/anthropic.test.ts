import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { guardTools } from "idem-once/anthropic";
import { DOUBT, HELD, idem, newTask, order, orderSchema, REPLAY, Shop, STILL_IN_DOUBT } from "./shop.js";

interface ToolResult {
  readonly content: string;
  readonly is_error?: boolean;
}

const turn = (content: object, stop_reason: string) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "scripted",
  content: [content],
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});
const calls = (id: string) => turn({ type: "tool_use", id, name: "charge", input: order }, "tool_use");
const says = (text: string) => turn({ type: "text", text }, "end_turn");

let turns: object[] = [];
let read: ToolResult[] = [];
let client: Anthropic;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", chunk => chunks.push(chunk));
  request.on("end", () => {
    const { messages } = JSON.parse(Buffer.concat(chunks).toString());
    const last = messages.at(-1).content;
    read.push(...(Array.isArray(last) ? last.filter(each => each.type === "tool_result") : []));
    response.setHeader("content-type", "application/json").end(JSON.stringify(turns.shift()));
  });
});

/** Runs an agent whose model says these turns; returns the results of tools that it read. */
async function run(tools: Parameters<Anthropic["beta"]["messages"]["toolRunner"]>[0]["tools"], ...script: object[]) {
  turns = script;
  read = [];
  const messages = [{ role: "user" as const, content: "charge" }];
  await client.beta.messages.toolRunner({ model: "scripted", max_tokens: 100, messages, tools });
  return read;
}

function chargeTool(shop: Shop) {
  const run = async (args: typeof order) => JSON.stringify(await shop.charge(args));
  return betaZodTool({ name: "charge", description: "charges a card", inputSchema: orderSchema, run });
}

describe("Anthropic's tool runner", () => {
  before(async () => {
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new Anthropic({ apiKey: "none", baseURL, maxRetries: 0 });
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  it("charges twice for a model that calls twice, and once with guardTools", async () => {
    const bare = new Shop();
    await run([chargeTool(bare)], calls("t1"), calls("t2"), says("ok"));
    assert.equal(bare.charges, 2);

    const shop = new Shop();
    const tools = guardTools(idem, [chargeTool(shop)], { scope: newTask() });
    const [first, second] = await run(tools, calls("t1"), calls("t2"), says("ok"));
    assert.equal(shop.charges, 1);
    assert.equal(first?.content, JSON.stringify({ id: "ch_1", ...order }));
    assert.match(second?.content ?? "", REPLAY);
  });

  it("tells a lost response as a doubt, and the repeat of the model runs nothing", async () => {
    const bare = new Shop().losing(1);
    await run([chargeTool(bare)], calls("t1"), calls("t2"), says("ok"));
    assert.equal(bare.charges, 2);

    const shop = new Shop().losing(1);
    const tools = guardTools(idem, [chargeTool(shop)], { scope: newTask() });
    const [first, second] = await run(tools, calls("t1"), calls("t2"), says("ok"));
    assert.equal(shop.charges, 1);
    assert.match(first?.content ?? "", DOUBT);
    assert.equal(first?.is_error, undefined);
    assert.match(second?.content ?? "", STILL_IN_DOUBT);
  });

  it("charges once for a task that is run again from its beginning", async () => {
    for (const [kind, expected] of [
      ["bare", 2],
      ["guarded", 1],
    ] as const) {
      const shop = new Shop();
      const tools = [chargeTool(shop)];
      const scope = newTask();
      for (let i = 0; i < 2; i++) {
        await run(kind === "bare" ? tools : guardTools(idem, tools, { scope }), calls(`t${i}`), says("ok"));
      }
      assert.equal(shop.charges, expected, kind);
    }
  });

  it("tells that a call waits for a person", async () => {
    const shop = new Shop();
    const rules = { charge: { policy: { approval: true } } };
    const tools = guardTools(idem, [chargeTool(shop)], { scope: newTask(), tools: rules });
    const [first] = await run(tools, calls("t1"), says("ok"));
    assert.equal(shop.charges, 0);
    assert.match(first?.content ?? "", HELD);
  });
});
