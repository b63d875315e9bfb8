import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { generateText, isStepCount, type ModelMessage, tool } from "ai";
import { guardTools, isEnding } from "idem-once/ai";
import { calls, says, scripted } from "./models.js";
import { DOUBT, HELD, idem, newTask, order, orderSchema, REPLAY, Shop, STILL_IN_DOUBT } from "./shop.js";

function chargeTool(shop: Shop) {
  return tool({ description: "charges a card", inputSchema: orderSchema, execute: shop.charge });
}

const stopWhen = isStepCount(5);

describe("Vercel AI SDK", () => {
  it("chargesTwiceForAModelThatCallsTwiceAndOnceWithGuardTools", async () => {
    const bare = new Shop();
    const tools = { charge: chargeTool(bare) };
    await generateText({
      model: scripted(calls("c1"), calls("c2"), says("ok")).model,
      tools,
      prompt: "charge",
      stopWhen,
    });
    assert.equal(bare.charges, 2);

    const shop = new Shop();
    const { model, outputs } = scripted(calls("c1"), calls("c2"), says("ok"));
    const guarded = guardTools(idem, { charge: chargeTool(shop) }, { scope: newTask() });
    const { steps } = await generateText({ model, tools: guarded, prompt: "charge", stopWhen });
    assert.equal(shop.charges, 1);
    const [first, second] = outputs();
    assert.deepEqual(first, { id: "ch_1", ...order });
    assert.match(String(second), REPLAY);
    assert.ok(String(second).startsWith(JSON.stringify(first)));
    // The program gets the value itself, with the type of the tool.
    const output: { id: string } | undefined = steps[1]?.staticToolResults[0]?.output;
    assert.deepEqual(output, { id: "ch_1", ...order });
  });

  it("tellsALostResponseAsADoubtAndTheRepeatOfTheModelRunsNothing", async () => {
    const bare = new Shop().losing(1);
    const script = () => scripted(calls("c1"), calls("c2"), says("ok"));
    await generateText({ model: script().model, tools: { charge: chargeTool(bare) }, prompt: "charge", stopWhen });
    assert.equal(bare.charges, 2);

    const shop = new Shop().losing(1);
    const { model, outputs } = script();
    const tools = guardTools(idem, { charge: chargeTool(shop) }, { scope: newTask() });
    const { steps } = await generateText({ model, tools, prompt: "charge", stopWhen });
    assert.equal(shop.charges, 1);
    const [first, second] = outputs();
    assert.match(String(first), DOUBT);
    assert.match(String(second), STILL_IN_DOUBT);
    const output: unknown = steps[0]?.staticToolResults[0]?.output;
    assert.ok(isEnding(output) && output.idem === "in_doubt");
  });

  it("chargesOnceForAnApprovalThatIsPostedTwice", async () => {
    for (const [kind, expected] of [
      ["bare", 2],
      ["guarded", 1],
    ] as const) {
      const shop = new Shop();
      const charge = tool({ ...chargeTool(shop), needsApproval: true });
      const tools = kind === "bare" ? { charge } : guardTools(idem, { charge }, { scope: newTask() });
      const asked = await generateText({ model: scripted(calls("c1")).model, tools, prompt: "charge" });
      const request = asked.content.find(each => each.type === "tool-approval-request");
      assert.ok(request);
      const messages: ModelMessage[] = [
        { role: "user", content: "charge" },
        ...asked.response.messages,
        { role: "tool", content: [{ type: "tool-approval-response", approvalId: request.approvalId, approved: true }] },
      ];
      for (let i = 0; i < 2; i++) {
        await generateText({ model: scripted(says("ok")).model, tools, messages });
      }
      assert.equal(shop.charges, expected, kind);
    }
  });

  it("tellsACallThatTheUserHasStoppedAsADoubtWhenTheModelRepeatsIt", async () => {
    for (const [kind, expected] of [
      ["bare", 2],
      ["guarded", 1],
    ] as const) {
      const shop = new Shop();
      const finish = shop.slowly();
      const stop = new AbortController();
      const charge = tool({
        description: "charges a card",
        inputSchema: orderSchema,
        execute: (args, { abortSignal }) => {
          const charging = shop.charge(args);
          const stopped = new Promise<never>((_, reject) => {
            abortSignal?.addEventListener("abort", () => reject(abortSignal.reason));
          });
          stop.abort();
          return Promise.race([charging, stopped]);
        },
      });
      const tools = kind === "bare" ? { charge } : guardTools(idem, { charge }, { scope: newTask() });
      const first = scripted(calls("c1"), says("ok"));
      const prompt = "charge";
      await generateText({ model: first.model, tools, prompt, stopWhen, abortSignal: stop.signal }).catch(() => {});
      finish();
      const { model, outputs } = scripted(calls("c2"), says("ok"));
      await generateText({ model, tools, prompt, stopWhen });
      assert.equal(shop.charges, expected, kind);
      if (kind === "guarded") {
        assert.match(String(outputs()[0]), STILL_IN_DOUBT);
      }
    }
  });

  it("tellsThatACallWaitsForAPersonWhateverToModelOutputTheToolHas", async () => {
    const shop = new Shop();
    const charge = tool({
      ...chargeTool(shop),
      toModelOutput: ({ output }) => ({ type: "text", value: output.id.toUpperCase() }),
    });
    const { model, outputs } = scripted(calls("c1"), says("ok"));
    const rules = { charge: { policy: { approval: true } } };
    const tools = guardTools(idem, { charge }, { scope: newTask(), tools: rules });
    await generateText({ model, tools, prompt: "charge", stopWhen });
    assert.equal(shop.charges, 0);
    assert.match(String(outputs()[0]), HELD);
  });

  it("recordsTheLastResultOfAToolThatYields", async () => {
    let runs = 0;
    const charge = tool({
      description: "charges a card",
      inputSchema: orderSchema,
      async *execute() {
        runs++;
        yield { state: "begun" };
        yield { state: "done" };
      },
    });
    const { model, outputs } = scripted(calls("c1"), calls("c2"), says("ok"));
    await generateText({
      model,
      tools: guardTools(idem, { charge }, { scope: newTask() }),
      prompt: "charge",
      stopWhen,
    });
    assert.equal(runs, 1);
    assert.deepEqual(outputs()[0], { state: "done" });
  });

  it("refusesADeclarationOfAToolThatDoesNotExist", () => {
    const tools = { charge: chargeTool(new Shop()) };
    assert.throws(() => guardTools(idem, tools, { tools: { chrage: "read" } }), /there is no tool 'chrage'/);
  });
});
