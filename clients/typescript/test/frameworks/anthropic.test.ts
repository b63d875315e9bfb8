import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { guardTools } from "idem-once/anthropic";
import { anthropicCalls as calls, anthropicSays as says, scriptedAnthropic } from "./models.js";
import { DOUBT, HELD, idem, newTask, order, orderSchema, REPLAY, Shop, STILL_IN_DOUBT } from "./shop.js";

const service = await scriptedAnthropic();

/** Runs an agent whose model says these turns; returns the results of tools that it read. */
async function run(tools: Parameters<Anthropic["beta"]["messages"]["toolRunner"]>[0]["tools"], ...script: object[]) {
  service.script(...script);
  const messages = [{ role: "user" as const, content: "charge" }];
  await service.client.beta.messages.toolRunner({ model: "scripted", max_tokens: 100, messages, tools });
  return service.read();
}

function chargeTool(shop: Shop) {
  const run = async (args: typeof order) => JSON.stringify(await shop.charge(args));
  return betaZodTool({ name: "charge", description: "charges a card", inputSchema: orderSchema, run });
}

describe("Anthropic's tool runner", () => {
  after(() => service.close());

  it("chargesTwiceForAModelThatCallsTwiceAndOnceWithGuardTools", async () => {
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

  it("tellsALostResponseAsADoubtAndTheRepeatOfTheModelRunsNothing", async () => {
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

  it("chargesOnceForATaskThatIsRunAgainFromItsBeginning", async () => {
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

  it("tellsThatACallWaitsForAPerson", async () => {
    const shop = new Shop();
    const rules = { charge: { policy: { approval: true } } };
    const tools = guardTools(idem, [chargeTool(shop)], { scope: newTask(), tools: rules });
    const [first] = await run(tools, calls("t1"), says("ok"));
    assert.equal(shop.charges, 0);
    assert.match(first?.content ?? "", HELD);
  });
});
