import { requireNoGenerator } from "../callbacks.js";
import type { Idem } from "../idem.js";
import type { Kind } from "../outcome.js";
import { type AgentOptions, callOnce, checkAgent, fieldsOf, modelText } from "./common.js";

/** What the AI SDK tells a tool about a call. */
export interface AiContext {
  readonly toolCallId: string;
  readonly messages: readonly unknown[];
  readonly abortSignal?: AbortSignal | undefined;
  /** The context of the tool, as `toolsContext` gives it. */
  readonly context?: unknown;
}

/** The output of a call that ended without a value of the tool: `text` is what the model reads. */
export interface AiEnding {
  readonly idem: Kind;
  readonly text: string;
}

const ENDINGS: readonly unknown[] = [
  "replayed",
  "failed",
  "in_doubt",
  "in_flight",
  "conflict",
  "expired",
  "held",
  "denied",
  "unavailable",
  "unrecorded",
] satisfies Kind[];

/** Values of tools that look like an ending. */
const ownValues = new WeakSet<object>();

/** Whether an output of a guarded tool tells an ending, instead of the tool's own value. */
export function isEnding(output: unknown): output is AiEnding {
  if (!isObject(output) || Object.keys(output).length !== 2 || ownValues.has(output)) {
    return false;
  }
  const { idem, text } = output as { idem?: unknown; text?: unknown };
  return ENDINGS.includes(idem) && typeof text === "string";
}

interface AiTool {
  inputSchema?: unknown;
  execute?: ((input: never, options: never) => unknown) | undefined;
  toModelOutput?: ((options: never) => unknown) | undefined;
}

type ModelOutput = { readonly type: string; readonly value?: unknown };

/**
 * The notes about replays, until the SDK asks for the words of their results. It makes a new object of each call's input,
 * and passes that on. Where the input is no object, the result is, since each replay has a new one; where neither is one,
 * there is no note. The id of a call may be that of another run, because some model servers number their calls anew.
 */
type Notes = WeakMap<object, string>;

interface ModelOutputOptions {
  readonly toolCallId: string;
  readonly input?: unknown;
  readonly output: unknown;
}

/**
 * Guards the tools of the Vercel AI SDK: each `execute` runs once for its task.
 *
 * @example
 * generateText({ model, tools: guardTools(idem, { charge, lookUp }, { scope: orderId, tools: { lookUp: "read" } }) });
 */
export function guardTools<T extends Readonly<Record<string, object>>>(
  idem: Idem,
  tools: T,
  options: AgentOptions<AiContext> = {},
): T {
  checkAgent("guardTools", options, Object.keys(tools));
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, guarded(idem, name, tool, options)]),
  ) as T;
}

function guarded(idem: Idem, name: string, tool: AiTool, options: AgentOptions<AiContext>): AiTool {
  const execute = tool.execute as ((input: unknown, context: AiContext) => unknown) | undefined;
  if (execute === undefined) {
    return tool; // it runs elsewhere: at the provider, or in the browser
  }
  if (Object.prototype.toString.call(execute) !== "[object AsyncGeneratorFunction]") {
    requireNoGenerator(`execute of the tool '${name}'`, execute);
  }
  const notes: Notes = new WeakMap();
  const fields = fieldsOf(tool.inputSchema);
  const once = async (input: unknown, context: AiContext): Promise<unknown> => {
    const signal = context.abortSignal;
    const answer = await callOnce(idem, options, { name, args: input, context, signal, fields }, async () =>
      lastOf(await execute.call(tool, input, context)),
    );
    if (answer.text !== undefined) {
      return { idem: answer.kind, text: answer.text };
    }
    const about = isObject(input) ? input : answer.value;
    if (answer.note !== undefined && isObject(about)) {
      notes.set(about, answer.note);
    }
    if (isEnding(answer.value)) {
      ownValues.add(answer.value);
    }
    return answer.value;
  };
  return { ...tool, execute: once, toModelOutput: modelOutput(tool, notes) };
}

/** The last of a tool's preliminary results, which is its result; any other value as it is. */
async function lastOf(value: unknown): Promise<unknown> {
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) {
    return value;
  }
  let last: unknown;
  for await (const each of value as AsyncIterable<unknown>) {
    last = each;
  }
  return last;
}

/** Tells the model an ending as a text, and a replay with its note. */
function modelOutput(tool: AiTool, notes: Notes) {
  const own = tool.toModelOutput as ((options: ModelOutputOptions) => unknown) | undefined;
  return async (options: ModelOutputOptions): Promise<ModelOutput> => {
    const { input, output } = options;
    if (isEnding(output)) {
      return { type: "text", value: output.text };
    }
    const usual: ModelOutput =
      own !== undefined
        ? ((await own.call(tool, options)) as ModelOutput)
        : typeof output === "string"
          ? { type: "text", value: output }
          : { type: "json", value: output === undefined ? null : JSON.parse(JSON.stringify(output) ?? "null") };
    const about = isObject(input) ? input : output;
    const note = isObject(about) ? notes.get(about) : undefined;
    if (note === undefined) {
      return usual;
    } else if (usual.type === "content" && Array.isArray(usual.value)) {
      return { ...usual, value: [...usual.value, { type: "text", text: note }] };
    }
    return usual.type === "text" || usual.type === "json"
      ? { ...usual, type: "text", value: modelText(usual.value, note) }
      : usual;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
