// Text from outside: made visible where it would hide, turn round or run on.

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** The text with every control character, mark of direction and lone surrogate replaced by something visible. */
export function clean(text) {
  return wellFormed(String(text ?? "")).replace(HIDDEN, (c) => {
    const code = c.codePointAt(0);
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}

/** Clean text in one line of at most `most` characters. */
export function line(text, most = 200) {
  // Cut before cleaning: a text may have many megabytes.
  const flat = clean(cut(String(text ?? ""), most * 2)).replace(/[\s\u2424]+/gu, " ").trim();
  return flat.length > most ? `${cut(flat, most - 1)}…` : flat;
}

/** The beginning of a text, without half a character at its end. */
export function cut(text, most) {
  return text.length <= most ? text : wellFormed(text.slice(0, most)).replace(/\ufffd$/u, "");
}

/** The beginning and the end of a key, so that both can be compared by eye; the middle of a long one is left out. */
export function ends(key) {
  const all = [...line(key, 4000)];
  const tail = all.splice(-6).join("");
  return [all.length <= 22 ? all.join("") : `${all.slice(0, 16).join("")}…`, tail];
}

export const short = (key) => ends(key).join("");

export function wellFormed(text) {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;

/** The text of one member of a JSON object, as it was sent; null where it has none. */
export function member(json, name) {
  let depth = 0;
  let from = -1;
  let before = "";
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const closes = token === "}" || token === "]";
    if (from >= 0 && depth === 1 && (token === "," || closes)) {
      return json.slice(from, index).trim();
    }
    if (depth === 1 && token === ":" && before === JSON.stringify(name) && from < 0) {
      from = index + 1;
    }
    depth += token === "{" || token === "[" ? 1 : closes ? -1 : 0;
    before = token;
  }
  return null;
}

/** JSON with line breaks, its numbers digit for digit: parsing would round those that do not fit into a double. */
export function pretty(json) {
  const out = [];
  let depth = 0;
  const tokens = json.match(TOKEN) ?? [];
  tokens.forEach((token, i) => {
    if (token === "{" || token === "[") {
      const empty = tokens[i + 1] === (token === "{" ? "}" : "]");
      depth++;
      out.push(token, empty ? "" : newline(depth));
    } else if (token === "}" || token === "]") {
      depth--;
      const empty = tokens[i - 1] === (token === "}" ? "{" : "[");
      out.push(empty ? "" : newline(depth), token);
    } else if (token === ",") {
      out.push(",", newline(depth));
    } else {
      out.push(token === ":" ? ": " : token);
    }
  });
  return out.join("");
}

function newline(depth) {
  return `\n${"  ".repeat(Math.min(depth, 40))}`;
}
