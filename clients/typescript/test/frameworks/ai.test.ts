import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { generateText, isStepCount, type ModelMessage, streamText, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
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

  it("tellsNoNoteOfAnotherRunThatHasTheSameCallIds", async () => {
    const scopes = [newTask(), newTask()] as const;
    const shop = new Shop();
    let scope: string = scopes[0];
    const tools = guardTools(idem, { charge: chargeTool(shop) }, { scope: () => scope });
    const run = async (task: string) => {
      scope = task;
      const { model, outputs } = scripted(calls("call_0"), says("ok"));
      await generateText({ model, tools, prompt: "charge", stopWhen });
      return outputs().at(-1);
    };
    assert.deepEqual(await run(scopes[0]), { id: "ch_1", ...order });
    assert.match(String(await run(scopes[0])), REPLAY);
    assert.deepEqual(await run(scopes[1]), { id: "ch_2", ...order });
  });

  it("tellsTheNotesOfTwoRunsAtOnceThatHaveTheSameCallIds", async () => {
    const [done, fresh] = [newTask(), newTask()];
    const shop = new Shop();
    const tools = guardTools(idem, { charge: chargeTool(shop) }, { scope: ({ messages }) => JSON.stringify(messages) });
    const run = async (prompt: string) => {
      const { model, outputs } = scripted(calls("call_0"), says("ok"));
      await generateText({ model, tools, prompt, stopWhen });
      return outputs().at(-1);
    };
    await run(done);
    for (let i = 0; i < 5; i++) {
      const [replayed, first] = await Promise.all([run(done), run(`${fresh}-${i}`)]);
      assert.match(String(replayed), REPLAY);
      assert.doesNotMatch(JSON.stringify(first), REPLAY);
    }
  });

  it("tellsANoteInAStreamAndForAnApprovedCall", async () => {
    const scope = newTask();
    const tools = guardTools(idem, { charge: chargeTool(new Shop()) }, { scope });
    await generateText({ model: scripted(calls("c0"), says("ok")).model, tools, prompt: "charge", stopWhen });
    const { model, outputs } = scripted(calls("c1"), says("ok"));
    const messages: ModelMessage[] = [
      { role: "user", content: "charge" },
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "c9", toolName: "charge", input: order },
          { type: "tool-approval-request", approvalId: "a1", toolCallId: "c9" },
        ],
      },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "a1", approved: true }] },
    ];
    const approved = guardTools(idem, { charge: tool({ ...chargeTool(new Shop()), needsApproval: true }) }, { scope });
    const later = scripted(says("ok"));
    await generateText({ model: later.model, tools: approved, messages });
    assert.match(String(later.outputs()[0]), REPLAY);
    await generateText({ model, tools, prompt: "charge", stopWhen });
    assert.match(String(outputs()[0]), REPLAY);
    const read: unknown[] = [];
    const turns = [calls("c2"), says("ok")];
    const streaming = new MockLanguageModelV4({
      doStream: async ({ prompt }) => {
        read.push(...prompt.flatMap(each => (each.role === "tool" ? each.content : [])));
        const { content, finishReason, usage } = turns.shift() ?? says("ok");
        const parts = content.flatMap((each): object[] =>
          each.type === "text"
            ? [
                { type: "text-start", id: "t" },
                { type: "text-delta", id: "t", delta: each.text },
                { type: "text-end", id: "t" },
              ]
            : each.type === "tool-call"
              ? [each]
              : [],
        );
        return { stream: ReadableStream.from([...parts, { type: "finish", finishReason, usage }]) as never };
      },
    });
    await streamText({ model: streaming, tools, prompt: "charge", stopWhen }).text;
    assert.match(JSON.stringify(read[0]), REPLAY);
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

  it("takesNoResultOfAToolForAnEndingOfItsOwn", async () => {
    for (const own of [
      { idem: "in_doubt", text: "of another agent" },
      { idem: "my own", text: "words" },
      { idem: "held", text: 7 },
    ]) {
      const charge = tool({ description: "charges a card", inputSchema: orderSchema, execute: async () => own });
      const tools = guardTools(idem, { charge }, { scope: newTask() });
      const { model, outputs } = scripted(calls("c1"), calls("c2"), says("ok"));
      const { steps } = await generateText({ model, tools, prompt: "charge", stopWhen });
      assert.deepEqual(outputs()[0], own);
      assert.match(String(outputs()[1]), REPLAY);
      assert.ok(String(outputs()[1]).startsWith(JSON.stringify(own)));
      for (const step of steps.slice(0, 2)) {
        assert.equal(isEnding(step.staticToolResults[0]?.output), false);
      }
    }
  });

  it("refusesADeclarationOfAToolThatDoesNotExist", () => {
    const tools = { charge: chargeTool(new Shop()) };
    assert.throws(() => guardTools(idem, tools, { tools: { chrage: "read" } }), /there is no tool 'chrage'/);
  });
});
