/** A response as the guard sees it. Names of headers are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Uint8Array;
  /** The handler has sent it already, while it wrote it. */
  readonly streamed?: boolean;
  /** The handler declares that it did nothing. */
  readonly notExecuted?: boolean;
}

/** The problems (RFC 9457) that a guard answers with: status, title, and what the client does next. */
const PROBLEMS = {
  "key-missing": [
    400,
    "%s is missing",
    "This request needs a key. Send it again with the header %s and a new unique value, for instance a UUID in quotes. Nothing was executed.",
  ],
  "key-malformed": [
    400,
    "%s is malformed",
    "Send the request again with one line of the header %s that has a quoted string of 1 to 255 printable ASCII characters, for instance a UUID in quotes. Nothing was executed.",
  ],
  "principal-missing": [
    401,
    "The caller is not authenticated",
    "A request with the header %s needs an authenticated caller, since keys belong to their caller. Authenticate, then send the same request again. Nothing was executed.",
  ],
  "path-ambiguous": [
    400,
    "The path is ambiguous",
    "The path of this request has an encoded slash, a backslash or a NUL, which servers read in different ways. Send the request again without them. Nothing was executed.",
  ],
  "body-too-large": [
    413,
    "The body is too large",
    "The body of this request is larger than requests with the header %s may be. Send less at a time. Nothing was executed.",
  ],
  "in-flight": [
    409,
    "A request is outstanding for this %s",
    "The first request with this key still runs. Wait a second, then send the same request with the same %s to get its response. This request executed nothing.",
  ],
  "in-doubt": [
    409,
    "The outcome of the first request is unknown",
    "The first request with this key may or may not have taken effect, and it was not executed again. Do not send it with a new %s: that could do the work twice. Ask the operator of this service to resolve it, then send the same request with the same key to get the response.",
  ],
  "result-not-kept": [
    409,
    "The response was not kept",
    "The first request with this key was executed, but its response was too large or was streamed, so it can't be sent again. Look up the result by other means. Use a new %s only for new work. This request executed nothing.",
  ],
  expired: [
    410,
    "%s has expired",
    "A request with this key was executed long ago, and its response is no longer kept. Use a new %s for new work. This request executed nothing.",
  ],
  "key-reused": [
    422,
    "%s is already used",
    "The first request with this key had another path, query or body. Send that request unchanged, or use a new %s for this one. This request executed nothing.",
  ],
  "not-executed": [
    503,
    "The request was not executed",
    "The service could not execute the request with this key, and nothing took effect. Wait a second, then send the same request with the same %s: it will be executed.",
  ],
  "ledger-unavailable": [
    503,
    "The record of requests is unavailable",
    "The service can't tell whether this request was executed before, so it executed nothing. Send the same request with the same %s later.",
  ],
} as const satisfies Record<string, readonly [number, string, string]>;

export type ProblemName = keyof typeof PROBLEMS;

export const DOUBT_PASSES =
  "The first request with this key may or may not have taken effect, and it was not executed again. Send the same request with the same key later: the service is finding out.";
export const STEP_REFUSED =
  "A step of this request was refused: it runs elsewhere, its outcome is unknown, or it was done with other values. Earlier steps may have taken effect. Do not send the request with a new %s: that could do the work twice. Ask the operator of this service to resolve it, then send the same request with the same key to get the response.";
export const RESOLVED_WITHOUT_RESPONSE =
  "The first request with this key was executed. A person found that out and recorded no response, so none can be sent again. Look up the result by other means. Use a new %s only for new work. This request executed nothing.";
export const DAMAGED =
  "The first request with this key was executed, but the stored response is damaged, or has a form that this service can't read. Look up the result by other means. Use a new %s only for new work. This request executed nothing.";

const MEDIA_TYPE = "application/problem+json";
const URN = "urn:idem:problem:";
const RETRY_AFTER: Partial<Record<ProblemName, string>> = {
  "in-flight": "1",
  "not-executed": "1",
  "ledger-unavailable": "5",
};

/** A problem as a response. */
export function problemResponse(
  name: ProblemName,
  keyHeader: string,
  challenge: string,
  detail?: string,
): HttpResponse {
  const [status, title, usual] = PROBLEMS[name];
  const members = {
    type: URN + name,
    title: title.replaceAll("%s", keyHeader),
    status,
    detail: (detail ?? usual).replaceAll("%s", keyHeader),
  };
  const retryAfter = RETRY_AFTER[name];
  return {
    status,
    headers: {
      "content-type": [MEDIA_TYPE],
      "cache-control": ["no-store"],
      ...(status === 401 ? { "www-authenticate": [challenge] } : {}),
      ...(retryAfter === undefined ? {} : { "retry-after": [retryAfter] }),
    },
    body: Buffer.from(JSON.stringify(members)),
    notExecuted: true,
  };
}

/** Whether a response is a problem of a guard. */
export function isProblem(response: HttpResponse): boolean {
  if (!response.headers["content-type"]?.some(type => type.startsWith(MEDIA_TYPE))) {
    return false;
  }
  try {
    const { type } = JSON.parse(Buffer.from(response.body).toString()) as { type?: unknown };
    return typeof type === "string" && type.startsWith(URN) && type.slice(URN.length) in PROBLEMS;
  } catch {
    return false;
  }
}
