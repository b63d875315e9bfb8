import { IdemError } from "../errors.js";
import type { Idem } from "../idem.js";
import { onePath, sentAndRead } from "./http/fingerprint.js";
import {
  BodyTooLarge,
  type Handled,
  HttpGuard,
  type HttpOptions,
  type IncomingRequest,
  type Reply,
} from "./http/guard.js";
import type { HttpResponse } from "./http/problems.js";
import { honoTemplate, isBroad } from "./http/templates.js";

export type { HttpOptions } from "./http/guard.js";

/** The part of a context of Hono that the guard uses. */
export interface HonoContext {
  readonly req: {
    readonly method: string;
    readonly url: string;
    /** The path by which Hono routes, decoded in part. */
    readonly path: string;
    readonly raw: Request;
    /** The routes and the middleware that match the request, in their order. */
    readonly matchedRoutes?: readonly { readonly method: string; readonly path: string }[];
    header(name: string): string | undefined;
    arrayBuffer(): Promise<ArrayBuffer>;
  };
  /** What middleware before has set, such as the user. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of an application's own variables
  readonly var: any;
  res: Response;
  error: Error | undefined;
  /** Makes a response with the headers that middleware before has set. */
  newResponse(body: ReadableStream | null, init: never): Response;
}

const unexecuted = new WeakSet<object>();
const guarded = new WeakSet<object>();

/**
 * A middleware for Hono that runs the handlers behind it once for each `Idempotency-Key` of a caller. Put it behind
 * authentication.
 *
 * @example
 * app.use("/orders/*", authenticate, idempotency(idem, { principal: c => c.get("user") }));
 */
export function idempotency<C extends HonoContext>(idem: Idem, options: HttpOptions<C>) {
  const guard = new HttpGuard<C>(idem, options);
  return async (c: C, next: () => Promise<void>): Promise<Response | undefined> => {
    if (guarded.has(c)) {
      await next(); // A guard before this one has the request.
      return undefined;
    }
    let began = false;
    let streams: (response: Response) => void = () => {};
    const streaming = new Promise<Response>(resolve => {
      streams = resolve;
    });
    const reply = guard.handle(c, incoming(c), async (_, echo) => {
      began = true;
      guarded.add(c);
      await next();
      return await captured(c, guard.largestStoredBody, { [guard.keyHeader]: echo }, streams);
    });
    const first = await Promise.race([reply, streaming]);
    if (first instanceof Response) {
      reply.catch(() => {}); // the client has its response, and the entry is in doubt
    } else if (first.kind === "unguarded") {
      await next();
      return undefined;
    }
    const response = first instanceof Response ? first : responseOf(first);
    if (began) {
      // Setting a response over the handler's would merge their headers.
      (c as { res: Response | undefined }).res = undefined;
      c.res = response;
      return undefined;
    }
    return c.newResponse(response.body, response as never);
  };
}

/** Declares that the handler did nothing, so that the key may be used again. Call it before you answer. */
export function notExecuted(c: object): void {
  unexecuted.add(c);
}

function incoming(c: HonoContext): IncomingRequest {
  const url = new URL(c.req.url);
  // The platform has joined several lines of one header by a comma and a space.
  const lines = (name: string): string[] => {
    const value = c.req.raw.headers.get(name);
    return value === null ? [] : [value];
  };
  return {
    method: c.req.method,
    path: sentAndRead(onePath(url.pathname), onePath(encodeURI(c.req.path).replaceAll("%25", "%"))),
    query: url.search.slice(1),
    route: routeOf(c),
    contentType: lines("content-type")[0] ?? "",
    lines,
    body: async largest => {
      if (Number(lines("content-length")[0] ?? 0) > largest) {
        throw new BodyTooLarge();
      }
      const bytes = new Uint8Array(await c.req.arrayBuffer());
      if (bytes.length > largest) {
        throw new BodyTooLarge();
      }
      return { bytes };
    },
  };
}

/** The template of the route that will answer. Middleware matches all methods, and mostly paths of any length. */
function routeOf({ req }: HonoContext): string | undefined {
  const routes = (req.matchedRoutes ?? []).map(({ method, path }) => ({ method, template: honoTemplate(path) }));
  const narrow = routes.find(({ template }) => !isBroad(template));
  return (narrow ?? routes.find(({ method }) => method !== "ALL"))?.template;
}

/** Reads the handler's response. Events, and a body that is too long to be kept, go to the client while they are read. */
async function captured(
  c: HonoContext,
  largest: number,
  headers: Readonly<Record<string, string>>,
  streams: (response: Response) => void,
): Promise<Handled> {
  const { res, error } = c;
  const chunks: Uint8Array[] = [];
  const isEvents = res.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const reader = res.body?.getReader();
  let length = 0;
  let streamed = isEvents;
  while (reader !== undefined && !streamed) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    chunks.push(value);
    length += value.length;
    streamed = length > largest;
  }
  if (streamed && reader !== undefined) {
    await passOn(res, chunks, reader, headers, streams);
  }
  const response: HttpResponse = {
    status: res.status,
    headers: headersOf(res.headers),
    body: Buffer.concat(streamed ? [] : chunks),
    streamed,
    notExecuted: unexecuted.has(c),
  };
  return error instanceof IdemError ? { response, error } : { response };
}

/** Sends what was read and what follows; ends with the body, and fails with it. */
function passOn(
  res: Response,
  chunks: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
  more: Readonly<Record<string, string>>,
  streams: (response: Response) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const body = new ReadableStream<Uint8Array>({
      start: controller => {
        for (const chunk of chunks) {
          controller.enqueue(chunk);
        }
      },
      pull: async controller => {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            resolve();
          } else {
            controller.enqueue(value);
          }
        } catch (error) {
          controller.error(error);
          reject(error);
        }
      },
      cancel: async reason => {
        reject(reason ?? new Error("the client left while its response was sent"));
        await reader.cancel(reason);
      },
    });
    const headers = new Headers(res.headers);
    for (const [name, value] of Object.entries(more)) {
      headers.set(name, value);
    }
    streams(new Response(body, { status: res.status, headers }));
  });
}

function headersOf(headers: Headers): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    all[name] = [...(all[name] ?? []), value]; // several cookies come as several entries
  }
  return all;
}

function responseOf(reply: Reply): Response {
  const { status, headers, body } =
    reply.kind === "send" ? reply.response : { status: 500, headers: {}, body: Buffer.of() };
  const all = new Headers();
  for (const [name, lines] of Object.entries(headers)) {
    for (const line of lines) {
      all.append(name, line);
    }
  }
  return new Response(body.length === 0 ? null : Buffer.from(body), { status, headers: all });
}
