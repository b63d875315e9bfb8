import { createHash } from "node:crypto";
import { isWellFormed } from "./canonical.js";

/** A request's key is malformed; the message says why, and does not repeat the text. */
export class MalformedKey extends Error {}

/** The key of a request. A quoted string (RFC 9651) and a bare text give the same key: `"abc"` is `abc`. */
export interface RequestKey {
  readonly value: string;
  /** The key in the form in which it was sent, for the response. */
  readonly echo: string;
}

const LONGEST = 255;
/** A key of 255 escaped characters and some parameters. A longer line is not worth parsing. */
const LONGEST_LINE = 1024;
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"(.*)$/;
const PARAMETERS = /^(?:; *[a-z*][a-z0-9_.*-]*(?:=(?:"(?:[^"\\]|\\.)*"|[A-Za-z0-9!#$%&'*+./:=?@^_`|~-]+))?)*$/;

/** Reads the key from the lines of its header. Parameters after a quoted string are ignored. */
export function parseKey(lines: readonly string[]): RequestKey {
  if (lines.length !== 1) {
    throw new MalformedKey(`there are ${lines.length} header lines`);
  }
  const text = (lines[0] ?? "").replace(/^[ \t]+|[ \t]+$/g, "");
  const value = text.length > LONGEST_LINE ? text : text.startsWith('"') ? quoted(text) : bare(text);
  if (value.trim() === "") {
    throw new MalformedKey("it is empty");
  } else if (value.length > LONGEST) {
    throw new MalformedKey(`it has more than ${LONGEST} characters`);
  }
  return { value, echo: text.startsWith('"') ? `"${value.replace(/["\\]/g, "\\$&")}"` : value };
}

function quoted(text: string): string {
  const found = QUOTED.exec(text);
  if (found === null) {
    throw new MalformedKey("its quoted string is not closed, or has a character that is not printable ASCII");
  } else if (!PARAMETERS.test(found[2] ?? "")) {
    throw new MalformedKey("something follows the closing quote");
  }
  return (found[1] ?? "").replace(/\\(["\\])/g, "$1");
}

/** A comma may stem from two header lines that were joined. */
function bare(text: string): string {
  if (!/^[!-~]*$/.test(text)) {
    throw new MalformedKey("it has a character that is not printable ASCII, or an unquoted space");
  } else if (/[,"]/.test(text)) {
    throw new MalformedKey("a comma or a quote is only allowed in a quoted string");
  }
  return text;
}

/** The key of the entry: the request's own, or its digest where an entry's key can't hold it. */
export function entryKey(key: string): string {
  const fits = /^[!-~]{1,255}$/.test(key) && !/^id_[0-9a-f]{64}$/.test(key);
  return fits ? key : `id_${ofCharacters(key)}`;
}

/** The scope of a caller: `http:ann` for one part, `http://acme/ann` for several, `http:` for anonymous callers. */
export function callerScope(caller: readonly string[]): string {
  if (caller.length > 1) {
    const parts = caller.map(part => part.replaceAll("%", "%25").replaceAll("/", "%2F"));
    return named("http://", parts.join("/"));
  }
  const name = caller[0] ?? "";
  // Else a name could pass for the parts of another caller.
  return name.startsWith("//") ? `http:sha256:${ofCharacters(name)}` : named("http:", name);
}

/** The method and the route: `POST /orders`. */
export function operationName(method: string, route: string): string {
  return named(`${method} `, route);
}

/** A name that looks like a digest is digested too: else it could pass for the digest of another name. */
function named(prefix: string, name: string): string {
  const fits =
    prefix.length + name.length <= LONGEST &&
    !name.startsWith("sha256:") &&
    isWellFormed(name) &&
    !/\p{Cc}/u.test(name);
  return prefix + (fits ? name : `sha256:${ofCharacters(name)}`);
}

/** Two bytes for each character, so that half a surrogate pair counts as what it is. */
function ofCharacters(text: string): string {
  return createHash("sha256").update(Buffer.from(text, "utf16le").swap16()).digest("hex");
}
