import { createHash } from "node:crypto";
import { isPlain } from "../../unfinished.js";
import { canonicalText, canonicalValue } from "./canonical.js";

/** A body as a server has it: bytes, or what a parser before the guard has made of it. */
export type RequestBody = { readonly bytes: Uint8Array } | { readonly parsed: unknown };

/** What a guard has to know about a request. */
export interface HttpRequest {
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  /** The template of the route; undefined where none is known. */
  readonly route?: string | undefined;
  readonly contentType: string;
  readonly body: RequestBody;
  /** All lines of a header. */
  lines(name: string): readonly string[];
}

const LARGEST_PARSED = 1024 * 1024;
const FORM = "application/x-www-form-urlencoded";

type Fields = Map<string, string[]>;

/**
 * The parts that two equal requests share: method, path, query, media type and body. JSON is compared by its values, a
 * form by its fields, a multipart body by its parts, any other body by its bytes.
 */
export function fingerprint(request: HttpRequest): Record<string, unknown> {
  const mediaType = mediaTypeOf(request.contentType);
  const { method, query } = request;
  return {
    path: onePath(request.path),
    request: { method, query, media_type: mediaType, body: bodyPrint(request, mediaType) },
  };
}

/** A content type without its parameters, in lower case. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}

export function isJson(mediaType: string): boolean {
  return mediaType === "application/json" || mediaType.endsWith("+json");
}

/** A path in one spelling: `/%72esources` is `/resources`. What would change the path by that stays encoded. */
export function onePath(path: string): string {
  return path.replace(/%[0-9A-Fa-f]{2}/g, encoded => {
    const code = Number.parseInt(encoded.slice(1), 16);
    const decodes = code > 0x20 && code <= 0x7e && !["/", "\\", "%"].includes(String.fromCharCode(code));
    return decodes ? String.fromCharCode(code) : encoded.toUpperCase();
  });
}

/**
 * What was sent, and what an application has made of it before the guard: it may have chosen a path by a header, or have
 * taken a part away. Then both count.
 */
export function sentAndRead(sent: string, read: string): string {
  return read === sent || read === `${sent}/` ? sent : `${sent} -> ${read}`;
}

/** Whether servers read the path in different ways: an encoded slash, a backslash or a NUL. */
export function isAmbiguous(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a NUL is what it looks for
  return /%2f|%5c|%00|\\|\x00/i.test(path);
}

function bodyPrint({ body, contentType }: HttpRequest, mediaType: string): string {
  const bytes = "bytes" in body ? body.bytes : bytesOf(body.parsed, mediaType);
  if (bytes === undefined) {
    const { parsed } = body as { readonly parsed: unknown };
    const fields = mediaType === FORM ? parsedFields(parsed, contentType) : undefined;
    return `values:${sha256(fields === undefined ? canonicalValue(parsed) : canonicalFields(fields))}`;
  }
  const canonical = canonicalBody(Buffer.from(bytes), contentType, mediaType);
  return canonical === undefined ? bytesPrint(bytes) : `values:${sha256(canonical)}`;
}

/** The bytes of a body that a parser has left as it was. */
function bytesOf(parsed: unknown, mediaType: string): Uint8Array | undefined {
  if (parsed instanceof Uint8Array) {
    return parsed;
  }
  return typeof parsed === "string" && !isJson(mediaType) ? Buffer.from(parsed) : undefined;
}

function bytesPrint(bytes: Uint8Array): string {
  return `bytes:${sha256(bytes)}`;
}

