import { Agent, type ClientRequest, request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { type Carrier, isText, members, type Response, type Way } from "./carrier.js";

const CONNECTIONS = 32;

/** Where a server is: a unix socket, or a URL with an optional token. */
export type Endpoint = { readonly socket: string } | { readonly url: URL; readonly token?: string | undefined };

/**
 * A server at a unix socket or a URL. It counts as gone when its last connection has ended: another server, with another
 * ledger, may be there by the next request, so that needs a new hello.
 */
export class Http implements Carrier {
  readonly way: Way;
  readonly #options: Record<string, unknown>;
  readonly #secure: boolean;
  readonly #agent: Agent;
  /** Waits hold a connection for seconds, and must not keep a settle from getting one. */
  readonly #waiting: Agent;
  readonly #listeners: (() => void)[] = [];
  readonly #known = new WeakSet<object>();
  #connections = 0;
  #running = 0;
  #gone = false;

  constructor(endpoint: Endpoint, way: Way) {
    this.way = way;
    const token = "url" in endpoint ? endpoint.token : undefined;
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    if ("socket" in endpoint) {
      this.#secure = false;
      this.#options = { socketPath: endpoint.socket, host: "idem", headers, base: "" };
    } else {
      const { protocol, hostname, port, pathname } = endpoint.url;
      this.#secure = protocol === "https:";
      this.#options = { host: hostname.replace(/^\[|\]$/g, ""), port, headers, base: pathname.replace(/\/+$/, "") };
    }
    const kind = this.#secure ? SecureAgent : Agent;
    this.#agent = new kind({ keepAlive: true, maxSockets: CONNECTIONS });
    this.#waiting = new kind({ keepAlive: true });
  }

  get isGone(): boolean {
    return this.#gone;
  }

  send(method: string, params: string): Promise<Response> {
    if (this.#gone) {
      return Promise.resolve({ kind: "gone", why: "the connection has ended" });
    }
    this.#running++;
    return new Promise<Response>(resolve => {
      const body = Buffer.from(params);
      const { base, headers, ...where } = this.#options;
      const sent = (this.#secure ? secureRequest : request)({
        ...where,
        agent: method === "wait" ? this.#waiting : this.#agent,
        method: "POST",
        path: `${base}/v1/${method}`,
        headers: { ...(headers as Record<string, string>), "content-length": body.length },
      });
      this.#count(sent);
      sent.on("error", error => resolve({ kind: "gone", why: error.message }));
      sent.on("response", response => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", error => resolve({ kind: "gone", why: error.message }));
        response.on("end", () => resolve(read(response.statusCode ?? 0, Buffer.concat(chunks).toString("utf8"))));
      });
      sent.end(body);
    }).then(response => {
      this.#running--;
      if (response.kind === "gone") {
        this.#lost();
      }
      if (this.#gone && this.#running === 0) {
        void this.close();
      }
      return response;
    });
  }

  /** Counts the connections, to see when the last one ends. */
  #count(sent: ClientRequest): void {
    sent.on("socket", socket => {
      if (this.#known.has(socket)) {
        return;
      }
      this.#known.add(socket);
      this.#connections++;
      socket.on("close", () => {
        this.#connections--;
        if (this.#connections === 0 && this.#running === 0) {
          this.#lost();
        }
      });
    });
  }

  #lost(): void {
    if (this.#gone) {
      return;
    }
    this.#gone = true;
    for (const each of this.#listeners) {
      each();
    }
    // Requests that still run on other connections may be answered; the last of them closes the agents.
    if (this.#running === 0) {
      void this.close();
    }
  }

  onGone(listener: () => void): void {
    this.#gone ? listener() : this.#listeners.push(listener);
  }

  kill(): boolean {
    return false;
  }

  async close(): Promise<void> {
    this.#gone = true;
    this.#agent.destroy();
    this.#waiting.destroy();
  }
}

function read(status: number, text: string): Response {
  const body = members(text);
  if (status === 200 && body) {
    return { kind: "answer", answer: body };
  }
  const detail = isText(body?.detail) ? body.detail : `the server answered with the status ${status}`;
  if (isText(body?.code)) {
    return { kind: "refused", code: body.code, message: detail };
  }
  // A proxy in between, or a server that ends: nothing is known.
  const later = status === 429 ? "busy" : status >= 500 ? "ledger_unavailable" : "malformed";
  return { kind: "refused", code: later, message: detail };
}
