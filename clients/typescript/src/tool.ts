import type { Call } from "./call.js";
import { checkCallbacks, requireNoGenerator } from "./callbacks.js";
import type { Definite } from "./definite.js";
import { Refused } from "./errors.js";
import type { Idem } from "./idem.js";
import { tellWarnings } from "./operation.js";
import { checkOptions, type Later, type Names } from "./options.js";
import type { Kind, Outcome } from "./outcome.js";
import { checkPolicy, type Policy } from "./policy.js";
import type { Probe } from "./spec.js";
import { requireScope } from "./trial.js";
import { type Codec, dropped } from "./values.js";

/** How a tool is guarded. */
export interface GuardOptions<A> {
  /** The tool's name, which is the operation. */
  readonly name: string;
  /**
   * The task; the context of a call, or `idem.scope(…)` around it, may name it instead. A function must name one: what it
   * does not know never falls back to a scope that others share.
   */
  readonly scope?: string | ((args: A) => Later<string>) | undefined;
  /** The names of the arguments that make it this call, or a function of the arguments; else all arguments that are neither content nor ignored. */
  readonly identity?: readonly (keyof A & string)[] | ((args: A) => unknown) | undefined;
  /** The names of arguments that a model may reword, or a function of the arguments. */
  readonly content?: readonly (keyof A & string)[] | ((args: A) => unknown) | undefined;
  /** The names of arguments that are neither; only names, and no argument that is identity or content. */
  readonly ignored?: readonly (keyof A & string)[] | undefined;
  /** A key that the caller keeps across retries. Never the call id of a model. */
  readonly key?: ((args: A) => string | undefined) | undefined;
  readonly policy?: Policy | undefined;
  readonly probe?: Probe | undefined;
  readonly definite?: Definite | undefined;
  readonly codec?: Codec<unknown> | undefined;
  /** How the tool is called in texts for the model; its name. */
  readonly describe?: string | undefined;
}

/** The options of a guarded tool that a declaration by its name may have. */
export const RULE_NAMES: Names<Omit<GuardOptions<unknown>, "name" | "scope">> = {
  identity: true,
  content: true,
  ignored: true,
  key: true,
  policy: true,
  probe: true,
  definite: true,
  codec: true,
  describe: true,
};
const NAMES: Names<GuardOptions<unknown>> = { name: true, scope: true, ...RULE_NAMES };

/** What a framework knows about one call of a tool. */
export interface ToolContext {
  readonly scope?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly key?: string | undefined;
}

/** The answer for the model. With `done` and `replayed` there is a `value`, unless its result is gone; else a `text`. */
export interface ToolAnswer<R> {
  readonly kind: Kind;
  readonly value?: R;
  /** What the model should read instead of a value. */
  readonly text?: string;
  /** With `replayed`: that this is an earlier result. */
  readonly note?: string;
}

/** An answer, with the error of the tool that proved that nothing happened. */
export interface ToolEnding<R> extends ToolAnswer<R> {
  readonly thrown?: unknown;
}

/**
 * Guards a tool, for any framework. Endings of the ledger are answers, because frameworks add words to a thrown error that
 * invite the model to try again. It throws an error of the tool that proves that nothing happened, and programming errors.
 */
export function guardTool<A, R>(
  idem: Idem,
  options: GuardOptions<A>,
  execute: (args: A, call: Call) => R | Promise<R>,
): (args: A, context?: ToolContext) => Promise<ToolAnswer<R>> {
  const tool = toolOf(idem, options, execute);
  return async (args, context) => unthrown(await tool(args, context));
}

/** An answer; throws the error of a tool that proves that nothing happened. */
export function unthrown<R>(answer: ToolEnding<R>): ToolAnswer<R> {
  if ("thrown" in answer) {
    throw answer.thrown;
  }
  return answer;
}

