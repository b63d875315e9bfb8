import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Annotation, Command, interrupt, MemorySaver, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { NotExecuted } from "idem-once";
import { guardTools, idemMiddleware } from "idem-once/langchain";
import {
  type AnyAgentMiddleware,
  createAgent,
  FakeToolCallingModel,
  humanInTheLoopMiddleware,
  tool,
  toolRetryMiddleware,
} from "langchain";
import { DOUBT, HELD, idem, newTask, order, orderSchema, REPLAY, Shop, STILL_IN_DOUBT } from "./shop.js";

const once = [[{ name: "charge", args: order, id: "c1" }], []];
const twice = [[{ name: "charge", args: order, id: "c1" }], [{ name: "charge", args: order, id: "c2" }], []];
const go = { messages: [{ role: "user", content: "charge" }] };
const State = Annotation.Root({ id: Annotation<string> });

function chargeTool(shop: Shop) {
  const about = { name: "charge", description: "charges a card", schema: orderSchema };
  return tool((args: typeof order) => shop.charge(args), about);
}

function thread(id = newTask()) {
  return { configurable: { thread_id: id } };
}

function told(result: { messages: BaseMessage[] }): string[] {
  return toolMessages(result).map(each => String(each.content));
}

function toolMessages(result: { messages: BaseMessage[] }): ToolMessage[] {
  return result.messages.filter(each => ToolMessage.isInstance(each));
}

/** What a program reads in each message of a tool. */
function marks(result: { messages: BaseMessage[] }): unknown[] {
  return toolMessages(result).map(each => each.additional_kwargs.idem);
}

/** The same agent bare and guarded. */
function agents(shop: Shop, toolCalls: typeof twice, more: AnyAgentMiddleware[] = []) {
  const tools = [chargeTool(shop)];
  const made = (middleware: AnyAgentMiddleware[]) =>
    createAgent({ model: new FakeToolCallingModel({ toolCalls }), tools, checkpointer: new MemorySaver(), middleware });
  return { bare: made(more), guarded: made([...more, idemMiddleware(idem)]) };
}

