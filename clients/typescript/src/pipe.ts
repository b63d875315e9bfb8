import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { type Carrier, isText, members, type Response, record } from "./carrier.js";
import { pause } from "./clocks.js";

const KEPT_WORDS = 4096;
const CLOSE_STEP_MS = 2000;
const LAST_WORDS_MS = 1000;

/** How a server ended before it could answer. */
export interface Ended {
  /** The exit status; null after a signal, or if it never began. */
  readonly status: number | null;
  /** The last lines that it wrote to stderr. */
  readonly words: string;
  /** Such as ENOENT, if it could not be started. */
  readonly code?: string | undefined;
}

/** A server that is a child of this process, in a session of its own so that Ctrl-C does not reach it. */
export class Pipe implements Carrier {
  readonly way = "pipe";
  readonly #child: ChildProcess;
  readonly #open = new Map<number, (response: Response) => void>();
  readonly #listeners: (() => void)[] = [];
  #lines: string[] = [];
  /** The parts of a line whose end has not come. */
  #rest: string[] = [];
  #nextId = 1;
  #words = "";
  #ended: Ended | undefined;
  #gone = false;

  constructor(command: readonly string[], env: NodeJS.ProcessEnv) {
    const [program = "", ...rest] = command;
    this.#child = spawn(program, rest, {
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child.on("error", (error: NodeJS.ErrnoException) => {
      this.#ended ??= { status: null, words: error.message, code: error.code };
      this.#lost();
    });
    this.#child.on("exit", status => {
      this.#ended ??= { status, words: this.#words };
      // Answers that were written before the end are still in the pipe.
      void pause(100, undefined, this.#open.size > 0).then(() => this.#lost());
    });
    const { stdin, stdout, stderr } = this.#child;
    stdin?.on("error", () => this.#lost());
    stdin?.on("drain", () => this.#flush());
    stdout?.setEncoding("utf8");
    stdout?.on("data", (chunk: string) => this.#read(chunk));
    stdout?.on("error", () => this.#lost());
    stdout?.on("close", () => this.#lost());
    stderr?.setEncoding("utf8");
    stderr?.on("data", (chunk: string) => {
      this.#words = (this.#words + chunk).slice(-KEPT_WORDS);
    });
    stderr?.on("error", () => {});
    this.#hold(false);
  }

  get isGone(): boolean {
    return this.#gone;
  }

  /** How it ended, after its connection was lost; undefined if it still runs. */
  async lastWords(): Promise<Ended | undefined> {
    if (!this.#ended && this.#gone) {
      await this.#exited(LAST_WORDS_MS);
    }
    return this.#ended && { ...this.#ended, words: this.#ended.words || this.#words };
  }

  /** Waits for the end of the process. */
  async #exited(forMs: number): Promise<void> {
    const over = new AbortController();
    const done = () => over.abort();
    this.#child.once("exit", done).once("error", done);
    if (this.#ended) {
      done();
    }
    await pause(forMs, over.signal);
    this.#child.off("exit", done).off("error", done);
  }

  send(method: string, params: string): Promise<Response> {
    if (this.#gone) {
      return Promise.resolve({ kind: "gone", why: "the server has ended" });
    }
    const id = this.#nextId++;
    return new Promise(resolve => {
      this.#open.set(id, resolve);
      if (this.#open.size === 1) {
        this.#hold(true);
      }
      this.#lines.push(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
      if (this.#lines.length === 1) {
        // Requests of one turn of the event loop go out in one write.
        queueMicrotask(() => this.#flush());
      }
    });
  }

  #flush(): void {
    const stdin = this.#child.stdin;
    if (this.#gone || this.#lines.length === 0 || !stdin || stdin.writableNeedDrain) {
      return;
    }
    const all = this.#lines.join("");
    this.#lines = [];
    stdin.write(all);
  }

  #read(chunk: string): void {
    const lines = chunk.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.#rest.push(line);
      this.#take(this.#rest.length === 1 ? line : this.#rest.join(""));
      this.#rest = [];
    }
    if (last !== "") {
      this.#rest.push(last);
    }
  }

  #take(line: string): void {
    const response = members(line);
    const id = response?.id;
    const waiting = typeof id === "number" ? this.#open.get(id) : undefined;
    if (!response || !waiting) {
      return;
    }
    const answer = record(response.result);
    const error = record(response.error);
    const code = record(error?.data)?.code;
    if (answer) {
      this.#answer(id as number, waiting, { kind: "answer", answer });
    } else if (error) {
      const message = isText(error.message) ? error.message : "the server gave no reason";
      this.#answer(id as number, waiting, { kind: "refused", code: isText(code) ? code : "malformed", message });
    }
  }

  #answer(id: number, waiting: (response: Response) => void, response: Response): void {
    this.#open.delete(id);
    if (this.#open.size === 0) {
      this.#hold(false);
    }
    waiting(response);
  }

  /** Keeps the event loop alive only while a request is open. */
  #hold(open: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    const handles = [this.#child, stdin as unknown as Socket | null, stdout as unknown as Socket | null];
    for (const each of handles) {
      open ? each?.ref() : each?.unref();
    }
    (stderr as unknown as Socket | null)?.unref();
  }

  #lost(): void {
    if (this.#gone) {
      return;
    }
    this.#gone = true;
    // One that ends by itself is left the time to do so, because its exit status tells why.
    setTimeout(() => this.#signal("SIGKILL"), LAST_WORDS_MS).unref();
    this.#hold(false);
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const each of open) {
      each({ kind: "gone", why: "the server has ended" });
    }
    for (const each of this.#listeners) {
      each();
    }
  }

  onGone(listener: () => void): void {
    this.#gone ? listener() : this.#listeners.push(listener);
  }

  kill(): boolean {
    this.#signal("SIGKILL");
    this.#lost();
    return true;
  }

  #signal(name: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) {
      return;
    }
    try {
      process.kill(process.platform === "win32" ? pid : -pid, name);
    } catch {
      this.#child.kill(name);
    }
  }

  /** Ends stdin, and helps with signals if that is not enough. */
  async close(): Promise<void> {
    if (this.#gone && this.#ended) {
      return;
    }
    this.#flush();
    this.#hold(true);
    this.#child.stdin?.end();
    for (const signal of [undefined, "SIGTERM", "SIGKILL"] as const) {
      if (signal) {
        this.#signal(signal);
      }
      await this.#exited(CLOSE_STEP_MS);
      if (this.#ended) {
        break;
      }
    }
    this.#lost();
  }
}
