import { requireNoGenerator } from "../callbacks.js";
import type { Idem } from "../idem.js";
import { type AgentOptions, callOnce, checkAgent, fieldsOf, modelText } from "./common.js";

/** What the tool runner tells a tool about a call. */
export interface RunContext {
  readonly toolUse: { readonly id: string; readonly name: string };
  readonly signal?: AbortSignal | null | undefined;
}

interface RunnableTool {
  readonly name?: string;
  readonly input_schema?: unknown;
  run?(input: never, context?: never): unknown;
}

/**
 * Guards the tools of Anthropic's tool runner: each `run` runs once for its task.
 *
 * @example
 * client.beta.messages.toolRunner({ model, messages, tools: guardTools(idem, [charge, lookUp], { scope: orderId }) });
 */
export function guardTools<T extends object[]>(
  idem: Idem,
  tools: readonly [...T],
  options: AgentOptions<RunContext | undefined> = {},
): T {
  const all = tools as readonly RunnableTool[];
  checkAgent(
    "guardTools",
    options,
    all.flatMap(tool => tool.name ?? []),
  );
  return all.map(tool => guarded(idem, tool, options)) as unknown as T;
}

function guarded(idem: Idem, tool: RunnableTool, options: AgentOptions<RunContext | undefined>): RunnableTool {
  const run = tool.run as ((input: unknown, context?: RunContext) => unknown) | undefined;
  const { name } = tool;
  if (run === undefined || name === undefined) {
    return tool; // it runs at the provider
  }
  requireNoGenerator(`run of the tool '${name}'`, run);
  const once = async (input: unknown, context?: RunContext): Promise<unknown> => {
    const call = { name, args: input, context, signal: context?.signal, fields: fieldsOf(tool.input_schema) };
    const { text, value, note } = await callOnce(idem, options, call, () => run.call(tool, input, context));
    if (text !== undefined || note === undefined) {
      return text ?? value;
    }
    return Array.isArray(value) ? [...value, { type: "text", text: note }] : modelText(value, note);
  };
  return { ...tool, run: once };
}