describe("LangChain", () => {
  it("chargesTwiceForAModelThatCallsTwiceAndOnceWithTheMiddleware", async () => {
    const bare = new Shop();
    await agents(bare, twice).bare.invoke(go, thread());
    assert.equal(bare.charges, 2);

    const shop = new Shop();
    const [first = "", second = ""] = told(await agents(shop, twice).guarded.invoke(go, thread()));
    assert.equal(shop.charges, 1);
    assert.deepEqual(JSON.parse(first), { id: "ch_1", ...order });
    assert.ok(second.startsWith(first), second);
    assert.match(second, REPLAY);
  });

  it("tellsALostResponseAsADoubtAndTheRepeatOfTheModelRunsNothing", async () => {
    const bare = new Shop().losing(1);
    await agents(bare, twice).bare.invoke(go, thread());
    assert.equal(bare.charges, 2);

    const shop = new Shop().losing(1);
    const [first = "", second = ""] = told(await agents(shop, twice).guarded.invoke(go, thread()));
    assert.equal(shop.charges, 1);
    assert.match(first, /'charge' was called and ended with Error: socket hang up\./);
    assert.match(first, DOUBT);
    assert.match(second, STILL_IN_DOUBT);
  });

  it("runsNothingForItsOwnRetryOfATool", async () => {
    const retries = () => [toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 })];
    const bare = new Shop().losing(1);
    await agents(bare, once, retries()).bare.invoke(go, thread());
    assert.equal(bare.charges, 2);

    const shop = new Shop().losing(1);
    const [first = ""] = told(await agents(shop, once, retries()).guarded.invoke(go, thread()));
    assert.equal(shop.charges, 1);
    assert.match(first, DOUBT);
  });

  it("chargesOnceForAnApprovalThatIsPostedTwice", async () => {
    const approvals = () => [humanInTheLoopMiddleware({ interruptOn: { charge: true } })];
    const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
    for (const [kind, expected] of [
      ["bare", 2],
      ["guarded", 1],
    ] as const) {
      const shop = new Shop();
      const agent = agents(shop, once, approvals())[kind];
      const config = thread();
      await agent.invoke(go, config);
      assert.equal(shop.charges, 0);
      // Both posts continue from the same checkpoint, as two requests of an impatient user do.
      const { config: paused } = await agent.graph.getState(config);
      await agent.invoke(approve, paused);
      await agent.invoke(approve, paused);
      assert.equal(shop.charges, expected, kind);
    }
  });

  it("tellsAFailureWithoutAnEffectInWordsAndTheModelMayTryAgain", async () => {
    const shop = new Shop();
    let down = true;
    const charge = tool(
      async (args: typeof order) => {
        if (down) {
          down = false;
          throw new NotExecuted("the bank is closed");
        }
        return shop.charge(args);
      },
      { name: "charge", description: "charges a card", schema: orderSchema },
    );
    const model = new FakeToolCallingModel({ toolCalls: twice });
    const agent = createAgent({ model, tools: [charge], middleware: [idemMiddleware(idem)] });
    const [first = "", second = ""] = told(await agent.invoke(go, thread()));
    assert.match(first, /'charge' failed, and nothing happened: .*the bank is closed\. You may correct the cause/);
    assert.deepEqual(JSON.parse(second), { id: "ch_1", ...order });
  });

  it("tellsThatACallWaitsForAPerson", async () => {
    const shop = new Shop();
    const model = new FakeToolCallingModel({ toolCalls: once });
    const held = idemMiddleware(idem, { tools: { charge: { policy: { approval: true } } } });
    const agent = createAgent({ model, tools: [chargeTool(shop)], middleware: [held] });
    const [first = ""] = told(await agent.invoke(go, thread()));
    assert.equal(shop.charges, 0);
    assert.match(first, HELD);
  });

  it("refusesAWriteWithoutAThreadAndNamesTheLineToAdd", async () => {
    const model = new FakeToolCallingModel({ toolCalls: once });
    const agent = createAgent({ model, tools: [chargeTool(new Shop())], middleware: [idemMiddleware(idem)] });
    await assert.rejects(
      agent.invoke(go),
      /'charge' has neither a scope nor a key.*configurable: \{ thread_id: "order-7" \}/,
    );
  });

  it("marksEachMessageThatIsNotTheResultOfThisCallForPrograms", async () => {
    const config = thread();
    const { guarded } = agents(new Shop(), twice);
    assert.deepEqual(marks(await guarded.invoke(go, config)), [undefined, "replayed"]);
    const { values } = await guarded.graph.getState(config);
    assert.deepEqual(marks(values as { messages: BaseMessage[] }), [undefined, "replayed"]);
    const lost = agents(new Shop().losing(1), twice).guarded;
    assert.deepEqual(marks(await lost.invoke(go, thread())), ["in_doubt", "in_doubt"]);
  });

  it("replaysAContentThatAPersonGaveForAToolWithAnArtifact", async () => {
    const config = thread();
    let runs = 0;
    const photo = tool(
      async () => {
        runs++;
        throw new Error("socket hang up");
      },
      { name: "charge", description: "", schema: orderSchema, responseFormat: "content_and_artifact" },
    );
    const agent = createAgent({
      model: new FakeToolCallingModel({ toolCalls: once }),
      tools: [photo],
      middleware: [idemMiddleware(idem)],
    });
    const [doubt = ""] = told(await agent.invoke(go, config));
    const key = /idem_[0-9a-f]+/.exec(doubt)?.[0] ?? "";
    const address = { scope: config.configurable.thread_id, operation: "charge", key };
    const entry = await idem.find(address);
    assert.ok(entry);
    const { answer } = await idem.resolve(entry, { as: "complete", result: "a photo", who: "ann", why: "seen" });
    assert.equal(answer, "done");
    const again = await agent.invoke(go, config);
    assert.match(told(again)[0] ?? "", /^a photo\n\n/);
    assert.equal(runs, 1);
  });

  it("keepsThreadsApartAndTakesTheScopeAroundARunForTheTask", async () => {
    const shop = new Shop();
    const { guarded } = agents(shop, once);
    await guarded.invoke(go, thread());
    await guarded.invoke(go, thread());
    assert.equal(shop.charges, 2);
    await idem.scope(newTask(), async () => {
      await guarded.invoke(go, thread());
      await guarded.invoke(go, thread());
    });
    assert.equal(shop.charges, 3);
  });

  it("replaysContentBlocksWithAnArtifactForTheNewCall", async () => {
    const photo = tool(async () => [[{ type: "text", text: "a photo" }], { bytes: 3 }] as const, {
      name: "charge",
      description: "",
      schema: orderSchema,
      responseFormat: "content_and_artifact",
    });
    const model = new FakeToolCallingModel({ toolCalls: twice });
    const agent = createAgent({ model, tools: [photo], middleware: [idemMiddleware(idem)] });
    const { messages } = await agent.invoke(go, thread());
    const [first, second] = messages.filter(each => ToolMessage.isInstance(each));
    assert.deepEqual(first?.content, [{ type: "text", text: "a photo" }]);
    assert.deepEqual(first?.artifact, { bytes: 3 });
    assert.deepEqual(second?.artifact, { bytes: 3 });
    assert.equal(second?.tool_call_id, "c2");
    assert.match(JSON.stringify(second?.content), REPLAY);
  });

  it("keepsTheMessageThatAToolMakesItselfAndNotACommand", async () => {
    for (const kind of ["message", "command"] as const) {
      let runs = 0;
      const charge = tool(
        async (_: typeof order, config: { toolCall?: { id?: string } }) => {
          const id = config.toolCall?.id ?? "";
          const message = new ToolMessage({ content: `charged ${++runs}`, tool_call_id: id, name: "charge" });
          return kind === "message" ? message : new Command({ update: { messages: [message] } });
        },
        { name: "charge", description: "charges a card", schema: orderSchema },
      );
      const model = new FakeToolCallingModel({ toolCalls: twice });
      const agent = createAgent({ model, tools: [charge], middleware: [idemMiddleware(idem)] });
      const { messages } = await agent.invoke(go, thread());
      const [first, second] = messages.filter(each => ToolMessage.isInstance(each));
      assert.equal(runs, 1, kind);
      assert.deepEqual([first?.content, first?.tool_call_id, second?.tool_call_id], ["charged 1", "c1", "c2"], kind);
      const replay = kind === "message" ? REPLAY : /'charge' has already run for this and has taken effect/;
      assert.match(String(second?.content), replay);
    }
  });

  it("chargesOnceForTwoCallsInOneTurnOfTheModel", async () => {
    const parallel = [[...(twice[0] ?? []), ...(twice[1] ?? [])], []];
    const bare = new Shop();
    await agents(bare, parallel).bare.invoke(go, thread());
    assert.equal(bare.charges, 2);
    const shop = new Shop();
    const [first = "", second = ""] = told(await agents(shop, parallel).guarded.invoke(go, thread()));
    assert.equal(shop.charges, 1);
    assert.equal([first, second].filter(each => /was done before/.test(each)).length, 1);
  });

  it("refusesAnIdentityWithANameThatTheToolDoesNotHave", async () => {
    const typo = idemMiddleware(idem, { tools: { charge: { identity: ["customer", "cent"] } } });
    const model = new FakeToolCallingModel({ toolCalls: once });
    const agent = createAgent({ model, tools: [chargeTool(new Shop())], middleware: [typo] });
    await assert.rejects(agent.invoke(go, thread()), /has no argument 'cent'; it has customer, cents/);
  });
});

