import { checkCallbacks } from "../callbacks.js";
import { context } from "../context.js";
import { type Definite, isDefinite } from "../definite.js";
import { Refused } from "../errors.js";
import type { Idem } from "../idem.js";
import { checkOptions, type Later, type Names, nearest } from "../options.js";
import { checkPolicy, type Policy } from "../policy.js";
import { type GuardOptions, RULE_NAMES, type ToolAnswer, type ToolEnding, toolOf, unthrown } from "../tool.js";
import { type Codec, json } from "../values.js";

/** The arguments of a call, as a model gives them. */
// biome-ignore lint/suspicious/noExplicitAny: each tool has arguments of its own
export type Arguments = Record<string, any>;

/** What is declared about one tool: its side effect alone, or any options of a guarded tool. */
export type ToolRule = NonNullable<Policy["sideEffect"]> | Omit<GuardOptions<Arguments>, "name" | "scope">;

/** Options for the tools of an agent; `C` is the framework's own context of a call. */
export interface AgentOptions<C> {
  /** The task that the calls belong to: an order, a ticket, a job. Without it, the scope around the call counts; a function must name one. */
  readonly scope?: string | ((context: C) => Later<string>);
  /** Declarations by the name of the tool. A tool without one is a write, and all its arguments are its identity. */
  readonly tools?: Readonly<Record<string, ToolRule>>;
}

/** How one call of a tool is made. */
export interface ToolCall<C> {
  readonly name: string;
  readonly args: unknown;
  readonly context: C;
  readonly signal?: AbortSignal | null | undefined;
  /** The scope that the framework knows, where neither an option nor `idem.scope(…)` around the call says another. */
  readonly scope?: string | undefined;
  /** How a user of the framework names that scope. */
  readonly scopeHint?: string;
  /** A key that the caller keeps over its repeats. */
  readonly key?: string;
  /** The names of the tool's arguments, where its schema tells them. */
  readonly fields?: readonly string[] | undefined;
  /** What the framework needs, and a declaration of the user may add to. */
  readonly usual?: { readonly policy?: Policy; readonly definite?: Definite; readonly codec?: Codec<unknown> };
}

/** Calls a tool once; every ending of the ledger is an answer. Throws the tool's error if it proves that nothing happened. */
export async function callOnce<C>(
  idem: Idem,
  options: AgentOptions<C>,
  call: ToolCall<C>,
  execute: () => unknown,
): Promise<ToolAnswer<unknown>> {
  return unthrown(await endingOf(idem, options, call, execute));
}

/** As callOnce, but an error of the tool that proves that nothing happened is a part of the answer. */
export async function endingOf<C>(
  idem: Idem,
  options: AgentOptions<C>,
  call: ToolCall<C>,
  execute: () => unknown,
): Promise<ToolEnding<unknown>> {
  const declared = options.tools?.[call.name];
  const rule = typeof declared === "string" ? { policy: policyOf(declared) } : declared;
  checkFields(call.name, rule, call.fields);
  const { scope } = options;
  const tool = toolOf<Arguments, unknown>(
    idem,
    {
      // A model reads the result as JSON in any case, so dates and undefined members need no codec of their own.
      codec: call.usual?.codec ?? json,
      ...rule,
      policy: { ...call.usual?.policy, ...rule?.policy },
      definite: isDefinite([call.usual?.definite, rule?.definite]),
      name: call.name,
      scope: typeof scope === "function" ? () => scope(call.context) : scope,
    },
    execute,
  );
  const surrounding = context().scope === undefined ? call.scope : undefined;
  const about = { scope: surrounding, key: call.key, signal: call.signal ?? undefined };
  const answer = await tool((call.args ?? {}) as Arguments, about).catch(thrown => {
    const error =
      thrown instanceof Refused && thrown.code === "no_scope" ? withoutScope(call.name, call.scopeHint) : thrown;
    if (error instanceof Refused) {
      warnOnce(call.name, error.message);
    }
    throw error;
  });
  if (answer.kind === "unrecorded") {
    return { kind: answer.kind, text: modelText(answer.value, answer.text) };
  }
  return "value" in answer ? { ...answer, value: shown(call.name, answer.value) } : answer;
}

