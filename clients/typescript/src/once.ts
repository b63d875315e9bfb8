import { checkCallbacks, requireNoGenerator } from "./callbacks.js";
import { Refused } from "./errors.js";
import type { Operation, OperationOptions } from "./operation.js";
import { checkOptions, type Later, type Names } from "./options.js";
import { checkPolicy } from "./policy.js";
import { requireScope } from "./trial.js";

type OfTheCall = "scope" | "key" | "identity" | "content" | "arguments" | "labels" | "occurrence" | "signal";

/** Options of a function whose calls happen once. Functions get the arguments of the call, and its `this`. */
export interface OnceOptions<A extends unknown[]> extends Omit<OperationOptions, OfTheCall> {
  readonly scope?: string | ((...args: A) => Later<string>) | undefined;
  readonly key?: ((...args: A) => string) | undefined;
  /** The fields that make it this call. */
  readonly identity?: ((...args: A) => unknown) | undefined;
  readonly content?: ((...args: A) => unknown) | undefined;
  readonly labels?: ((...args: A) => Readonly<Record<string, string>>) | undefined;
  /** All arguments, where the policy says `approval`. */
  readonly arguments?: ((...args: A) => unknown) | undefined;
}

const NAMES: Names<OnceOptions<unknown[]>> = {
  scope: true,
  key: true,
  identity: true,
  content: true,
  labels: true,
  arguments: true,
  parent: true,
  policy: true,
  probe: true,
  definite: true,
  waitMs: true,
  codec: true,
};

export function once<A extends unknown[], R>(
  operation: (name: string, options: OperationOptions) => Operation,
  name: string,
  options: OnceOptions<A>,
  body: (...args: A) => R | Promise<R>,
): (...args: A) => Promise<R> {
  checkOptions(`once("${name}")`, options, NAMES);
  checkCallbacks(name, options);
  requireNoGenerator(`the function of '${name}'`, body);
  const { scope, key, identity, content, labels, arguments: all, ...rest } = options;
  checkPolicy(name, rest.policy ?? {});
  if (!key && !identity && rest.policy?.sideEffect !== "read") {
    throw new Refused(
      `once("${name}") has neither a key nor an identity. Add { identity: (…) => ({ … }) }, the arguments that make it this call`,
    );
  }
  return async function (this: unknown, ...args: A): Promise<R> {
    const given: OperationOptions = {
      ...rest,
      scope: typeof scope === "function" ? requireScope(await scope.apply(this, args), name) : scope,
      key: key?.apply(this, args),
      identity: identity?.apply(this, args),
      content: content?.apply(this, args),
      labels: labels?.apply(this, args),
      arguments: all?.apply(this, args),
    };
    if (key && given.key === undefined) {
      throw new Refused(`the key of '${name}' is undefined for this call. Nothing ran`);
    }
    return operation(name, given).run(() => body.apply(this, args));
  };
}
