// An entry as a command line, as curl and as Java, to be copied. Keys come from outside: every word is quoted. Pure.

/** A word of a POSIX shell. Control characters are written so that a paste can't run them. */
export function shell(text) {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text) && !text.startsWith("-")) {
    return text;
  }
  return /[\u0000-\u001f\u007f-\u009f]/.test(text)
    ? `$'${text.replace(/[\\']/g, "\\$&").replace(/[\u0000-\u001f\u007f-\u009f]/g, (c) => `\\u${hex(c)}`)}'`
    : `'${text.replaceAll("'", "'\\''")}'`;
}

const hex = (c) => c.charCodeAt(0).toString(16).padStart(4, "0");

/** `--scope=-x` is an option with its value, `--scope -x` might be two options. */
const option = (name, value) => (value.startsWith("-") ? `--${name}=${shell(value)}` : `--${name} ${shell(value)}`);

const address = ({ scope, operation, key }) => `${option("scope", scope)} ${option("operation", operation)} -- ${shell(key)}`;

export const show = (entry) => `idem show ${address(entry)}`;
export const why = (entry) => `idem why ${address(entry)}`;
export const resolve = (entry, as) =>
  `idem resolve --as ${as} --why '…' ${as === "complete" ? "--no-result '…' " : ""}${address(entry)}`;

export function curl({ scope, operation, key }, base) {
  return `curl -H "Authorization: Bearer $IDEM_TOKEN" --json ${shell(JSON.stringify({ scope, operation, key }))} ${shell(new URL("v1/find", base).href)}`;
}

/** A Java text; what is not printable ASCII is escaped. */
const java = (text) =>
  `"${text.replace(/["\\]/g, "\\$&").replace(/[^\u0020-\u007e]/g, (c) => `\\u${hex(c)}`)}"`;

export const javaFind = ({ scope, operation, key }) =>
  `idem.find(new Address(${java(scope)}, ${java(operation)}, ${java(key)}))`;
