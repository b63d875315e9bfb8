import assert from "node:assert/strict";
import { createServer, request as httpRequest, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import express from "express";
import { type Context, Hono } from "hono";
import { stream } from "hono/streaming";
import { Conflict, Idem, NotExecuted } from "idem-once";
import * as forExpress from "idem-once/express";
import * as forHono from "idem-once/hono";
import { idem, newTask } from "./shop.js";

/** What the handler does next, and what it has done. */
const handler = {
  runs: 0,
  status: 201,
  headers: {} as Record<string, string>,
  body: undefined as string | undefined,
  error: undefined as Error | undefined,
  notExecuted: false,
  gate: Promise.resolve(),
};

function next(change: Partial<typeof handler> = {}): typeof handler {
  const usual = { runs: 0, status: 201, headers: {}, body: undefined, error: undefined, notExecuted: false };
  return Object.assign(handler, usual, { gate: Promise.resolve() }, change);
}

const options = { storedHeaders: ["x-order"], largestBody: 2000, largestStoredBody: 5000 };
const closed = await Idem.open({ ledger: "memory:", command: ["/nonexistent/idem"] });

function expressApp(): RequestListener {
  const app = express();
  app.use((_, response, next) => {
    response.setHeader("x-from-before", "yes");
    next();
  });
  app.use(express.json(), express.text());
  const guard = forExpress.idempotency<express.Request>(idem, {
    principal: request => request.get("user"),
    ...options,
  });
  const work: express.RequestHandler = async (_, response) => {
    handler.runs++;
    await handler.gate;
    if (handler.notExecuted) {
      forExpress.notExecuted(response);
    }
    if (handler.error !== undefined) {
      throw handler.error;
    }
    response.status(handler.status).set(handler.headers).cookie("session", "secret");
    handler.body === undefined ? response.json({ run: handler.runs }) : response.send(handler.body);
  };
  app.post("/streams", guard, async (_, response) => {
    handler.runs++;
    response.type("text/event-stream").write("data: 1\n\n");
    await handler.gate;
    response.end("data: 2\n\n");
  });
  const failing = forExpress.idempotency(closed, { principal: "anonymous" });
  app.post("/unavailable", failing, work);
  app.all("/orders/:id", guard, work);
  // As Express 4 gives a body that no parser took.
  const emptied: express.RequestHandler = (request, _, next) => {
    request.body ??= {};
    next();
  };
  app.post("/emptied", emptied, guard, work);
  app.use(guard);
  app.all(/.*/, work);
  const quiet: express.ErrorRequestHandler = (_error, _request, response, _next) =>
    void response.status(500).send("failed");
  app.use(quiet);
  return app;
}

function honoApp(): RequestListener {
  const app = new Hono();
  app.use(async (c, next) => {
    c.header("x-from-before", "yes");
    await next();
  });
  const work = async (c: Context) => {
    handler.runs++;
    await handler.gate;
    if (handler.notExecuted) {
      forHono.notExecuted(c);
    }
    if (handler.error !== undefined) {
      throw handler.error;
    }
    c.header("set-cookie", "session=secret");
    for (const [name, value] of Object.entries(handler.headers)) {
      c.header(name, value);
    }
    c.status(handler.status as 201);
    return handler.body === undefined ? c.json({ run: handler.runs }) : c.body(handler.body);
  };
  app.post("/unavailable", forHono.idempotency(closed, { principal: "anonymous" }), work);
  app.use(forHono.idempotency(idem, { principal: c => c.req.raw.headers.get("user"), ...options }));
  app.post("/streams", c => {
    handler.runs++;
    c.header("content-type", "text/event-stream");
    return stream(c, async out => {
      await out.write("data: 1\n\n");
      await handler.gate;
      await out.write("data: 2\n\n");
    });
  });
  app.onError((_, c) => c.text("failed", 500));
  app.all("*", work);
  return toNode(app.fetch);
}

/** The bridge from node:http to a fetch handler, in a few lines. */
function toNode(fetch: (request: Request) => Response | Promise<Response>): RequestListener {
  return async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk as Buffer);
    }
    const headers = new Headers();
    for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
      headers.append(incoming.rawHeaders[i] as string, incoming.rawHeaders[i + 1] as string);
    }
    const body = chunks.length === 0 ? null : Buffer.concat(chunks);
    const response = await fetch(
      new Request(`http://shop${incoming.url}`, { method: incoming.method ?? "", headers, body }),
    );
    outgoing.writeHead(response.status, [...response.headers].flat());
    for await (const chunk of response.body ?? []) {
      outgoing.write(chunk);
    }
    outgoing.end();
  };
}

