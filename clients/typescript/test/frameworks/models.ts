// Models that say what a test scripts, and keep what they read.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { type Model, type ModelRequest, type ModelResponse, Usage } from "@openai/agents";
import { MockLanguageModelV4 } from "ai/test";
import { order } from "./shop.js";

type Turn = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
export const says = (text: string): Turn => ({
  finishReason: { unified: "stop", raw: "stop" },
  usage,
  warnings: [],
  content: [{ type: "text", text }],
});
export const calls = (toolCallId: string): Turn => ({
  finishReason: { unified: "tool-calls", raw: "tool_calls" },
  usage,
  warnings: [],
  content: [{ type: "tool-call", toolCallId, toolName: "charge", input: JSON.stringify(order) }],
});

/** A model for the Vercel AI SDK. */
export function scripted(...turns: Turn[]) {
  const read: unknown[] = [];
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      read.push(...prompt.flatMap(each => (each.role === "tool" ? each.content : [])));
      return turns.shift() as Turn;
    },
  });
  return { model, outputs: () => read.slice(-2).map(each => (each as { output: { value: unknown } }).output.value) };
}

export const agentCalls = (callId: string): ModelResponse["output"] => [
  { type: "function_call", callId, name: "charge", arguments: JSON.stringify(order), status: "completed" },
];
const agentSays = (text: string): ModelResponse["output"] => [
  { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] },
];

/** A model for OpenAI Agents. */
export class ScriptedAgentModel implements Model {
  #read: ModelRequest["input"] = [];

  constructor(private readonly turns: ModelResponse["output"][]) {}

  async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    this.#read = input;
    return { usage: new Usage(), output: this.turns.shift() ?? agentSays("ok") };
  }

  getStreamedResponse(): never {
    throw new Error("not scripted");
  }

  /** The results of tools that it has read. */
  outputs(): string[] {
    const items = typeof this.#read === "string" ? [] : this.#read;
    return items.flatMap(each =>
      each.type === "function_call_result" ? [(each.output as unknown as { text: string }).text] : [],
    );
  }
}

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
export const anthropicCalls = (id: string) => turn({ type: "tool_use", id, name: "charge", input: order }, "tool_use");
export const anthropicSays = (text: string) => turn({ type: "text", text }, "end_turn");

/** Anthropic's client, with a service on the loopback that answers with the scripted turns. */
export async function scriptedAnthropic() {
  let turns: object[] = [];
  let read: ToolResult[] = [];
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
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    client: new Anthropic({ apiKey: "none", baseURL, maxRetries: 0 }),
    script(...script: object[]) {
      turns = script;
      read = [];
    },
    read: () => read,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
