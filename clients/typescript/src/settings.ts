import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type Clocks, systemClocks } from "./clocks.js";
import { Refused } from "./errors.js";
import type { Endpoint } from "./http.js";

/** Options of `Idem.open`. */
export interface OpenOptions {
  /** The URL of the ledger; `IDEM_LEDGER`, else `idem/idem.db` in `$XDG_STATE_HOME` or `~/.local/state`. */
  readonly ledger?: string;
  /** The URL of a server: `http+unix:/path/to/socket`, `http://host:port` or `https://…`; `IDEM_URL`. */
  readonly url?: string;
  /** The token for that server; `IDEM_TOKEN`. */
  readonly token?: string;
  /** The program `idem`, or the whole command of a server on a pipe; `IDEM`, else `idem` on the PATH. */
  readonly command?: string | readonly string[];
  /** After how long a request without an answer is sent again; 2 s. */
  readonly resendMs?: number;
  /** After how long a claim without an answer is given up; 10 s. */
  readonly giveUpMs?: number;
  /** After how long a settle without an answer is given up; 30 s. */
  readonly settleMs?: number;
  /** How long a server may take to start; 30 s. */
  readonly helloMs?: number;
  /** Receives warnings, such as a result that can't be kept; else they are warnings of the process. */
  readonly onWarning?: (message: string) => void;
  /** The clocks, for tests. */
  readonly clocks?: Clocks;
}

/** Where the ledger and its server are, made absolute once, and how long to wait for them. */
export interface Settings {
  readonly ledger: string;
  readonly endpoint: Endpoint | undefined;
  readonly socket: string | undefined;
  readonly command: readonly string[];
  readonly resendMs: number;
  readonly giveUpMs: number;
  readonly settleMs: number;
  readonly helloMs: number;
  readonly clocks: Clocks;
}

/** The variables of the environment. */
type Env = Readonly<Record<string, string | undefined>>;

const FILES = ["sqlite", "jsonl"];

export function settings(options: OpenOptions, env: Env = process.env): Settings {
  const ledger = ledgerUrl(options.ledger ?? filled(env.IDEM_LEDGER), env);
  const url = options.url ?? filled(env.IDEM_URL);
  return {
    ledger,
    endpoint: url === undefined ? undefined : endpoint(url, options.token ?? filled(env.IDEM_TOKEN)),
    socket: isMemory(ledger) ? undefined : socketPath(env),
    command: command(options.command ?? filled(env.IDEM) ?? "idem"),
    resendMs: options.resendMs ?? 2_000,
    giveUpMs: options.giveUpMs ?? 10_000,
    settleMs: options.settleMs ?? 30_000,
    helloMs: options.helloMs ?? 30_000,
    clocks: options.clocks ?? systemClocks,
  };
}

export function isMemory(ledger: string): boolean {
  return ledger.startsWith("memory:");
}

function filled(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function stateFolder(env: Env): string {
  const given = env.XDG_STATE_HOME;
  return given?.startsWith("/") ? given : join(homedir(), ".local", "state");
}

function ledgerUrl(given: string | undefined, env: Env): string {
  if (given === undefined) {
    const file = join(stateFolder(env), "idem", "idem.db");
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return `sqlite:${file}`;
  }
  const [, scheme = "", path = "", options = ""] = /^([^:?]+):([^?]*)(.*)$/s.exec(given) ?? [];
  if (scheme === "") {
    throw new Refused(`'${masked(given)}' is no URL of a ledger; write for instance "memory:" or "sqlite:idem.db"`);
  }
  return FILES.includes(scheme) && path !== "" && !path.startsWith(":")
    ? `${scheme}:${resolve(path)}${options}`
    : given;
}

function socketPath(env: Env): string {
  const given = filled(env.IDEM_SOCKET);
  if (given !== undefined) {
    return resolve(given);
  }
  const runtime = env.XDG_RUNTIME_DIR;
  return join(runtime?.startsWith("/") ? runtime : stateFolder(env), "idem", "serve.sock");
}

function endpoint(url: string, token: string | undefined): Endpoint {
  if (url.startsWith("http+unix:")) {
    return { socket: resolve(decodeURIComponent(url.slice("http+unix:".length).replace(/^\/\/(?=\/)/, ""))) };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:") {
    throw new Refused(`'${masked(url)}' is no URL of a server; write http+unix:/path/to/socket, http://… or https://…`);
  }
  return { url: parsed, token: token ?? filled(decodeURIComponent(parsed.password)) };
}

/** The command with an absolute program, because the working directory may change before a restart. */
function command(given: string | readonly string[]): readonly string[] {
  if (typeof given !== "string") {
    const [program = "", ...rest] = given;
    return [program.includes("/") ? resolve(program) : program, ...rest];
  }
  const program = given.includes("/") && !isAbsolute(given) ? resolve(given) : given;
  return [program, "serve", "--stdio"];
}

/** A URL without its password. */
export function masked(url: string): string {
  return url
    .replace(/^([^:]+:\/\/)([^:@]*):.*@/s, "$1$2:***@")
    .replace(/([?&][^=&]*(?:pass|token|secret)[^=&]*=)[^&]*/gi, "$1***");
}
