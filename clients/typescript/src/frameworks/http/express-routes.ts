import { onePath } from "./fingerprint.js";
import { expressTemplate, isBroad, type Template, withoutSlash } from "./templates.js";

/** What the search for a route reads of a request of Express. */
export interface RoutedRequest {
  readonly method: string;
  readonly path?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly route?: { readonly path?: unknown } | undefined;
  readonly app?: unknown;
}

interface Route {
  readonly path: unknown;
  readonly methods?: Readonly<Record<string, boolean | undefined>>;
}

/** A layer of the router of Express 4 or 5. A match leaves what it found in the layer, until the next match. */
interface Layer {
  match(path: string): boolean;
  readonly path?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly route?: Route;
  readonly handle: { readonly stack?: readonly Layer[] };
}

interface Application {
  path(): string;
  /** Of Express 4, where reading `router` throws. */
  readonly _router?: { readonly stack: readonly Layer[] };
  readonly router?: { readonly stack: readonly Layer[] };
}

interface Found {
  readonly route: Route;
  readonly template: Template;
}

const MARK = "~";
const MOST_SEGMENTS = 16;

/**
 * The template of the route that will answer a request, found before Express looks for it; undefined where it can't be
 * known. A route for all methods that takes paths of any length, or is a regular expression, counts as middleware.
 */
export function routeOf(request: RoutedRequest): Template | undefined {
  const { route: current, baseUrl = "" } = request;
  const found = knownRoutes(request);
  // Express leaves the route of an earlier handler that has called `next()` in the request.
  if (current?.path !== undefined && !(takesAll(current as Route) && isAnyPath(current.path))) {
    const here = found.find(({ route }) => route === current)?.template;
    return here ?? templateOf(onePath(baseUrl), current.path);
  }
  const method = request.method.toLowerCase();
  const answering = found.filter(({ route }) => takesAll(route) || route.methods?.[method] === true);
  const narrow = answering.find(({ route, template }) => typeof route.path === "string" && !isBroad(template));
  return (narrow ?? answering.find(({ route }) => !takesAll(route)))?.template;
}

/** The `all` of a router, and that of an application, which names each method. */
function takesAll({ methods }: Route): boolean {
  return methods?._all === true || methods?.trace === true;
}

function isAnyPath(path: unknown): boolean {
  return typeof path !== "string" || isBroad(expressTemplate(path));
}

function templateOf(prefix: Template, path: unknown): Template {
  const template = prefix + expressTemplate(path);
  return typeof path === "string" ? withoutSlash(template) : template;
}

/** The routes of the application that match the path of a request, of any method, in their order. */
function knownRoutes({ app, baseUrl = "", path = "" }: RoutedRequest): Found[] {
  try {
    const application = app as Application;
    // An application inside another one has no way to that one's routes, but knows where it is mounted.
    const mount = withoutSlash(application.path().replace(/\/{2,}/g, "/")).replace(/^\/$/, "");
    const whole = baseUrl + path;
    const stack = (application._router ?? application.router)?.stack;
    return stack !== undefined && `${whole}/`.toLowerCase().startsWith(`${mount}/`.toLowerCase())
      ? routesOf(stack, whole.slice(mount.length) || "/", mount)
      : [];
  } catch {
    // A path that is not encoded as it should be, or another router: Express itself will answer.
    return [];
  }
}

function routesOf(stack: readonly Layer[], path: string, prefix: Template): Found[] {
  return stack.flatMap(layer => {
    if (!layer.match(path)) {
      return [];
    } else if (layer.route !== undefined) {
      return [{ route: layer.route, template: templateOf(prefix, layer.route.path) }];
    }
    const mount = layer.path ?? "";
    const inside = layer.handle.stack;
    return inside === undefined
      ? []
      : routesOf(inside, path.slice(mount.length) || "/", prefix + mountTemplate(layer, mount));
  });
}

/** A router does not keep the pattern it is mounted at, so each segment is tried: a variable is one that takes any text. */
function mountTemplate(layer: Layer, mount: string): Template {
  const segments = mount.split("/");
  if (segments.length > MOST_SEGMENTS) {
    // It takes paths of any length, so none of its variables is one segment, and the client chooses how many there are.
    return onePath(mount);
  }
  const variables = segments.map((segment, i) => {
    const matches = segment !== "" && layer.match(segments.with(i, MARK).join("/"));
    return matches ? Object.entries(layer.params ?? {}).find(([, value]) => value === MARK)?.[0] : undefined;
  });
  return onePath(segments.map((segment, i) => (variables[i] === undefined ? segment : `{${variables[i]}}`)).join("/"));
}
