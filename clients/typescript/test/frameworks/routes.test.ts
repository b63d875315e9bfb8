import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import express from "express";
import { Hono } from "hono";
import { idempotency as forExpress } from "idem-once/express";
import { idempotency as forHono } from "idem-once/hono";
import { idem, newTask } from "./shop.js";

interface RouteCase {
  readonly name: string;
  readonly path: string;
  readonly template: string;
  readonly express?: string;
  readonly hono?: string;
}

const cases = readFileSync(new URL("../route-cases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map(line => JSON.parse(line) as RouteCase);

const isOnce = { principal: "anonymous" } as const;

/** Sends a request with a key of its own, and tells its operation and how to send others with the same key. */
type Send = (
  path: string,
  key?: string,
  more?: Record<string, string>,
) => Promise<{ key: string; status: number; replayed: boolean }>;

function sending(fetchIt: (path: string, init: RequestInit) => Promise<Response>): Send {
  return async (path, key = newTask(), more = {}) => {
    const headers = { "idempotency-key": key, "content-type": "application/json", ...more };
    const { status, headers: got } = await fetchIt(path, { method: "POST", headers, body: "{}" });
    return { key, status, replayed: got.get("idempotent-replayed") === "true" };
  };
}

async function served(app: express.Express, use: (send: Send, url: string) => Promise<void>): Promise<void> {
  const server = createServer(app);
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const url = `http://127.0.0.1:${port}`;
    await use(
      sending((path, init) => fetch(url + path, init)),
      url,
    );
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function isNamed(key: string, template: string): Promise<void> {
  const entry = await idem.find({ scope: "http:", operation: `POST ${template}`, key });
  assert.ok(entry, `no entry at POST ${template}`);
}

const done: express.RequestHandler = (_, response) => void response.status(201).send("done");

describe("the operation of a request on Express", () => {
  const guard = forExpress(idem, isOnce);

  for (const { name, path, template, express: pattern } of cases) {
    if (pattern !== undefined) {
      it(`isTheTemplateOf ${name}`, async () => {
        await served(express().use(express.json(), guard).post(pattern, done), async send => {
          await isNamed((await send(path)).key, template);
        });
        await served(express().post(pattern, express.json(), guard, done), async send => {
          await isNamed((await send(path)).key, template);
        });
      });
    }
  }

  it("hasTheTemplatesOfTheRoutersItIsIn", async () => {
    for (const place of ["application", "router", "route"]) {
      const at = (here: string) => (here === place ? [express.json(), guard] : [express.json()]);
      const orders = express.Router().use(at("router"));
      orders.post("/", at("route"), done).post("/orders/:id", at("route"), done);
      const app = express()
        .use(at("application"))
        .use("/api/:tenant", (_request, _response, next) => next())
        .use("/api/:tenant/v1", orders);
      await served(app, async send => {
        await isNamed((await send("/api/acme/v1/orders/42")).key, "/api/{tenant}/v1/orders/{id}");
        await isNamed((await send("/api/api/v1/orders/42")).key, "/api/{tenant}/v1/orders/{id}");
        await isNamed((await send("/api/acme/v1")).key, "/api/{tenant}/v1");
      });
    }
  });

  it("isThatOfTheHandlerAndNotOfTheMiddlewareBeforeIt", async () => {
    const app = express().use(express.json(), guard);
    app.all("/orders/*rest", (_request, _response, next) => next());
    app.all(/^\/orders/, (_request, _response, next) => next());
    app.post("/orders/*rest", (_request, _response, next) => next());
    app.get("/orders/:read", done).post("/orders/:id", done).post("/orders/:id/:late", done);
    await served(app, async send => isNamed((await send("/orders/42")).key, "/orders/{id}"));
  });

  it("isAStableTextForARegularExpressionAndForSeveralPatterns", async () => {
    const app = express().use(express.json(), guard);
    app.post(/^\/orders\/(\d+)$/, done).post(["/bills", "/bills/:id"], done);
    await served(app, async send => {
      await isNamed((await send("/orders/42")).key, "/^\\/orders\\/(\\d+)$/");
      await isNamed((await send("/bills/42")).key, "/bills|/bills/{id}");
    });
  });

  it("isNamedOnceWhereOneGuardIsInsideOfAnother", async () => {
    const app = express().use(express.json(), guard);
    app.post("/orders/:id", forExpress(idem, { ...isOnce, keyRequired: true }), done);
    await served(app, async send => {
      const { key, status } = await send("/orders/42");
      assert.equal(status, 201);
      await isNamed(key, "/orders/{id}");
      assert.equal((await send("/orders/42", key)).replayed, true);
    });
  });

  it("isThePathWhereNoRouteIsKnown", async () => {
    const shop = express().use(express.json());
    const app = express().use(express.json(), guard).use("/shop", shop.post("/orders/:id", done));
    await served(app, async send => {
      const { key, status } = await send("/shop/orders/42");
      assert.equal(status, 201);
      await isNamed(key, "/shop/orders/42");
      await isNamed((await send("/nowhere")).key, "/nowhere");
      assert.equal((await send("/shop/orders/%zz")).status, 400);
    });
    const guarded = express().use(express.json(), guard).post("/orders/:id", done);
    await served(express().use("/Shop", guarded), async send =>
      isNamed((await send("/shop/orders/42")).key, "/Shop/orders/{id}"),
    );
    await served(express().use("/:shop", guarded), async send =>
      isNamed((await send("/shop/orders/42")).key, "/shop/orders/42"),
    );
  });

  it("belongsToThePathThatMiddlewareHasMadeOfTheOneThatWasSent", async () => {
    const app = express().use((request, _response, next) => {
      request.url = `/${request.get("tenant")}${request.url}`;
      next();
    });
    await served(app.use(express.json(), guard).post("/:tenant/orders", done), isOneTenants);
  });

  it("neverMakesOneCallOfTwoPaths", async () => {
    await served(express().use(express.json(), guard).post("/orders/:id", done), neverMixes);
  });
});

/** The path of the second request is the one of the first as it was sent. */
async function isOneTenants(send: Send): Promise<void> {
  const { key } = await send("/orders", undefined, { tenant: "acme" });
  assert.deepEqual(await send("/orders", key, { tenant: "acme" }), { key, status: 201, replayed: true });
  assert.deepEqual(await send("/orders", key, { tenant: "other" }), { key, status: 422, replayed: false });
  await isNamed(key, "/{tenant}/orders");
}

async function neverMixes(send: Send): Promise<void> {
  const { key } = await send("/orders/42");
  assert.deepEqual(await send("/orders/%34%32", key), { key, status: 201, replayed: true });
  for (const other of ["/orders/43", "/orders/4%2F2", "/orders/42?to=bob", "/orders/%C3%A9"]) {
    assert.deepEqual(await send(other, key), { key, status: 422, replayed: false }, other);
  }
}

describe("the operation of a request on Hono", () => {
  const guard = () => forHono(idem, isOnce);
  const sendTo = (app: Hono) => sending(async (path, init) => app.request(path, init));

  for (const { name, path, template, hono: pattern } of cases) {
    if (pattern !== undefined) {
      it(`isTheTemplateOf ${name}`, async () => {
        const first = sendTo(new Hono().use(guard()).post(pattern, c => c.text("done", 201)));
        await isNamed((await first(path)).key, template);
        const atRoute = sendTo(new Hono().post(pattern, guard(), c => c.text("done", 201)));
        await isNamed((await atRoute(path)).key, template);
      });
    }
  }

  it("isThatOfTheHandlerAndNotOfTheMiddlewareBeforeIt", async () => {
    const orders = new Hono().use(async (_, next) => next());
    orders.post("/", c => c.text("done", 201)).post("/:id", c => c.text("done", 201));
    const app = new Hono().use("/api/*", guard()).use("/api/:tenant/*", async (_, next) => next());
    const send = sendTo(app.route("/api/:tenant/orders", orders) as Hono);
    await isNamed((await send("/api/acme/orders/42")).key, "/api/{tenant}/orders/{id}");
    await isNamed((await send("/api/acme/orders")).key, "/api/{tenant}/orders");
  });

  it("isThePathWhereNoRouteIsKnown", async () => {
    const app = new Hono().use(guard()).all("/shop/*", c => c.text("done", 201));
    const send = sendTo(app);
    await isNamed((await send("/shop/orders/42")).key, "/shop/orders/42");
    await isNamed((await send("/nowhere")).key, "/nowhere");
  });

  it("belongsToThePathThatTheApplicationHasMadeOfTheOneThatWasSent", async () => {
    const app = new Hono({ getPath: request => `/${request.headers.get("tenant")}${new URL(request.url).pathname}` });
    await isOneTenants(sendTo(app.use(guard()).post("/:tenant/orders", c => c.text("done", 201))));
  });

  it("neverMakesOneCallOfTwoPaths", async () => {
    await neverMixes(sendTo(new Hono().use(guard()).post("/orders/:id", c => c.text("done", 201))));
  });

  it("isNamedOnceWhereOneGuardIsInsideOfAnother", async () => {
    const inner = forHono(idem, { ...isOnce, keyRequired: true });
    const send = sendTo(new Hono().use(guard()).post("/orders/:id", inner, c => c.text("done", 201)));
    const { key, status } = await send("/orders/42");
    assert.equal(status, 201);
    await isNamed(key, "/orders/{id}");
    assert.equal((await send("/orders/42", key)).replayed, true);
  });

  it("isOneWithTheSameFormOnExpress", async () => {
    const hono = new Hono().use(guard()).post("/forms", c => c.text("done", 201));
    for (const extended of [false, true]) {
      const app = express().use(express.urlencoded({ extended }), forExpress(idem, isOnce)).post("/forms", done);
      const key = newTask();
      const headers = { "idempotency-key": key, "content-type": "application/x-www-form-urlencoded" };
      const form = { method: "POST", headers, body: "b=x+y&a=1&b=%C3%A4&&c" };
      await served(app, async (_, url) => assert.equal((await fetch(`${url}/forms`, form)).status, 201));
      const again = await hono.request("/forms", { ...form, body: "a=1&b=x%20y&b=%c3%a4&c=" });
      assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [201, "true"]);
      assert.equal((await hono.request("/forms", { ...form, body: "a=2" })).status, 422);
    }
  });
});
