const DEEPEST = 10;
/** The classes of Anthropic's, OpenAI's and Stripe's clients below which are the errors that they make from responses. */
const CLIENTS = /^(APIError|StripeError)$/;

/**
 * Whether an error carries an answer of the remote, so that nothing of its request acts any more. Only errors that an HTTP
 * client makes from a response count. A status alone proves nothing: servers throw errors with one, too, for instance after
 * a time-out of their own request. Java and Python have the same rule, and their tests read the same cases.
 */
export function isAnswered(thrown: unknown): boolean {
  try {
    let each = thrown;
    for (let depth = 0; typeof each === "object" && each !== null && depth < DEEPEST; depth++) {
      const status = statusOf(each);
      if (status !== undefined) {
        return endsTheWork(status);
      }
      each = (each as { cause?: unknown }).cause;
    }
  } catch {
    // What can't be read tells nothing.
  }
  return false;
}

/** Whether a status ends the work on a request. Gateways give some for requests that they have passed on. */
export function endsTheWork(status: number): boolean {
  return status >= 400 && status < 520 && ![408, 499, 502, 503, 504].includes(status);
}

function statusOf(error: object): number | undefined {
  const { response, $response } = error as { response?: unknown; $response?: unknown };
  return inResponse(response) ?? inResponse($response) ?? (isOfClient(error) ? inResponse(error) : undefined);
}

/** The status of a whole response, which has headers. */
function inResponse(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const { status, statusCode, headers } = value as { status?: unknown; statusCode?: unknown; headers?: unknown };
  const found = status ?? statusCode;
  const whole = typeof headers === "object" && headers !== null;
  return whole && typeof found === "number" && Number.isInteger(found) ? found : undefined;
}

function isOfClient(error: object): boolean {
  for (let each = Object.getPrototypeOf(error); each !== null; each = Object.getPrototypeOf(each)) {
    if (CLIENTS.test(String(each.constructor?.name))) {
      return true;
    }
  }
  return false;
}
