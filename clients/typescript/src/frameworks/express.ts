import type { Idem } from "../idem.js";
import { Capture, type ServerResponse } from "./http/capture.js";
import { type RoutedRequest, routeOf } from "./http/express-routes.js";
import { mediaTypeOf, type RequestBody, sentAndRead } from "./http/fingerprint.js";
import { BodyTooLarge, type Handled, HttpGuard, type HttpOptions, type IncomingRequest } from "./http/guard.js";
import type { HttpResponse } from "./http/problems.js";

export type { HttpOptions } from "./http/guard.js";

/** The part of a request of Express that the guard reads. */
export interface ExpressRequest extends RoutedRequest {
  readonly originalUrl?: string | undefined;
  readonly url?: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly body?: unknown;
  /** The bytes of the body, where the platform or a parser keeps them. */
  readonly rawBody?: unknown;
  /** Whether a parser has read the body to its end. */
  readonly readableEnded?: boolean | undefined;
}

export interface ExpressOptions<R> extends HttpOptions<R> {
  /** What the body says, for a request whose parser does not put it into `request.body`, such as an upload. */
  readonly body?: (request: R) => unknown | Promise<unknown>;
}

/**
 * A middleware for Express that runs the handlers behind it once for each `Idempotency-Key` of a caller. Put it behind
 * authentication and behind the parser of the body.
 *
 * @example
 * app.use(express.json(), authenticate, idempotency(idem, { principal: request => request.user.id }));
 */
export function idempotency<R extends ExpressRequest>(idem: Idem, options: ExpressOptions<R>) {
  const { body: _, ...others } = options;
  const guard = new HttpGuard<R>(idem, others);
  return (request: R, response: ServerResponse, next: (error?: unknown) => void): void => {
    if (Capture.of(response) !== undefined) {
      next(); // A guard before this one has the request.
      return;
    }
    let began = false;
    const run = (echo: string): Promise<Handled> => {
      began = true;
      const capture = new Capture(response, guard.largestStoredBody, { [guard.keyHeader]: echo });
      next();
      return capture.ended;
    };
    guard
      .handle(request, incoming(request, options), (_, echo) => run(echo))
      .then(
        reply => {
          if (reply.kind === "unguarded") {
            next();
          } else if (reply.kind === "send") {
            sendOn(response, reply.response);
          }
        },
        error => {
          // The response of a handler that ran is lost with an error like this one, so its client must not get none at all.
          Capture.release(response);
          if (!began) {
            next(error);
          } else if (!response.headersSent) {
            sendOn(response, { status: 500, headers: {}, body: new Uint8Array() });
          }
        },
      );
  };
}

/** Declares that the handler of this response did nothing, so that the key may be used again. Call it before you answer. */
export function notExecuted(response: object): void {
  Capture.of(response)?.declareNotExecuted();
}

function incoming<R extends ExpressRequest>(request: R, options: ExpressOptions<R>): IncomingRequest {
  const read = `${request.baseUrl ?? ""}${request.url ?? ""}`;
  const [path, query] = split(request.originalUrl ?? read);
  const [readPath, readQuery] = split(read);
  const lines = (name: string): string[] =>
    request.rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1]?.toLowerCase() === name);
  return {
    method: request.method,
    path: sentAndRead(path, readPath),
    query: readQuery === query ? query : `${query} -> ${readQuery}`,
    route: routeOf(request),
    contentType: lines("content-type")[0] ?? "",
    lines,
    body: largest => bodyOf(request, lines, options, largest),
  };
}

function split(target: string): [path: string, query: string] {
  const [path = "", ...query] = target.split("?");
  return [path, query.join("?")];
}

async function bodyOf<R extends ExpressRequest>(
  request: R,
  lines: (name: string) => string[],
  options: ExpressOptions<R>,
  largest: number,
): Promise<RequestBody> {
  const length = lines("content-length")[0];
  if (Number(length ?? 0) > largest) {
    throw new BodyTooLarge();
  } else if (options.body !== undefined) {
    return { parsed: await options.body(request) };
  } else if (lines("transfer-encoding").length === 0 && Number(length ?? 0) === 0) {
    return { bytes: new Uint8Array() };
  } else if (request.rawBody instanceof Uint8Array) {
    return { bytes: request.rawBody };
  } else if (request.body === undefined || request.readableEnded !== true || isUpload(lines("content-type")[0])) {
    throw new Error(
      `the body of ${request.method} ${request.originalUrl} can't be compared, so two different requests would look alike. Put a parser for its content type before idempotency(…), for instance express.json(), or give the option 'body' for an upload. Nothing ran`,
    );
  }
  return { parsed: request.body };
}

/** The files of an upload are not in the parsed body. */
function isUpload(contentType: string | undefined): boolean {
  return mediaTypeOf(contentType ?? "").startsWith("multipart/");
}

function sendOn(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  for (const name of response.getHeaderNames()) {
    // Headers of middleware before the guard, such as those for CORS, stay. The handler's own are in the response.
    if (Capture.of(response) !== undefined && !(name in headers)) {
      response.removeHeader(name);
    }
  }
  Capture.release(response);
  response.statusCode = status;
  for (const [name, lines] of Object.entries(headers)) {
    response.setHeader(name, lines.length === 1 ? (lines[0] as string) : [...lines]);
  }
  response.removeHeader("transfer-encoding");
  if (status !== 204 && status !== 304) {
    response.setHeader("content-length", String(body.length));
  }
  response.end(body);
}