/** The canonical form of a body; undefined where it has none, and its bytes have to tell it from others. */
function canonicalBody(bytes: Buffer, contentType: string, mediaType: string): string | undefined {
  try {
    if (mediaType.startsWith("multipart/")) {
      return multipart(bytes, contentType);
    } else if (bytes.length > LARGEST_PARSED) {
      return undefined;
    } else if (isJson(mediaType)) {
      return canonicalText(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    } else if (mediaType === FORM) {
      return form(bytes.toString("latin1"));
    }
  } catch {
    // The handler will judge it.
  }
  return undefined;
}

/** The order of the values counts for each name, the order of the names does not. */
function form(text: string): string {
  const fields: Fields = new Map();
  for (const field of text.split("&").filter(each => each !== "")) {
    const [name = "", ...rest] = field.split("=");
    add(fields, decoded(name), decoded(rest.join("=")));
  }
  return canonicalFields(fields);
}

function add(fields: Fields, name: string, value: string): void {
  const values = fields.get(name);
  if (values === undefined) {
    fields.set(name, [value]);
  } else {
    values.push(value);
  }
}

function canonicalFields(fields: Fields): string {
  return canonicalValue(Object.fromEntries(fields));
}

/**
 * The fields that a parser has read from a form, as the form had them, so that servers that read its bytes compare alike;
 * undefined for what no form gives. A parser of nested fields makes one value of `a=1&a=2` and `a[]=1&a[]=2`.
 */
function parsedFields(parsed: unknown, contentType: string): Fields | undefined {
  const charset = /;\s*charset="?iso-8859-1\b/i.test(contentType) ? "latin1" : "utf8";
  const bytes = (text: string) => Buffer.from(text, charset).toString("latin1");
  const fields: Fields = new Map();
  const read = (name: string, value: unknown): boolean => {
    if (typeof value === "string") {
      add(fields, bytes(name), bytes(value));
      return true;
    } else if (Array.isArray(value)) {
      // One value alone in a list comes from a[]=1, and is no a=1.
      const each = value.length === 1 ? `${name}[]` : name;
      return (
        value.length > 0 && value.every((item, i) => read(typeof item === "string" ? each : `${name}[${i}]`, item))
      );
    }
    const members = isPlain(value) ? Object.entries(value) : [];
    return members.length > 0 && members.every(([step, item]) => read(`${name}[${step}]`, item));
  };
  return isPlain(parsed) && Object.entries(parsed).every(([name, value]) => read(name, value)) ? fields : undefined;
}

/** One character for each byte, so that two texts never look alike, whatever their charset is. */
function decoded(text: string): string {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) {
    throw new SyntaxError("a field is not encoded as it should be");
  }
  return text
    .replaceAll("+", " ")
    .replace(/%([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Name, file name and digest of each part (RFC 2046). Boundaries do not count, since they change with every retry. */
function multipart(bytes: Buffer, contentType: string): string | undefined {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  if (boundary === null) {
    return undefined;
  }
  const delimiter = Buffer.from(`\r\n--${boundary[1] ?? boundary[2]}`, "latin1");
  const body = Buffer.concat([Buffer.from("\r\n"), bytes]);
  const parts: Record<string, string>[] = [];
  let at = body.indexOf(delimiter);
  while (at >= 0) {
    const lineEnd = body.indexOf("\n", at + delimiter.length);
    const rest = body.toString("latin1", at + delimiter.length, lineEnd < 0 ? body.length : lineEnd);
    if (rest.startsWith("--")) {
      return canonicalValue(parts);
    }
    const headEnd = lineEnd < 0 || rest.trim() !== "" ? -1 : body.indexOf("\r\n\r\n", lineEnd - 1);
    const end = headEnd < 0 ? -1 : body.indexOf(delimiter, headEnd + 2);
    if (end < 0) {
      return undefined;
    }
    const part = partNames(body.toString("latin1", lineEnd + 1, headEnd));
    parts.push({ ...part, sha256: sha256(body.subarray(Math.min(headEnd + 4, end), end)) });
    at = end;
  }
  return undefined;
}

function partNames(head: string): Record<string, string> {
  const names: Record<string, string> = {};
  for (const line of head.split("\r\n")) {
    if (/^content-disposition:/i.test(line)) {
      for (const found of line.matchAll(/;\s*(name|filename\*?)\s*=\s*(?:"((?:[^"\\]|\\.){0,1000})"|([^\s;"]*))/gi)) {
        names[(found[1] ?? "").toLowerCase()] = found[2] ?? found[3] ?? "";
      }
    }
  }
  return names;
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