/** As guardTool, but an error of the tool that proves that nothing happened is a part of the answer. */
export function toolOf<A, R>(
  idem: Idem,
  options: GuardOptions<A>,
  execute: (args: A, call: Call) => R | Promise<R>,
): (args: A, context?: ToolContext) => Promise<ToolEnding<R>> {
  const { name, policy, probe, definite, codec } = options;
  if (!name) {
    throw new Refused("a guarded tool needs a name");
  }
  checkOptions(`the tool '${name}'`, options, NAMES);
  checkCallbacks(name, options);
  checkFields(options);
  requireNoGenerator(`the function of '${name}'`, execute);
  checkPolicy(name, policy ?? {});
  return async (args, context = {}) => {
    const key = context.key ?? options.key?.(args);
    const scope = typeof options.scope === "function" ? requireScope(await options.scope(args), name) : options.scope;
    const operation = idem.operation(name, {
      scope: scope === undefined ? context.scope : scope,
      key,
      identity: identityOf(options, args, key),
      content: picked(options.content, args),
      arguments: policy?.approval ? defined(args) : undefined,
      policy,
      probe,
      definite,
      codec,
      signal: context.signal,
    });
    const outcome = await operation.attempt<R>(call => execute(args, call));
    if (outcome.kind === "done") {
      tellWarnings(operation, outcome); // a replay tells its own in the note
    }
    return answer(outcome, options.describe ?? name);
  };
}

/** Refuses what does not tell which arguments make it this call. */
function checkFields<A>({ name, identity, content, ignored }: GuardOptions<A>): void {
  const lists = [identity, content, ignored].filter(each => each !== undefined && typeof each !== "function");
  for (const each of [...lists, ignored ?? []]) {
    if (!Array.isArray(each)) {
      throw new Refused(`the fields of the tool '${name}' are a list of names of arguments`);
    }
  }
  const names = lists.flat();
  const twice = names.find((each, i) => names.indexOf(each) !== i);
  if (twice !== undefined) {
    throw new Refused(`'${twice}' of the tool '${name}' can be only one of identity, content and ignored`);
  }
  if (identity === undefined && typeof content === "function") {
    throw new Refused(
      `content of the tool '${name}' is a function, so nobody can tell which arguments are the identity: give identity`,
    );
  }
}

function identityOf<A>(options: GuardOptions<A>, args: A, key: string | undefined): unknown {
  const named = options.identity;
  if (named !== undefined) {
    const given = args as Record<string, unknown> | undefined;
    if (Array.isArray(named) && named.length > 0 && named.every(each => given?.[each] === undefined)) {
      throw new Refused(
        `the call of '${options.name}' has none of the arguments ${named.join(", ")}, so all its calls would be one. ` +
          "Name arguments that the tool has as its identity. Nothing ran",
      );
    }
    return picked(named, args);
  }
  const all = defined(args);
  const content = typeof options.content === "function" ? [] : (options.content ?? []);
  const left: readonly string[] = [...content, ...(options.ignored ?? [])];
  if (left.length > 0 && isRecord(all)) {
    return Object.fromEntries(Object.entries(all).filter(([each]) => !left.includes(each)));
  }
  return all === undefined && key === undefined ? {} : all;
}

function picked<A>(how: GuardOptions<A>["identity"], args: A): unknown {
  if (typeof how === "function") {
    return how(args);
  }
  if (how === undefined) {
    return undefined;
  }
  const all = args as Record<string, unknown>;
  return dropped(Object.fromEntries(how.map(each => [each, all?.[each]])));
}

/** The arguments as JSON had them: a member that is undefined was absent. */
function defined(args: unknown): unknown {
  return isRecord(args) ? dropped(args) : args;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function answer<R>(outcome: Outcome<R>, tool: string): ToolEnding<R> {
  switch (outcome.kind) {
    case "done":
      return { kind: "done", value: outcome.value };
    case "replayed": {
      if (outcome.unavailable !== undefined) {
        return { kind: "replayed", text: outcome.forModel };
      }
      const when = outcome.ranAt === undefined ? "" : ` at ${outcome.ranAt.replace(/\.\d+Z$/, "Z")}`;
      const reworded = outcome.warnings.length === 0 ? "" : ` ${outcome.warnings.join(" ")}`;
      const note = `'${tool}' was done before${when}, with the same arguments; the first result is shown. Nothing was done again.${reworded}`;
      return { kind: "replayed", value: outcome.value, note };
    }
    case "failed":
      return {
        kind: "failed",
        text: outcome.forModel,
        ...("thrown" in outcome && { thrown: outcome.thrown }),
      };
    case "unrecorded":
      return { kind: "unrecorded", value: outcome.value, text: outcome.forModel };
    default:
      return { kind: outcome.kind, text: outcome.forModel };
  }
}
