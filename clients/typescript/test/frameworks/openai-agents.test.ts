import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Agent, type Model, Runner, RunState, tool } from "@openai/agents";
import { once } from "idem-once/openai-agents";
import { agentCalls as calls, ScriptedAgentModel as Scripted } from "./models.js";
import { DOUBT, HELD, idem, newTask, order, orderSchema, REPLAY, Shop, STILL_IN_DOUBT } from "./shop.js";

const runner = new Runner({ tracingDisabled: true });

function chargeOptions(shop: Shop) {
  return { name: "charge", description: "charges a card", parameters: orderSchema, execute: shop.charge };
}

function agent(model: Model, charge: ReturnType<typeof tool>) {
  return new Agent({ name: "cashier", model, tools: [charge] });
}

describe("OpenAI Agents", () => {
  it("chargesTwiceForAModelThatCallsTwiceAndOnceWithOnce", async () => {
    const bare = new Shop();
    await runner.run(agent(new Scripted([calls("c1"), calls("c2")]), tool(chargeOptions(bare))), "charge");
    assert.equal(bare.charges, 2);

    const shop = new Shop();
    const model = new Scripted([calls("c1"), calls("c2")]);
    await runner.run(agent(model, tool(once(idem, chargeOptions(shop), { scope: newTask() }))), "charge");
    assert.equal(shop.charges, 1);
    const [first = "", second = ""] = model.outputs();
    assert.deepEqual(JSON.parse(first), { id: "ch_1", ...order });
    assert.match(second, REPLAY);
  });

  it("tellsALostResponseAsADoubtAndTheRepeatOfTheModelRunsNothing", async () => {
    const bare = new Shop().losing(1);
    const repeating = new Scripted([calls("c1"), calls("c2")]);
    await runner.run(agent(repeating, tool(chargeOptions(bare))), "charge");
    assert.equal(bare.charges, 2);
    assert.match(repeating.outputs()[0] ?? "", /Please try again/);

    const shop = new Shop().losing(1);
    const model = new Scripted([calls("c1"), calls("c2")]);
    await runner.run(agent(model, tool(once(idem, chargeOptions(shop), { scope: newTask() }))), "charge");
    assert.equal(shop.charges, 1);
    const [first = "", second = ""] = model.outputs();
    assert.match(first, DOUBT);
    assert.doesNotMatch(first, /try again/);
    assert.match(second, STILL_IN_DOUBT);
  });

  it("chargesOnceForARunThatIsApprovedAndResumedTwice", async () => {
    for (const [kind, expected] of [
      ["bare", 2],
      ["guarded", 1],
    ] as const) {
      const shop = new Shop();
      const options = { ...chargeOptions(shop), needsApproval: true };
      const charge = tool(kind === "bare" ? options : once(idem, options, { scope: newTask() }));
      const cashier = agent(new Scripted([calls("c1")]), charge);
      const paused = (await runner.run(cashier, "charge")).state.toString();
      for (let i = 0; i < 2; i++) {
        const state = await RunState.fromString(cashier, paused);
        for (const each of state.getInterruptions()) {
          state.approve(each);
        }
        await runner.run(cashier, state);
      }
      assert.equal(shop.charges, expected, kind);
    }
  });

  it("givesTheResultOfACallThatTheSDKHasTimedOutToItsRepeat", async () => {
    for (const [kind, expected] of [
      ["bare", 2],
      ["guarded", 1],
    ] as const) {
      const shop = new Shop();
      const finish = shop.slowly();
      const options = { ...chargeOptions(shop), timeoutMs: 100 };
      const charge = tool(kind === "bare" ? options : once(idem, options, { scope: newTask() }));
      const model = new Scripted([calls("c1")]);
      const cashier = agent(model, charge);
      await runner.run(cashier, "charge");
      assert.match(model.outputs()[0] ?? "", /timed out/);
      finish();
      const repeated = new Scripted([calls("c2")]);
      await runner.run(agent(repeated, charge), "charge");
      assert.equal(shop.charges, expected, kind);
      if (kind === "guarded") {
        assert.match(repeated.outputs()[0] ?? "", /"id":"ch_1"/);
      }
    }
  });

  it("takesTheTaskFromTheContextOfTheRunAndTellsThatACallWaitsForAPerson", async () => {
    const shop = new Shop();
    const scope = ({ context }: { context?: unknown }) => (context as { task: string }).task;
    const charge = tool(once(idem, chargeOptions(shop), { scope, policy: { approval: true } }));
    const model = new Scripted([calls("c1")]);
    await runner.run(agent(model, charge), "charge", { context: { task: newTask() } });
    assert.equal(shop.charges, 0);
    assert.match(model.outputs()[0] ?? "", HELD);
  });
});
