import { Refused } from "../errors.js";
import type { Idem } from "../idem.js";
import type { Json } from "../json.js";
import { isName } from "../options.js";
import type { Kind } from "../outcome.js";
import { json } from "../values.js";
import { described } from "../words.js";
import { type AgentOptions, checkAgent, endingOf, fieldsOf, modelText, type ToolRule, warnOnce } from "./common.js";

/** The part of a LangChain config that a guard reads. */
export interface LangChainConfig {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly context?: unknown;
}

/** What is declared about one tool of LangChain. */
export type LangChainRule =
  | ToolRule
  | (Exclude<ToolRule, string> & {
      /**
       * Whether the tool calls `interrupt(…)` only before it acts, or all that it does are guarded calls of their own. When
       * the answer is there, LangGraph runs the tool again from its beginning. Without this, an interrupt leaves a doubt.
       */
      readonly interruptsBeforeActing?: boolean;
    });

export interface LangChainOptions extends Omit<AgentOptions<LangChainConfig>, "tools"> {
  /** Declarations by the name of the tool. A tool without one is a write, and all its arguments are its identity. */
  readonly tools?: Readonly<Record<string, LangChainRule>>;
}

/** The options for any framework, and the tools that interrupt only before they act. */
interface Guard {
  readonly agent: AgentOptions<LangChainConfig>;
  readonly interrupting: ReadonlySet<string>;
}

function guardOf(what: string, options: LangChainOptions, names?: readonly string[]): Guard {
  const interrupting = new Set<string>();
  const tools = Object.entries(options.tools ?? {}).map(([name, rule]) => {
    if (typeof rule === "string" || !("interruptsBeforeActing" in rule)) {
      return [name, rule] as const;
    }
    const { interruptsBeforeActing: before = false, ...rest } = rule;
    if (typeof before !== "boolean") {
      throw new Refused(`interruptsBeforeActing of the tool '${name}' is neither true nor false`);
    }
    if (before) {
      interrupting.add(name);
    }
    return [name, rest] as const;
  });
  const agent = options.tools === undefined ? options : { ...options, tools: Object.fromEntries(tools) };
  checkAgent(what, agent as AgentOptions<never>, names);
  return { agent: agent as AgentOptions<LangChainConfig>, interrupting };
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
export function idemMiddleware(idem: Idem, options: LangChainOptions = {}) {
  const guard = guardOf("idemMiddleware", options);
  return {
    name: "idem",
    async wrapToolCall<Q extends ToolRequest, R>(request: Q, handler: (request: Q) => R | Promise<R>): Promise<R> {
      const tool = request.tool as Tool | undefined;
      // A tool that does not exist is answered by LangChain.
      return await handler(tool === undefined ? request : { ...request, tool: guarded(idem, tool, guard, true) });
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
export function guardTools<T extends object[]>(idem: Idem, tools: readonly [...T], options: LangChainOptions = {}): T {
  const all = tools as unknown as readonly Tool[];
  const guard = guardOf(
    "guardTools",
    options,
    all.map(tool => tool.name),
  );
  return all.map(tool => guarded(idem, tool, guard, false)) as unknown as T;
}

/**
 * A tool whose work runs once. Checking the arguments before, and making a message of the result after, stay LangChain's.
 *
 * @param tellsFailures whether an error that proves that nothing happened is told as a text. A middleware must: with one,
 *     LangChain ends the run for every error of a tool
 */
function guarded(idem: Idem, tool: Tool, guard: Guard, tellsFailures: boolean): Tool {
  const method = tool._call !== undefined ? "_call" : tool.invoke !== undefined ? "invoke" : undefined;
  if (method === undefined) {
    return tool; // it runs at the provider
  }
  const once = (config: LangChainConfig, args: unknown, execute: () => unknown, ended: (kind: Kind) => void) =>
    answered(idem, tool, guard, tellsFailures, config, args, execute, ended);
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
  { agent, interrupting }: Guard,
  tellsFailures: boolean,
  config: LangChainConfig,
  args: unknown,
  execute: () => unknown,
  ended: (kind: Kind) => void,
): Promise<unknown> {
  const { name } = tool;
  const scope = threadIn(config);
  const usual = { codec: results, ...(interrupting.has(name) && { definite: isBubbleUp }) };
  let bubble: unknown;
  const pair = tool.responseFormat === "content_and_artifact";
  const about = { name, args, context: config, signal: config.signal, scope, scopeHint: THREAD };
  const call = { ...about, usual, fields: fieldsOf(tool.schema) };
  const answer = await endingOf(idem, agent, call, async () => {
    try {
      return plain(await execute(), pair);
    } catch (error) {
      bubble = isBubbleUp(error) ? error : undefined;
      throw error;
    }
  });
  if (answer.kind === "in_doubt" && bubble !== undefined) {
    if (!isInterrupt(bubble) || runsAgain(agent.tools?.[name])) {
      throw bubble;
    }
    // The person is not asked: the answer would run the tool again, and it may have acted.
    warnOnce(
      name,
      `'${name}' called interrupt(…) and may have acted before, so the call is in doubt. ${DECLARE(name)}`,
    );
  }
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

const DECLARE = (name: string) =>
  `If it acts only after the answer, declare { tools: { ${name}: { interruptsBeforeActing: true } } }`;

function isInterrupt(error: unknown): boolean {
  return typeof error === "object" && error !== null && "interrupts" in error;
}

/** Whether a tool is declared safe to run again. */
function runsAgain(rule: ToolRule | undefined): boolean {
  const policy = typeof rule === "string" ? { sideEffect: rule } : rule?.policy;
  return policy?.sideEffect === "idempotent" || policy?.onDoubt === "rerun";
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
