import { isUtf8 } from "node:buffer";
import type { HttpResponse } from "./problems.js";

/** A response as the entry keeps it. Idem in Java has the same form, so that each replays the other's. */
export interface StoredResponse {
  readonly version: 1;
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly encoding: "text" | "base64" | "not-kept";
  readonly body: string;
}

const USUAL = [
  "allow",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-location",
  "content-type",
  "etag",
  "last-modified",
  "link",
  "location",
  "preference-applied",
  "retry-after",
  "vary",
];

/** Secrets of one client, headers of one connection, and headers that are set anew for a replay. */
const NEVER = new Set([
  "age",
  "authentication-info",
  "authorization",
  "cache-control",
  "connection",
  "content-length",
  "cookie",
  "date",
  "keep-alive",
  "set-cookie",
  "set-cookie2",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "www-authenticate",
]);

function isNeverStored(name: string): boolean {
  return NEVER.has(name) || /-token$|^proxy-|^idempoten|ratelimit|rate-limit/.test(name);
}

/** Decides which headers of a response are stored. A name that ends with * is a prefix. */
export function storedHeaders(more: readonly string[]): (name: string) => boolean {
  const names = [...USUAL, ...more.map(name => name.toLowerCase())];
  const wrong = more.find(name => isNeverStored(name.toLowerCase()));
  if (wrong !== undefined) {
    throw new TypeError(
      `the header ${wrong} is never stored: it holds a secret of one client, belongs to one connection, or is set anew for a replay. Leave it out`,
    );
  }
  return name =>
    !isNeverStored(name) &&
    names.some(each => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : name === each));
}

/** A response as it may be kept: without secrets, and without a body that is too long. */
export function toStored(
  response: HttpResponse,
  stores: (name: string) => boolean,
  largestBody: number,
): StoredResponse {
  const kept = Object.entries(response.headers).filter(([name]) => stores(name));
  const form = { version: 1 as const, status: response.status, headers: Object.fromEntries(kept) };
  if (response.streamed === true || response.body.length > largestBody) {
    return { ...form, encoding: "not-kept", body: "" };
  }
  const bytes = Buffer.from(response.body);
  return isUtf8(bytes)
    ? { ...form, encoding: "text", body: bytes.toString() }
    : { ...form, encoding: "base64", body: bytes.toString("base64") };
}

/** What an entry of a request holds: a response, one that was not kept, a plain value of a person, or neither. */
export function fromStored(value: unknown): HttpResponse | "not-kept" | "plain" | "damaged" {
  if (
    typeof value !== "object" ||
    value === null ||
    !("version" in value && "status" in value && "encoding" in value)
  ) {
    return "plain";
  }
  const { version, status, headers = {}, encoding, body = "" } = value as Partial<StoredResponse>;
  if (version !== 1 || typeof status !== "number" || status < 100 || status > 999 || typeof body !== "string") {
    return "damaged";
  } else if (encoding === "not-kept") {
    return "not-kept";
  } else if (encoding !== "text" && encoding !== "base64") {
    return "damaged";
  }
  const lower = Object.entries(headers ?? {}).map(([name, lines]) => [name.toLowerCase(), lines]);
  return {
    status,
    headers: Object.fromEntries(lower),
    body: Buffer.from(body, encoding === "text" ? "utf8" : "base64"),
  };
}
