import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { generateText, stepCountIs, tool } from "ai6";
import { MockLanguageModelV3 } from "ai6/test";
import { guardTools } from "idem-once/ai";
import { idem, newTask, order, orderSchema, REPLAY, Shop } from "./shop.js";

/** The version that npm gives on Node 20. */
describe("Vercel AI SDK, version 6", () => {
  it("chargesOnceForAModelThatCallsTwiceAndTellsTheNoteToItsCallAlone", async () => {
    const shop = new Shop();
    let scope = newTask();
    const charge = tool({ description: "charges a card", inputSchema: orderSchema, execute: shop.charge });
    const tools = guardTools(idem, { charge }, { scope: () => scope });
    const run = async () => {
      const read: { output: { value: unknown } }[] = [];
      let turns = 0;
      const model = new MockLanguageModelV3({
        doGenerate: async ({ prompt }) => {
          read.push(...prompt.flatMap(each => (each.role === "tool" ? (each.content as never[]) : [])));
          const isCall = turns++ < 1;
          return {
            finishReason: { unified: isCall ? "tool-calls" : "stop", raw: undefined },
            usage: {
              inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 1, text: 1, reasoning: 0 },
            },
            warnings: [],
            content: isCall
              ? [{ type: "tool-call", toolCallId: "call_0", toolName: "charge", input: JSON.stringify(order) }]
              : [{ type: "text", text: "ok" }],
          };
        },
      });
      await generateText({ model, tools, prompt: "charge", stopWhen: stepCountIs(5) });
      return read.at(-1)?.output.value;
    };
    assert.deepEqual(await run(), { id: "ch_1", ...order });
    assert.match(String(await run()), REPLAY);
    scope = newTask();
    assert.deepEqual(await run(), { id: "ch_2", ...order });
  });
});