describe("LangGraph", () => {
  it("runsAnEffectAgainWhenANodeResumesAfterAnInterruptAndOnceWithIdemOnce", async () => {
    for (const [kind, expected] of [
      ["bare", 2],
      ["guarded", 1],
    ] as const) {
      const shop = new Shop();
      const guarded = idem.once("charge", { identity: (each: typeof order) => each }, shop.charge);
      const pay = async (_: typeof State.State, config: { configurable?: { thread_id?: string } }) => {
        const charged =
          kind === "bare"
            ? await shop.charge(order)
            : await idem.scope(config.configurable?.thread_id ?? "", () => guarded(order));
        interrupt("send the receipt?");
        return { id: charged.id };
      };
      const graph = new StateGraph(State)
        .addNode("pay", pay)
        .addEdge("__start__", "pay")
        .compile({ checkpointer: new MemorySaver() });
      const config = thread();
      await graph.invoke({}, config);
      const { id } = await graph.invoke(new Command({ resume: true }), config);
      assert.equal(shop.charges, expected, kind);
      assert.equal(id, `ch_${expected}`);
    }
  });

  it("runsAnEffectAgainForItsRetryPolicyAndOnceWithIdemOnce", async () => {
    for (const [kind, expected] of [
      ["bare", 2],
      ["guarded", 1],
    ] as const) {
      const shop = new Shop().losing(1);
      const guarded = idem.once("charge", { identity: (each: typeof order) => each }, shop.charge);
      const pay = async (_: typeof State.State, config: { configurable?: { thread_id?: string } }) => {
        const scope = config.configurable?.thread_id ?? "";
        return { id: (kind === "bare" ? await shop.charge(order) : await idem.scope(scope, () => guarded(order))).id };
      };
      const retryPolicy = { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false, retryOn: () => true };
      const graph = new StateGraph(State).addNode("pay", pay, { retryPolicy }).addEdge("__start__", "pay").compile();
      const run = graph.invoke({}, thread());
      await (kind === "bare" ? run : assert.rejects(run, /is in doubt/));
      assert.equal(shop.charges, expected, kind);
    }
  });

  it("runsAToolOfAToolNodeOnceInTheThreadOfItsGraph", async () => {
    const shop = new Shop();
    const [charge] = guardTools(idem, [chargeTool(shop)]);
    const node = new ToolNode([charge]);
    const config = thread();
    const call = (id: string) =>
      new AIMessage({ content: "", tool_calls: [{ name: "charge", args: order, id, type: "tool_call" }] });
    await node.invoke({ messages: [call("c1")] }, config);
    const { messages } = await node.invoke({ messages: [call("c2")] }, config);
    assert.equal(shop.charges, 1);
    assert.match(messages[0].content, REPLAY);
    assert.equal(messages[0].tool_call_id, "c2");
    assert.equal(messages[0].additional_kwargs.idem, "replayed");
  });

  it("leavesAnErrorThatProvesThatNothingHappenedToTheToolNode", async () => {
    const about = { name: "charge", description: "charges a card", schema: orderSchema };
    const closed = tool(() => Promise.reject(new NotExecuted("the bank is closed")), about);
    const node = new ToolNode(guardTools(idem, [closed]));
    const call = { name: "charge", args: order, id: "c1", type: "tool_call" as const };
    const { messages } = await node.invoke(
      { messages: [new AIMessage({ content: "", tool_calls: [call] })] },
      thread(),
    );
    assert.equal(messages[0].status, "error");
    assert.match(messages[0].content, /^Error: the bank is closed/);
  });

  it("letsAToolAskAPersonFirstAndChargesOnceWhenTheAnswerIsPostedTwice", async () => {
    const shop = new Shop();
    const charge = tool(
      async (args: typeof order) => {
        assert.equal(interrupt("charge the card?"), "yes");
        return shop.charge(args);
      },
      { name: "charge", description: "charges a card", schema: orderSchema },
    );
    const model = new FakeToolCallingModel({ toolCalls: once });
    const checkpointer = new MemorySaver();
    const guard = idemMiddleware(idem, { tools: { charge: { interruptsBeforeActing: true } } });
    const agent = createAgent({ model, tools: [charge], checkpointer, middleware: [guard] });
    const config = thread();
    await agent.invoke(go, config);
    assert.equal(shop.charges, 0);
    const { config: paused } = await agent.graph.getState(config);
    await agent.invoke(new Command({ resume: "yes" }), paused);
    await agent.invoke(new Command({ resume: "yes" }), paused);
    assert.equal(shop.charges, 1);
  });

  it("actsOnceForAToolThatActsAndThenAsksAPerson", async () => {
    for (const [kind, expected] of [
      ["bare", 2],
      ["guarded", 1],
      ["middleware", 1],
    ] as const) {
      const shop = new Shop();
      const bare = tool(
        async (args: typeof order) => {
          const receipt = await shop.charge(args);
          interrupt("send the receipt?");
          return receipt;
        },
        { name: "charge", description: "charges a card", schema: orderSchema },
      );
      const tools = kind === "guarded" ? guardTools(idem, [bare]) : [bare];
      const middleware = kind === "middleware" ? [idemMiddleware(idem)] : [];
      const model = new FakeToolCallingModel({ toolCalls: once });
      const agent = createAgent({ model, tools, checkpointer: new MemorySaver(), middleware });
      const config = thread();
      const first = await agent.invoke(go, config);
      if (kind !== "bare") {
        assert.match(told(first)[0] ?? "", DOUBT);
        assert.deepEqual(marks(first), ["in_doubt"]);
      }
      await agent.invoke(kind === "bare" ? new Command({ resume: "yes" }) : go, config);
      assert.equal(shop.charges, expected, kind);
    }
  });

  it("letsAnIdempotentToolAskAPersonAndRunsItAgainForTheAnswer", async () => {
    let runs = 0;
    const charge = tool(
      async () => {
        runs++;
        return `answered ${interrupt("sure?")}`;
      },
      { name: "charge", description: "charges a card", schema: orderSchema },
    );
    const model = new FakeToolCallingModel({ toolCalls: once });
    const guard = idemMiddleware(idem, { tools: { charge: "idempotent" } });
    const agent = createAgent({ model, tools: [charge], checkpointer: new MemorySaver(), middleware: [guard] });
    const config = thread();
    await agent.invoke(go, config);
    const last = await agent.invoke(new Command({ resume: "yes" }), config);
    assert.match(told(last)[0] ?? "", /answered yes/);
    assert.equal(runs, 2);
  });
});
