import { isErrorClass } from "./callbacks.js";

/** Tells whether an error proves that the action had no effect: a function, an error class, or a list of them. */
export type Definite = ((error: unknown) => boolean) | ErrorClass | readonly ErrorClass[];

// biome-ignore lint/suspicious/noExplicitAny: constructors of errors take anything
export type ErrorClass = new (...args: any[]) => Error;

/**
 * Whether no connection was made at all, so that no request was sent: ECONNREFUSED, also as the cause of an error. Of a client
 * that retries, as the SDKs of OpenAI and Anthropic or `axios-retry` do, the last error tells nothing of the tries before, so
 * that theirs never count.
 */
export function connectionRefused(error: unknown): boolean {
  let refused = false;
  for (let each = error, depth = 0; typeof each === "object" && each !== null && depth < 10; depth++) {
    const { code, cause, errors } = each as { code?: unknown; cause?: unknown; errors?: unknown };
    if (Array.isArray(errors) && errors.length > 0) {
      // One for each address of the host. The code of the whole is that of one of them.
      return errors.every(connectionRefused);
    }
    if (hasRetried(each)) {
      return false;
    }
    refused ||= code === "ECONNREFUSED";
    each = cause;
  }
  return refused;
}

function hasRetried(error: object): boolean {
  const { config } = error as { config?: unknown };
  const isRetried = typeof config === "object" && config !== null && "axios-retry" in config;
  return isRetried || /^APIConnection/.test(String(error.constructor?.name));
}

export function isDefinite(rules: readonly (Definite | undefined)[]): (error: unknown) => boolean {
  const tests = rules.filter(each => each !== undefined).map(test);
  return error => tests.some(each => each(error));
}

function test(rule: Definite): (error: unknown) => boolean {
  if (Array.isArray(rule)) {
    return error => rule.some(each => error instanceof each);
  }
  if (isErrorClass(rule)) {
    return error => error instanceof (rule as ErrorClass);
  }
  return error => {
    const answer: unknown = (rule as (error: unknown) => unknown)(error);
    if (answer instanceof Promise) {
      answer.catch(() => {}); // it proves nothing, however it ends
    }
    return answer === true;
  };
}