/** A user of a framework has no operation to add the scope to. */
function withoutScope(name: string, hint = 'Give the option { scope: "order-7" } with your tools'): Refused {
  return new Refused(
    `'${name}' has neither a scope nor a key, so equal calls of different tasks would be one. ${hint}, or run the ` +
      'agent inside idem.scope("order-7", …). Nothing ran',
    "no_scope",
  );
}

const warned = new Set<string>();

/** Some frameworks show an error to the model alone, and its author wonders why the tool does not run. */
export function warnOnce(tool: string, message: string): void {
  if (!warned.has(tool)) {
    warned.add(tool);
    process.emitWarning(message, "IdemWarning");
  }
}

/** Refuses a mistyped field: calls that differ in the field that was meant would be one. */
function checkFields(
  name: string,
  rule: Omit<GuardOptions<Arguments>, "name" | "scope"> | undefined,
  fields: readonly string[] | undefined,
): void {
  for (const named of [rule?.identity, rule?.content]) {
    const unknown =
      Array.isArray(named) && fields !== undefined ? named.find(each => !fields.includes(each)) : undefined;
    if (unknown !== undefined) {
      throw new Refused(`the tool '${name}' has no argument '${unknown}'; it has ${fields?.join(", ")}. Nothing ran`);
    }
  }
}

/** The names of the arguments in a schema: of zod, a JSON Schema, or the raw shape of zod types that the MCP SDK takes. */
export function fieldsOf(schema: unknown): string[] | undefined {
  if (typeof schema !== "object" || schema === null) {
    return undefined;
  }
  const types = Object.values(schema);
  if (types.length > 0 && types.every(each => typeof each === "object" && each !== null && "_def" in each)) {
    return Object.keys(schema);
  }
  const { shape, properties, jsonSchema } = schema as Record<string, unknown>;
  const known = shape ?? properties ?? (jsonSchema as { properties?: unknown } | undefined)?.properties;
  return typeof known === "object" && known !== null ? Object.keys(known) : undefined;
}

const AGENT_NAMES: Names<AgentOptions<unknown>> = { scope: true, tools: true };

/**
 * Refuses options, and declarations of tools, that do not exist: a mistyped name would leave a tool with the usual rules.
 *
 * @param names the tools, where they are known
 */
export function checkAgent(
  what: string,
  options: AgentOptions<never>,
  names?: readonly string[],
  known: Readonly<Record<string, true>> = AGENT_NAMES,
): void {
  checkOptions(what, options, known);
  for (const [name, rule] of Object.entries(options.tools ?? {})) {
    if (names !== undefined && !names.includes(name)) {
      const meant = nearest(name, names);
      const instead = meant === undefined ? `the tools are ${names.join(", ")}` : `did you mean '${meant}'?`;
      throw new Refused(`${what}: there is no tool '${name}'; ${instead}`);
    }
    const given = typeof rule === "string" ? {} : rule;
    checkOptions(`the tool '${name}'`, given, RULE_NAMES);
    checkCallbacks(name, given);
    checkPolicy(name, policyOf(rule));
  }
}

function policyOf(rule: ToolRule): Policy {
  return typeof rule === "string" ? { sideEffect: rule } : (rule.policy ?? {});
}

/** A text for the model: the value as a model reads it, with the note that it is an earlier one. */
export function modelText(value: unknown, note: string | undefined): string {
  const text = typeof value === "string" ? value : (jsonText(value) ?? UNSHOWN);
  return note === undefined ? text : `${text}\n\n${note}`;
}

const UNSHOWN = "(its result can't be shown)";

/** JSON for a model: an integer beyond 2^53 is a text with its digits. Undefined for a value that has no JSON. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each)) ?? "null";
  } catch {
    return undefined;
  }
}

/** A value that a framework can make JSON of. The tool has run, so an error of `JSON.stringify` must not come after it. */
function shown(tool: string, value: unknown): unknown {
  if (typeof value === "object" && value !== null && "lg_name" in value) {
    return value; // a command of LangGraph, which never becomes JSON here
  }
  try {
    JSON.stringify(value);
    return value;
  } catch {
    const text = jsonText(value);
    return text === undefined ? `'${tool}' ran and has taken effect. ${UNSHOWN}` : JSON.parse(text);
  }
}
