import { Refused } from "../errors.js";
import type { Idem } from "../idem.js";
import type { Json } from "../json.js";
import { isName } from "../options.js";
import type { Kind } from "../outcome.js";
import { json } from "../values.js";
import { described } from "../words.js";
import { type AgentOptions, checkAgent, endingOf, fieldsOf, modelText } from "./common.js";

/** The part of a LangChain config that a guard reads. */
export interface LangChainConfig {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly context?: unknown;
}

const THREAD = 'Pass { configurable: { thread_id: "order-7" } } as the second argument of invoke';

interface Tool {
  readonly name: string;
  readonly responseFormat?: string;
  readonly schema?: unknown;
  _call?(input: unknown, manager: unknown, config?: LangChainConfig): unknown;
  invoke?(input: unknown, config?: LangChainConfig): unknown;
}

interface ToolRequest {
  readonly toolCall: { readonly name: string };
  readonly tool?: unknown;
}

/**
 * The thread of a run, as the scope of a node's own operations: `idem.scope(threadOf(config), …)`.
 *
 * @throws Refused if the run has none
 */
export function threadOf(config: LangChainConfig): string {
  const thread = threadIn(config);
  if (thread === undefined) {
    throw new Refused(`the graph runs without a thread. ${THREAD}. Nothing ran`);
  }
  return thread;
}

function threadIn({ configurable }: LangChainConfig): string | undefined {
  const thread = configurable?.thread_id;
  return Number.isFinite(thread) || isName(thread) ? String(thread) : undefined;
}

/**
 * A middleware for `createAgent` that guards all tools. The thread is the scope, unless the options say another. Put it
 * last into the list, so that it is next to the tools.
 *
 * @example
 * createAgent({ model, tools, checkpointer, middleware: [idemMiddleware(idem, { tools: { lookUp: "read" } })] });
 */
export function idemMiddleware(idem: Idem, options: AgentOptions<LangChainConfig> = {}) {
  checkAgent("idemMiddleware", options);
  return {
    name: "idem",
    async wrapToolCall<Q extends ToolRequest, R>(request: Q, handler: (request: Q) => R | Promise<R>): Promise<R> {
      const tool = request.tool as Tool | undefined;
      // A tool that does not exist is answered by LangChain.
      return await handler(tool === undefined ? request : { ...request, tool: guarded(idem, tool, options, true) });
    },
  };
}

/**
 * Guards tools for a graph of one's own, such as those of a `ToolNode`. The thread is the scope, unless the options say
 * another.
 *
 * @example
 * const tools = guardTools(idem, [charge, lookUp], { tools: { lookUp: "read" } });
 */
export function guardTools<T extends object[]>(
  idem: Idem,
  tools: readonly [...T],
  options: AgentOptions<LangChainConfig> = {},
): T {
  const all = tools as unknown as readonly Tool[];
  checkAgent(
    "guardTools",
    options,
    all.map(tool => tool.name),
  );
  return all.map(tool => guarded(idem, tool, options, false)) as unknown as T;
}

/**
 * A tool whose work runs once. Checking the arguments before, and making a message of the result after, stay LangChain's.
 *
 * @param tellsFailures whether an error that proves that nothing happened is told as a text. A middleware must: with one,
 *     LangChain ends the run for every error of a tool
 */
function guarded(idem: Idem, tool: Tool, options: AgentOptions<LangChainConfig>, tellsFailures: boolean): Tool {
  const method = tool._call !== undefined ? "_call" : tool.invoke !== undefined ? "invoke" : undefined;
  if (method === undefined) {
    return tool; // it runs at the provider
  }
  const once = (config: LangChainConfig, args: unknown, execute: () => unknown, ended: (kind: Kind) => void) =>
    answered(idem, tool, options, tellsFailures, config, args, execute, ended);
  const called = (ended: (kind: Kind) => void) => ({
    value: (input: unknown, manager: unknown, config: LangChainConfig = {}) =>
      once(config, input, async () => returned(await tool._call?.(input, manager, config), manager), ended),
  });
  const invoked = async (input: unknown, config: LangChainConfig = {}) => {
    let kind: Kind = "done";
    const ended = (each: Kind) => {
      kind = each;
    };
    const result =
      method === "_call"
        ? await tool.invoke?.call(Object.create(tool, { _call: called(ended) }), input, config)
        : await once(config, argumentsOf(input), () => tool.invoke?.(input, config), ended);
    return marked(result, kind);
  };
  const calls = method === "_call" ? { _call: called(() => {}) } : {};
  return Object.create(tool, { ...calls, invoke: { value: invoked } }) as Tool;
}

