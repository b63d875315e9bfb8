import { requireNoGenerator } from "../callbacks.js";
import { Refused } from "../errors.js";
import type { Idem } from "../idem.js";
import { type Later, type Names, requireName } from "../options.js";
import type { Duration } from "../policy.js";
import { type AgentOptions, callOnce, checkAgent, fieldsOf, modelText, type ToolRule } from "./common.js";

/** What the MCP SDK tells a handler about a call. */
export interface McpExtra {
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  /** There for requests over HTTP. */
  readonly requestInfo?: unknown;
  readonly authInfo?: { readonly clientId?: string; readonly extra?: Readonly<Record<string, unknown>> } | undefined;
}

export interface McpOptions<E extends McpExtra> extends Omit<AgentOptions<E>, "scope"> {
  /** The name of the server. Its calls are told apart from those of other servers by it. */
  readonly name: string;
  /**
   * Who calls, from what authentication has found out. A server over HTTP needs it: no user may get the result of another.
   * The client's id is not a user, since all users of a host share it.
   */
  readonly user?: (extra: E) => Later<string | undefined>;
  /** The task that calls belong to, where the host gives none in `_meta["dev.idem/session"]`; `default`. */
  readonly session?: string;
  /** How long a result answers in the session `default`, where the same call may be meant again tomorrow; 15 min. */
  readonly repeatWindow?: Duration;
}

const NAMES: Names<McpOptions<McpExtra>> = { name: true, user: true, session: true, repeatWindow: true, tools: true };

/** A handler reported an error as its result (`isError`), which does not prove that nothing happened. */
export class ToolReportedError extends Error {
  constructor(readonly result: ToolResult) {
    super("the tool reported an error");
    this.name = "ToolReportedError";
  }
}

export interface ToolResult {
  readonly content?: readonly object[];
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface Config {
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

type Handler = (...args: unknown[]) => unknown;

interface Server {
  registerTool(name: string, config: Config, handler: Handler): unknown;
}

/**
 * Guards the tools that are registered on a server after this call: each handler runs once for a call. A tool whose
 * annotations say `readOnlyHint` just runs.
 *
 * @example
 * guardServer(idem, server, { name: "shop" }).registerTool("charge", config, handler);
 */
export function guardServer<S extends object, E extends McpExtra = McpExtra>(
  idem: Idem,
  server: S,
  options: McpOptions<E>,
): S {
  checkAgent("guardServer", options, undefined, NAMES);
  const { name, session } = options;
  requireName(
    "the name of guardServer",
    name,
    "Give the name of the server, which tells its calls from those of others",
  );
  if (session !== undefined) {
    requireName("the session of guardServer", session, "Give the task as a text that is not blank, or leave it out");
  }
  const target = server as unknown as Server & { tool?: unknown; _registeredTools?: object };
  if (Object.keys(target._registeredTools ?? {}).length > 0) {
    throw new Refused(
      "the server has tools already, which would not be guarded; call guardServer before you register them",
    );
  }
  const register = target.registerTool.bind(server);
  target.registerTool = (name, config, handler) =>
    register(name, config, guarded(idem, options, name, config, handler));
  target.tool = () => {
    throw new Refused("a guarded server takes tools with registerTool(name, config, handler), not with tool(…)");
  };
  return server;
}

function guarded<E extends McpExtra>(
  idem: Idem,
  options: McpOptions<E>,
  name: string,
  config: Config,
  handler: Handler,
): Handler {
  requireNoGenerator(`the handler of the tool '${name}'`, handler);
  const takesInput = config.inputSchema !== undefined;
  if (isRead(options.tools?.[name], config)) {
    return handler;
  }
  return async (...given) => {
    const extra = given[takesInput ? 1 : 0] as E;
    const { scope, isDefault } = await place(options, extra);
    const key = extra._meta?.["dev.idem/key"];
    const window = isDefault && key === undefined ? { policy: { retention: options.repeatWindow ?? "15m" } } : {};
    const call = {
      name,
      args: takesInput ? given[0] : {},
      context: extra,
      scope,
      usual: window,
      fields: fieldsOf(config.inputSchema),
      // A key that is neither a text nor a number is refused.
      ...(key === undefined ? {} : { key: typeof key === "number" ? String(key) : (key as string) }),
    };
    let reported: ToolResult | undefined;
    try {
      // A call that the host has cancelled goes on, and its result is kept for the repeat.
      const answer = await callOnce(idem, { ...options, scope }, call, async () => {
        const result = (await handler(...given)) as ToolResult | undefined;
        if (result?.isError === true) {
          reported = result;
          throw new ToolReportedError(result);
        }
        return result;
      });
      if (answer.text !== undefined) {
        return told(answer.kind, answer.text, config, reported);
      }
      return answer.note === undefined ? answer.value : replayed(answer.value, answer.note);
    } catch (error) {
      if (error instanceof ToolReportedError) {
        return error.result;
      }
      throw error;
    }
  };
}

/** What the author declares counts more than the hint to hosts. */
function isRead(rule: ToolRule | undefined, { annotations }: Config): boolean {
  const declared = typeof rule === "string" ? rule : rule?.policy?.sideEffect;
  return declared === undefined
    ? rule === undefined && annotations?.readOnlyHint === true && annotations.destructiveHint !== true
    : declared === "read";
}

async function place<E extends McpExtra>(
  options: McpOptions<E>,
  extra: E,
): Promise<{ scope: string; isDefault: boolean }> {
  const given = extra._meta?.["dev.idem/session"];
  const session =
    given === undefined
      ? (options.session ?? "default")
      : requireName('the session of the call, _meta["dev.idem/session"],', given, "Name the task, or leave it out");
  const user = await options.user?.(extra);
  if (options.user !== undefined ? user === undefined || user === null || user === "" : isRemote(extra)) {
    throw new Refused(
      options.user === undefined
        ? "the server is reached over HTTP, and nothing says who calls; add user: extra => … to guardServer(…), from what authentication found out. Nothing ran"
        : "the caller is not authenticated, so the call belongs to nobody. Nothing ran",
    );
  }
  const parts = [options.name, session];
  if (options.user !== undefined) {
    const instead =
      "Return a text that is the same for each call of this user and for no other user, such as extra.authInfo.extra.sub";
    parts.splice(1, 0, requireName("the user that the option user of guardServer returns", user, instead));
  }
  return { scope: `mcp:${parts.map(encodeURIComponent).join(":")}`, isDefault: session === "default" };
}

function isRemote(extra: McpExtra): boolean {
  return extra.requestInfo !== undefined || extra.authInfo !== undefined;
}

/**
 * An ending in words, after the error that the tool has reported, if it did. Clients check the results of a tool with an
 * output schema, unless they are errors.
 */
function told(kind: string, text: string, config: Config, reported: ToolResult | undefined): ToolResult {
  return {
    ...reported,
    content: [...(reported?.content ?? []), { type: "text", text }],
    ...(config.outputSchema === undefined ? {} : { isError: true }),
    _meta: { ...reported?._meta, "dev.idem/status": kind },
  };
}

function replayed(value: unknown, note: string): ToolResult {
  const result = value as ToolResult | null;
  const status = { "dev.idem/status": "replayed" };
  if (typeof result !== "object" || result === null || !Array.isArray(result.content ?? [])) {
    // A person who settled a doubt has given something else.
    return { content: [{ type: "text", text: modelText(value, note) }], _meta: status };
  }
  return {
    ...result,
    content: [...(result.content ?? []), { type: "text", text: note }],
    _meta: { ...result._meta, ...status },
  };
}
