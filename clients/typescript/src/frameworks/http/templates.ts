/**
 * The pattern of a route in the one notation that all frameworks share here: `{name}` for a variable, `{*name}` for one of
 * several segments, `[…]` around what may be missing, and no slash at the end. What a variable looks like is left out.
 */
export type Template = string;

const NAME = String.raw`"(?:[^"\\]|\\.)*"|[\p{ID_Start}$_][\p{ID_Continue}$]*`;
const FORM = String.raw`\((?:[^()]|\([^()]*\))*\)`;
const EXPRESS = new RegExp(
  [
    String.raw`\\(?<literal>.)`,
    String.raw`(?<slash>/?):(?<name>${NAME}|\w+)(?:${FORM})?(?<often>[?*+](?![\p{ID_Start}$_"]))?`,
    String.raw`\*(?<rest>${NAME})`,
    "(?<group>[{}])",
  ].join("|"),
  "gsu",
);

/** The template of a path of Express 4 or 5: a pattern, several of them, or a regular expression, which stays as it is. */
export function expressTemplate(path: unknown): Template {
  if (Array.isArray(path)) {
    return path.map(expressTemplate).join("|");
  } else if (typeof path !== "string") {
    return String(path);
  }
  return withoutSlash(
    path.replace(EXPRESS, (...found) => {
      const { literal, slash, name, often, rest, group } = found.at(-1) as Record<string, string | undefined>;
      if (name !== undefined) {
        const variable = `${slash}{${often === "*" || often === "+" ? "*" : ""}${unquoted(name)}}`;
        return often === "?" ? `[${variable}]` : variable;
      }
      return rest !== undefined ? `{*${unquoted(rest)}}` : (literal ?? (group === "{" ? "[" : "]"));
    }),
  );
}

/** The template of a path of Hono, where a variable is a whole segment. */
export function honoTemplate(path: string): Template {
  const variable = /\/:([^{}/?]+)(?:\{(?:[^{}]|\{[^{}]*\})*\})?(\?)?(?=\/|$)/g;
  return withoutSlash(path.replace(variable, (_, name, optional) => (optional ? `[/{${name}}]` : `/{${name}}`)));
}

/** Whether a template takes paths of any length, as middleware does. */
export function isBroad(template: Template): boolean {
  return template.includes("*");
}

export function withoutSlash(template: string): Template {
  let end = template.length;
  while (end > 1 && template[end - 1] === "/") {
    end--;
  }
  return template.slice(0, end);
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replace(/\\(.)/gs, "$1") : name;
}