/** The value that an async generator returns, after the events that it yields; any other value as it is. */
async function returned(value: unknown, manager: unknown): Promise<unknown> {
  if (Object.prototype.toString.call(value) !== "[object AsyncGenerator]") {
    return value;
  }
  const events = value as AsyncGenerator<unknown, unknown>;
  const { handleToolEvent } = (manager ?? {}) as { handleToolEvent?: (event: unknown) => unknown };
  for (;;) {
    const next = await events.next();
    if (next.done) {
      return next.value;
    }
    await handleToolEvent?.call(manager, next.value);
  }
}

/** Tells a program what the content tells the model: that a message is not the result of a tool that has run just now. */
function marked(result: unknown, kind: Kind): unknown {
  const message = result as { type?: unknown; additional_kwargs?: Record<string, unknown> } | null | undefined;
  if (kind !== "done" && message?.type === "tool" && message.additional_kwargs !== undefined) {
    message.additional_kwargs.idem = kind;
  }
  return result;
}

async function answered(
  idem: Idem,
  tool: Tool,
  options: AgentOptions<LangChainConfig>,
  tellsFailures: boolean,
  config: LangChainConfig,
  args: unknown,
  execute: () => unknown,
  ended: (kind: Kind) => void,
): Promise<unknown> {
  const { name } = tool;
  const scope = threadIn(config);
  const usual = { codec: results, definite: isBubbleUp };
  const pair = tool.responseFormat === "content_and_artifact";
  const about = { name, args, context: config, signal: config.signal, scope, scopeHint: THREAD };
  const call = { ...about, usual, fields: fieldsOf(tool.schema) };
  const answer = await endingOf(idem, options, call, async () => plain(await execute(), pair));
  if ("thrown" in answer && (!tellsFailures || isBubbleUp(answer.thrown) || config.signal?.aborted === true)) {
    throw answer.thrown;
  }
  ended(answer.kind);
  if ("thrown" in answer) {
    return pair ? [failedText(name, answer.thrown), undefined] : failedText(name, answer.thrown);
  }
  if (answer.text !== undefined) {
    return pair ? [answer.text, undefined] : answer.text;
  }
  return answer.note === undefined ? answer.value : withNote(answer.value, answer.note, pair);
}

function failedText(name: string, error: unknown): string {
  return `'${name}' failed, and nothing happened: ${described(error)}. You may correct the cause and call it again.`;
}

/** LangGraph stops a tool for a person by throwing, and calls it anew when the answer is there. */
function isBubbleUp(error: unknown): boolean {
  return typeof error === "object" && error !== null && "is_bubble_up" in error && error.is_bubble_up === true;
}

/** A call of a model as LangChain passes it to `invoke`, or the arguments alone. */
function argumentsOf(input: unknown): unknown {
  const call = input as { type?: unknown; args?: unknown } | null | undefined;
  return call?.type === "tool_call" ? call.args : input;
}

/** The content of a message that the tool made itself: on a replay, LangChain makes a message for the new call of it. */
function plain(value: unknown, pair: boolean): unknown {
  const message = value as { lc_direct_tool_output?: unknown; type?: unknown; content?: unknown; artifact?: unknown };
  if (typeof value !== "object" || value === null || !message.lc_direct_tool_output || message.type !== "tool") {
    return value;
  }
  return pair ? [message.content, message.artifact] : message.content;
}

function withNote(value: unknown, note: string, pair: boolean): unknown {
  if (pair) {
    // A person who settled a doubt may have given the content alone.
    const [content, artifact] = Array.isArray(value) && value.length === 2 ? value : [value];
    return [withNote(content, note, false), artifact];
  }
  const blocks =
    Array.isArray(value) && value.every(each => typeof each === "object" && each !== null && "type" in each);
  return blocks ? [...value, { type: "text", text: note }] : modelText(value, note);
}

/** A command steers one run, so it is not kept: a duplicate is told that the tool has run. */
const results = {
  encode(value: unknown): Json {
    if (typeof value === "object" && value !== null && "lg_name" in value && value.lg_name === "Command") {
      throw new TypeError("a Command of LangGraph is not kept");
    }
    return json.encode(value);
  },
  decode: json.decode,
};
