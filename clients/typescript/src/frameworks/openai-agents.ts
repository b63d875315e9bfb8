import { requireNoGenerator } from "../callbacks.js";
import { Refused } from "../errors.js";
import type { Idem } from "../idem.js";
import { checkOptions } from "../options.js";
import { RULE_NAMES } from "../tool.js";
import { type AgentOptions, callOnce, checkAgent, fieldsOf, modelText, type ToolRule } from "./common.js";

/** The run's context of the OpenAI Agents SDK. */
export interface AgentsContext {
  /** What the caller gave the run: `run(agent, input, { context })`. */
  readonly context?: unknown;
}

interface AgentsTool {
  readonly name?: string;
  readonly parameters?: unknown;
  readonly outputSchema?: unknown;
  execute(input: never, context?: never, details?: never): unknown;
}

/**
 * Guards a tool of the OpenAI Agents SDK, before `tool(…)` is made of its options.
 *
 * @example
 * const charge = tool(once(idem, { name: "charge", parameters, execute }, { scope: orderId }));
 */
export function once<T extends object>(
  idem: Idem,
  options: T & AgentsTool,
  guard: Omit<AgentOptions<AgentsContext>, "tools"> & Exclude<ToolRule, string> = {},
): T {
  const name = options.name ?? options.execute.name;
  if (name === "" || name === undefined) {
    throw new Refused('a guarded tool needs a name; add name: "…"');
  } else if (options.outputSchema !== undefined) {
    // A text about a doubt would not fit the schema, and the SDK ends the run for that.
    throw new Refused(`the tool '${name}' has an outputSchema, so a doubt can't be told to the model; leave it out`);
  }
  const { scope, ...rule } = guard;
  const rules: AgentOptions<AgentsContext> = { ...(scope === undefined ? {} : { scope }), tools: { [name]: rule } };
  checkOptions(`the tool '${name}'`, guard, { scope: true, ...RULE_NAMES });
  checkAgent("once", rules);
  requireNoGenerator(`execute of the tool '${name}'`, options.execute);
  const run = options.execute as (input: unknown, context?: AgentsContext, details?: Details) => unknown;
  const execute = async (input: unknown, context?: AgentsContext, details?: Details): Promise<unknown> => {
    const fields = fieldsOf(options.parameters);
    const call = { name, args: input, context: context ?? {}, signal: details?.signal, fields };
    const answer = await callOnce(idem, rules, call, () => run.call(options, input, context, details));
    return answer.text ?? (answer.note === undefined ? answer.value : modelText(answer.value, answer.note));
  };
  return { ...options, name, execute };
}

interface Details {
  readonly signal?: AbortSignal;
}