for (const [server, app] of [
  ["Express", expressApp],
  ["Hono", honoApp],
] as const) {
  describe(`Idempotency-Key with ${server}`, () => {
    const http = createServer(app());
    const agent = { port: 0 };
    let keys = 0;
    const newKey = () => `${server}-${newTask()}-${++keys}`;

    before(async () => {
      await new Promise<void>(resolve => http.listen(0, "127.0.0.1", resolve));
      agent.port = (http.address() as AddressInfo).port;
    });
    after(() => {
      http.close();
      http.closeAllConnections();
    });

    interface Sent {
      readonly key?: string | string[];
      readonly user?: string | undefined;
      readonly method?: string;
      readonly path?: string;
      readonly body?: string | undefined;
      readonly type?: string;
    }

    async function send(sent: Sent = {}) {
      const {
        key,
        user = "ann",
        method = "POST",
        path = "/orders",
        body = '{"item":1}',
        type = "application/json",
      } = sent;
      const headers: Record<string, string | string[]> = { "content-type": type };
      if (key !== undefined) {
        headers["idempotency-key"] = key;
      }
      if (user !== "") {
        headers.user = user;
      }
      return new Promise<{
        status: number;
        headers: Record<string, string | string[] | undefined>;
        body: string;
        type: string;
      }>((resolve, reject) => {
        const sending = httpRequest(
          { host: "127.0.0.1", port: agent.port, method, path, headers, agent: false },
          got => {
            let text = "";
            got.setEncoding("utf8").on("data", chunk => {
              text += chunk;
            });
            got.on("error", reject);
            got.on("end", () => {
              const problem = /json/.test(got.headers["content-type"] ?? "") ? JSON.parse(text) : {};
              const type = String(problem.type ?? "").replace("urn:idem:problem:", "");
              resolve({ status: got.statusCode ?? 0, headers: got.headers, body: text, type });
            });
          },
        );
        sending.on("error", reject);
        sending.end(body);
      });
    }

    it("replaysTheFirstResponseWithItsMarksAndWithoutItsSecrets", async () => {
      next({ headers: { location: "/orders/7", "x-order": "7" } });
      const key = newKey();
      const first = await send({ key: `"${key}"` });
      const second = await send({ key, body: '{ "item": 1.0 }' });
      assert.equal(handler.runs, 1);
      assert.deepEqual([first.status, first.body], [201, '{"run":1}']);
      assert.deepEqual([second.status, second.body], [201, '{"run":1}']);
      assert.match(String(first.headers["set-cookie"]), /secret/);
      assert.equal(first.headers["idempotent-replayed"], undefined);
      assert.equal(first.headers["idempotency-key"], `"${key}"`);
      const { headers } = second;
      assert.equal(headers["set-cookie"], undefined);
      assert.deepEqual([headers.location, headers["x-order"], headers["x-from-before"]], ["/orders/7", "7", "yes"]);
      assert.deepEqual([headers["idempotent-replayed"], headers["cache-control"]], ["true", "no-store"]);
      assert.match(String(headers.age), /^\d+$/);
      const keptMs = Date.parse(String(headers["idempotency-expires"])) - Date.now();
      assert.ok(Math.abs(keptMs - 7 * 86_400_000) < 120_000, String(headers["idempotency-expires"]));
      assert.equal(first.headers["idempotency-expires"], headers["idempotency-expires"]);
    });

    it("neverGivesACallerTheResponseOfAnother", async () => {
      next();
      const key = newKey();
      assert.equal((await send({ key, user: "ann" })).body, '{"run":1}');
      assert.equal((await send({ key, user: "bob" })).body, '{"run":2}');
      const nobody = await send({ key, user: "" });
      assert.deepEqual([nobody.status, nobody.type], [401, "principal-missing"]);
      assert.equal(nobody.headers["www-authenticate"], "Bearer");
      assert.equal(handler.runs, 2);
    });

    it("runsARequestWithoutAKeyAndAReadEachTime", async () => {
      next();
      await send();
      await send({ user: "" });
      const key = newKey();
      await send({ key, method: "GET", body: undefined });
      await send({ key, method: "GET", body: undefined });
      assert.equal(handler.runs, 4);
    });

    it("refusesAKeyThatIsUsedForAnotherRequest", async () => {
      next();
      const key = newKey();
      await send({ key });
      for (const other of [{ body: '{"item":2}' }, { path: "/orders?a=1" }, { type: "text/plain" }]) {
        const refused = await send({ key, ...other });
        assert.deepEqual([refused.status, refused.type], [422, "key-reused"], JSON.stringify(other));
      }
      assert.equal((await send({ key, path: "/refunds" })).body, '{"run":2}');
      assert.equal(handler.runs, 2);
    });

    it("refusesAMalformedKeyAPathThatCanBeReadInTwoWaysAndABodyThatIsTooLarge", async () => {
      next();
      for (const key of ["a b", "", ["a", "b"]]) {
        const refused = await send({ key });
        assert.deepEqual([refused.status, refused.type], [400, "key-malformed"], String(key));
      }
      assert.equal((await send({ key: newKey(), path: "/files/a%2Fb" })).type, "path-ambiguous");
      const large = await send({ key: newKey(), body: JSON.stringify({ item: "x".repeat(3000) }) });
      assert.deepEqual([large.status, large.type], [413, "body-too-large"]);
      assert.equal(handler.runs, 0);
    });

    it("keeps4xxAndLeavesADoubtAfter5xx429AndAnError", async () => {
      for (const change of [{ status: 503 }, { status: 429 }, { error: new Error("lost") }]) {
        next(change);
        const key = newKey();
        const first = await send({ key });
        assert.equal(first.status, change.status ?? 500);
        const second = await send({ key });
        assert.deepEqual([second.status, second.type], [409, "in-doubt"]);
        assert.match(second.body, /Do not send it with a new Idempotency-Key/);
        assert.equal(handler.runs, 1);
      }
      next({ status: 422 });
      const key = newKey();
      await send({ key });
      const again = await send({ key });
      assert.deepEqual([again.status, again.headers["idempotent-replayed"], handler.runs], [422, "true", 1]);
    });

    it("freesTheKeyAfterAResponseThatDeclaresThatNothingHappened", async () => {
      next({ status: 503, notExecuted: true });
      const key = newKey();
      assert.equal((await send({ key })).status, 503);
      next();
      assert.deepEqual([(await send({ key })).body, handler.runs], ['{"run":1}', 1]);
    });

    it("givesADuplicateOfARunningRequestItsResponse", async () => {
      let finish = () => {};
      const gate = new Promise<void>(resolve => {
        finish = resolve;
      });
      next({ gate });
      const key = newKey();
      const both = [send({ key }), send({ key })];
      setTimeout(finish, 50);
      const [first, second] = await Promise.all(both);
      assert.deepEqual([first?.body, second?.body, handler.runs], ['{"run":1}', '{"run":1}', 1]);
    });

    it("recordsAStreamAsDoneWithoutItsResponse", async () => {
      let finish = () => {};
      const gate = new Promise<void>(resolve => {
        finish = resolve;
      });
      next({ gate });
      const key = newKey();
      const streaming = send({ key, path: "/streams" });
      setTimeout(finish, 50);
      const first = await streaming;
      assert.deepEqual([first.status, first.body], [200, "data: 1\n\ndata: 2\n\n"]);
      assert.equal(first.headers["idempotency-key"], key);
      const second = await send({ key, path: "/streams" });
      assert.deepEqual([second.status, second.type, handler.runs], [409, "result-not-kept", 1]);
    });

    it("sendsAResponseThatIsTooLargeToBeKeptOnce", async () => {
      next({ body: "x".repeat(6000) });
      const key = newKey();
      assert.equal((await send({ key })).body.length, 6000);
      const second = await send({ key });
      assert.deepEqual([second.type, handler.runs], ["result-not-kept", 1]);
    });

    it("runsNothingWithoutTheLedger", async () => {
      next();
      const refused = await send({ key: newKey(), path: "/unavailable" });
      assert.deepEqual([refused.status, refused.type, handler.runs], [503, "ledger-unavailable", 0]);
      assert.equal(refused.headers["retry-after"], "5");
    });

    it("givesTheValueThatAPersonFoundOut", async () => {
      next({ error: new Error("lost") });
      const key = newKey();
      await send({ key });
      const entry = await idem.find({ scope: "http:ann", operation: "POST /orders", key });
      assert.equal(entry?.state, "in_doubt");
      await idem.resolve(entry, { as: "complete", result: { order: 7 }, who: "bob", why: "seen in the list" });
      const resolved = await send({ key });
      assert.deepEqual([resolved.status, resolved.body], [200, '{"order":7}']);
    });

    if (server === "Hono") {
      it("tellsWhatAnErrorOfIdemInTheHandlerMeans", async () => {
        next({ error: new NotExecuted("the bank is closed") });
        const key = newKey();
        const free = await send({ key });
        assert.deepEqual([free.status, free.type], [503, "not-executed"]);
        next({ error: new Conflict("a step was done with other values") });
        const doubt = await send({ key });
        assert.deepEqual([doubt.status, doubt.type], [409, "in-doubt"]);
        assert.match(doubt.body, /Earlier steps may have taken effect/);
      });
    } else {
      it("refusesABodyThatNoParserHasReadSinceTwoRequestsWouldLookAlike", async () => {
        next();
        for (const path of ["/orders", "/emptied"]) {
          const refused = await send({ key: newKey(), path, type: "application/octet-stream" });
          assert.deepEqual([refused.status, handler.runs], [500, 0], path);
        }
      });

      it("takesTheRoutesTemplateForTheOperation", async () => {
        next();
        const key = newKey();
        await send({ key, path: "/orders/1" });
        assert.ok(await idem.find({ scope: "http:ann", operation: "POST /orders/{id}", key }));
        assert.equal((await send({ key, path: "/orders/2" })).type, "key-reused");
      });
    }
  });
}
