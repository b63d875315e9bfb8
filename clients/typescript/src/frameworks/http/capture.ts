import type { Handled } from "./guard.js";

/** The part of a response of `node:http` that a capture needs. */
export interface ServerResponse {
  statusCode: number;
  readonly headersSent: boolean;
  getHeader(name: string): number | string | readonly string[] | undefined;
  getHeaderNames(): string[];
  setHeader(name: string, value: string | string[]): unknown;
  removeHeader(name: string): void;
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of node:http
  writeHead(status: number, ...rest: any[]): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of node:http
  write(...args: any[]): boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of node:http
  end(...args: any[]): unknown;
  flushHeaders(): void;
  once(event: "close", listener: () => void): unknown;
}

const METHODS = ["writeHead", "write", "end", "flushHeaders"] as const;
const captures = new WeakMap<object, Capture>();

/**
 * Holds a response back until its handler has ended it. Events, and a body that is too long to be kept, go to the client
 * while the handler writes them.
 */
export class Capture {
  /** Ends when the handler has ended its response. */
  readonly ended: Promise<Handled>;
  readonly #response: ServerResponse;
  readonly #largest: number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #chunks: Buffer[] = [];
  readonly #before: Partial<Record<(typeof METHODS)[number], PropertyDescriptor>> = {};
  #resolve: (handled: Handled) => void = () => {};
  #length = 0;
  #state: "held" | "streams" | "ended" = "held";
  #notExecuted = false;

  /** The capture of a response, while there is one. */
  static of(response: object): Capture | undefined {
    return captures.get(response);
  }

  /** Gives a response its own methods back. */
  static release(response: ServerResponse): void {
    const capture = captures.get(response);
    captures.delete(response);
    if (capture === undefined) {
      return;
    }
    for (const method of METHODS) {
      const before = capture.#before[method];
      if (before === undefined) {
        delete (response as Partial<ServerResponse>)[method];
      } else {
        Object.defineProperty(response, method, before); // such as those of a compressing middleware
      }
    }
  }

  /** @param headers for a response that goes out before its outcome is known */
  constructor(response: ServerResponse, largest: number, headers: Readonly<Record<string, string>>) {
    this.#response = response;
    this.#largest = largest;
    this.#headers = headers;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      // A handler that streams may stop with its client, and never end. Another one ends in any case.
      response.once("close", () => {
        if (this.#state === "streams") {
          reject(new Error("the connection was closed before the handler had ended its response"));
        }
      });
    });
    const own = Object.fromEntries(METHODS.map(method => [method, response[method].bind(response)])) as Pick<
      ServerResponse,
      (typeof METHODS)[number]
    >;
    const install = {
      writeHead: this.#writeHead,
      write: this.#write,
      end: this.#end,
      flushHeaders: this.#flushHeaders,
    };
    for (const method of METHODS) {
      const value = (...args: unknown[]) =>
        this.#state === "streams" && method !== "end"
          ? (own[method] as (...args: unknown[]) => unknown)(...args)
          : (install[method] as (own: object, ...args: unknown[]) => unknown).call(this, own, ...args);
      const before = Object.getOwnPropertyDescriptor(response, method);
      if (before !== undefined) {
        this.#before[method] = before;
      }
      Object.defineProperty(response, method, { value, configurable: true, writable: true });
    }
    captures.set(response, this);
  }

  declareNotExecuted(): void {
    this.#notExecuted = true;
  }

  #writeHead(_own: object, status: number, ...rest: unknown[]): unknown {
    this.#response.statusCode = status;
    const headers = rest.find(each => typeof each === "object" && each !== null) as object | undefined;
    const pairs = Array.isArray(headers)
      ? Array.from({ length: headers.length / 2 }, (_, i) => [headers[2 * i], headers[2 * i + 1]])
      : Object.entries(headers ?? {});
    for (const [name, value] of pairs) {
      this.#response.setHeader(name, Array.isArray(value) ? value.map(String) : String(value));
    }
    return this.#response;
  }

  #flushHeaders(own: ServerResponse): void {
    this.#stream(own);
  }

  #write(own: ServerResponse, ...args: unknown[]): boolean {
    const [chunk, encoding] = args;
    if (this.#state === "ended") {
      return false;
    }
    this.#add(chunk, encoding);
    const isEvents = String(this.#response.getHeader("content-type") ?? "").startsWith("text/event-stream");
    if (isEvents || this.#length > this.#largest) {
      this.#stream(own);
    }
    callBack(args);
    return true;
  }

  #end(own: ServerResponse, ...args: unknown[]): unknown {
    if (this.#state === "streams") {
      own.end(...args);
      this.#finish(true);
    } else if (this.#state === "held") {
      this.#add(args[0], args[1]);
      this.#finish(false);
      callBack(args);
    }
    return this.#response;
  }

  #add(chunk: unknown, encoding: unknown): void {
    if (typeof chunk === "string") {
      this.#chunks.push(Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"));
    } else if (chunk instanceof Uint8Array) {
      this.#chunks.push(Buffer.from(chunk));
    }
    this.#length += this.#chunks.at(-1)?.length ?? 0;
  }

  #stream(own: ServerResponse): void {
    this.#state = "streams";
    for (const [name, value] of Object.entries(this.#headers)) {
      this.#response.setHeader(name, value);
    }
    own.flushHeaders();
    for (const chunk of this.#chunks.splice(0)) {
      own.write(chunk);
    }
  }

  #finish(streamed: boolean): void {
    this.#state = "ended";
    const names = this.#response.getHeaderNames();
    const lines = names.map(name => [name, [this.#response.getHeader(name)].flat().map(String)]);
    this.#resolve({
      response: {
        status: this.#response.statusCode,
        headers: Object.fromEntries(lines),
        body: Buffer.concat(this.#chunks),
        streamed,
        notExecuted: this.#notExecuted,
      },
    });
  }
}

function callBack(args: readonly unknown[]): void {
  const last = args.at(-1);
  if (typeof last === "function") {
    queueMicrotask(() => last());
  }
}
