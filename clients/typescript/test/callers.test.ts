import assert from "node:assert/strict";
import { ServerResponse } from "node:http";
import { after, test } from "node:test";
import { guardTools as guardAi } from "../src/frameworks/ai.js";
import { guardTools as guardAnthropic } from "../src/frameworks/anthropic.js";
import { type ExpressRequest, idempotency } from "../src/frameworks/express.js";
import { HttpGuard } from "../src/frameworks/http/guard.js";
import { guardTools as guardLangChain, threadOf } from "../src/frameworks/langchain.js";
import { guardServer, type McpExtra, type McpOptions } from "../src/frameworks/mcp.js";
import { once } from "../src/frameworks/openai-agents.js";
import { guardTool, Idem, Refused } from "../src/index.js";
import "./support.js";

const idem = await Idem.open("memory:");
after(() => idem.close());

type Handler = (args: object, extra: McpExtra) => Promise<{ content: { text: string }[] }>;

/** The tool of a guarded server; its result is the number of its run. */
function served(options: McpOptions<McpExtra>): { call: Handler; runs: () => number } {
  let runs = 0;
  let call: Handler = () => assert.fail("not registered");
  const server = {
    registerTool(_: string, __: object, handler: Handler) {
      call = handler;
    },
  };
  guardServer(idem, server, options).registerTool("charge", { inputSchema: {} }, async () => ({
    content: [{ text: `run ${++runs}` }],
  }));
  return { call, runs: () => runs };
}

const as = (sub: unknown, session?: unknown): McpExtra => ({
  authInfo: { extra: { sub } },
  _meta: session === undefined ? {} : { "dev.idem/session": session },
});

test("aUserThatIsFoundOutLaterIsWaitedForAndGetsNoResultOfAnother", async () => {
  const user = async (extra: McpExtra) => extra.authInfo?.extra?.sub as string | undefined;
  const { call, runs } = served({ name: "later", user });
  assert.equal((await call({}, as("ann"))).content[0]?.text, "run 1");
  assert.equal((await call({}, as("bob"))).content[0]?.text, "run 2");
  assert.equal((await call({}, as("ann"))).content[0]?.text, "run 1");
  await assert.rejects(call({}, as(undefined)), /the caller is not authenticated/);
  assert.equal(runs(), 2);
});

test("whatIsNoNameOfAUserIsRefused", async () => {
  const wrong = [{ id: "ann" }, ["ann"], 7, true, Symbol("ann"), new Date(), "", " ", "\t\n", "\ud83d"];
  for (const each of wrong) {
    const { call, runs } = served({ name: "wrong", user: () => each as string });
    const refused = (error: unknown) =>
      error instanceof Refused && /the user .* of guardServer.*Nothing ran|not authenticated/.test(error.message);
    await assert.rejects(call({}, as("ann")), refused, String(each));
    assert.equal(runs(), 0);
  }
});

test("aBlankSessionOrServerIsRefused", async () => {
  const { call, runs } = served({ name: "sessions", user: () => "ann" });
  for (const each of ["", " ", 7, {}, null]) {
    await assert.rejects(call({}, as("ann", each)), /the session .*_meta\["dev.idem\/session"\].*Nothing ran/);
  }
  for (const each of ["", " ", {}, true]) {
    const extra = { ...as("ann"), _meta: { "dev.idem/key": each } };
    await assert.rejects(call({}, extra), /the key of 'charge' is .*Nothing ran/);
  }
  assert.equal(runs(), 0);
  assert.throws(() => served({ name: " " }), /the name of guardServer is blank/);
  assert.throws(() => served({ name: "shop", session: "" }), /the session of guardServer is blank/);
});

/** A call of a tool in each framework, with this scope. */
const guarded: Record<string, (scope: never, run: () => unknown) => Promise<unknown>> = {
  async "AI SDK"(scope, run) {
    const { charge } = guardAi(idem, { charge: { execute: async () => run() } }, { scope });
    return await (charge.execute as (...given: unknown[]) => unknown)({}, { toolCallId: "c", messages: [] });
  },
  async Anthropic(scope, run) {
    const [charge] = guardAnthropic(idem, [{ name: "charge", run: (_: object) => run() }], { scope });
    return await charge.run({});
  },
  async "OpenAI Agents"(scope, run) {
    const charge = { name: "charge", execute: (_: object) => run() };
    return await once(idem, charge, { scope }).execute({});
  },
  async LangChain(scope, run) {
    const [charge] = guardLangChain(idem, [{ name: "charge", invoke: (_: object) => run() }], { scope });
    return await charge.invoke({});
  },
  guardTool: (scope, run) => guardTool(idem, { name: "charge", scope }, run)({}),
  async once(scope, run) {
    return await idem.once("charge", { scope, identity: () => ({}) }, run)();
  },
  operation: (scope, run) => idem.operation("charge", { scope, identity: {} }).run(run),
  async "a scope around the call"(scope, run) {
    return await idem.scope(scope, () => idem.operation("charge", { identity: {} }).run(run));
  },
  async session(scope, run) {
    return await idem.session(scope).operation("charge", { identity: {} }).run(run);
  },
};

test("aScopeThatIsNoTextIsRefusedInEveryFramework", async () => {
  for (const [name, call] of Object.entries(guarded)) {
    for (const each of ["", "  ", 7, {}, ["order-7"], new Date(), "\ud83d"]) {
      let runs = 0;
      await assert.rejects(
        call(each as never, () => ++runs),
        (error: unknown) => error instanceof Refused && /the scope of 'charge'|the scope of /.test(error.message),
        `${name}: ${String(each)}`,
      );
      assert.equal(runs, 0, name);
    }
  }
});

test("aScopeThatIsFoundOutLaterIsWaitedFor", async () => {
  for (const name of ["AI SDK", "Anthropic", "OpenAI Agents", "LangChain", "guardTool", "once"]) {
    let runs = 0;
    for (const scope of [`${name}-a`, `${name}-b`, `${name}-a`]) {
      await guarded[name]?.((async () => scope) as never, () => ++runs);
    }
    assert.equal(runs, 2, name);
  }
});

test("aThreadThatIsBlankIsNone", async () => {
  for (const thread_id of ["", " ", Number.NaN, {}, null]) {
    assert.throws(() => threadOf({ configurable: { thread_id } }), /runs without a thread/, String(thread_id));
  }
  assert.equal(threadOf({ configurable: { thread_id: 7 } }), "7");
});

test("aKeyThatIsNoTextIsRefused", async () => {
  const keys = [() => Promise.resolve("k"), () => ({ id: 1 }), () => 7, () => " "];
  for (const key of keys as unknown as (() => string)[]) {
    for (const call of [
      () => idem.once("charge", { key }, () => assert.fail("it ran"))(),
      () => guardTool(idem, { name: "charge", key }, () => assert.fail("it ran"))({}),
      () => idem.operation("charge", { key: key() }).run(() => assert.fail("it ran")),
    ]) {
      await assert.rejects(
        async () => call(),
        (error: unknown) => error instanceof Refused && /the key of 'charge' is .*Nothing ran/.test(error.message),
      );
    }
  }
});

test("aKeyThatTheLedgerCantHoldIsRefusedInTheWordsOfThisPackage", async () => {
  for (const key of ["a b", "ä", "x".repeat(256)]) {
    await assert.rejects(
      idem.operation("charge", { key }).run(() => assert.fail("it ran")),
      /the key of 'charge' is not 1 to 255 visible ASCII characters.*identity: \{ id: … \}.*Nothing ran/,
    );
  }
  assert.throws(() => idem.operation(" ", { key: "k" }), /the name of the operation is blank/);
});

const request = (more: object) =>
  ({
    method: "POST",
    path: "/orders",
    query: "",
    contentType: "",
    lines: (name: string) => (name === "idempotency-key" ? ["k-1"] : []),
    body: () => ({ bytes: new Uint8Array() }),
    ...more,
  }) as Parameters<HttpGuard<unknown>["handle"]>[1];

test("aPrincipalThatIsFoundOutLaterIsWaitedForAndOneThatIsNoTextGets401", async () => {
  let runs = 0;
  const send = async (principal: () => unknown) => {
    const guard = new HttpGuard<unknown>(idem, { principal: principal as () => string });
    const reply = await guard.handle({}, request({}), async () => ({
      response: { status: 200, headers: {}, body: Buffer.from(`run ${++runs}`) },
    }));
    assert.ok(reply.kind === "send");
    return reply.response.status === 200 ? Buffer.from(reply.response.body).toString() : reply.response.status;
  };
  assert.equal(await send(async () => "ann"), "run 1");
  assert.equal(await send(async () => ["acme", "ann"]), "run 2");
  assert.equal(await send(async () => "ann"), "run 1");
  for (const wrong of [undefined, null, "", " ", 7, {}, [], ["acme", " "], ["acme", 7], new Date()]) {
    assert.equal(await send(async () => wrong), 401, String(wrong));
    assert.equal(await send(() => wrong), 401, String(wrong));
  }
});

test("aBodyThatIsReadLaterIsWaitedForAndARouteThatIsNoTextIsRefused", async () => {
  let runs = 0;
  const send = async (body: object) => {
    const guard = idempotency<ExpressRequest>(idem, {
      principal: () => "ann",
      body: async () => body,
    });
    const rawHeaders = ["Idempotency-Key", "k-2"];
    return await new Promise(resolve => {
      const response = new ServerResponse({ method: "POST" } as never);
      response.end = () => {
        resolve(response.statusCode);
        return response;
      };
      const ran = () => {
        runs++;
        resolve("ran");
        throw new Error("the connection was lost");
      };
      guard({ method: "POST", originalUrl: "/upload", rawHeaders }, response, ran);
    });
  };
  assert.equal(await send({ file: "a" }), "ran");
  assert.equal(await send({ file: "b" }), 422);
  assert.equal(runs, 1);
  const guard = new HttpGuard<unknown>(idem, {
    principal: () => "ann",
    route: (() => Promise.resolve("/orders")) as never,
  });
  await assert.rejects(
    guard.handle({}, request({}), () => assert.fail("it ran")),
    /the route of a request is a Promise/,
  );
});

test("aScopeFunctionThatGivesNoScopeIsRefusedBeforeAnythingRuns", async () => {
  let effects = 0;
  const act = () => ++effects;
  const identity = () => ({ customer: "cus_1" });
  for (const gives of [undefined, null, "", " ", 7, {}, "\ud800"] as const) {
    for (const scope of [() => gives as string, async () => gives as string]) {
      await idem.scope("everybody", async () => {
        const once = idem.once("mine", { scope, identity }, act);
        const tool = guardTool(idem, { name: "mine", scope, identity }, act);
        const keyed = idem.once("mine", { scope, key: () => "k" }, act);
        const read = idem.once("mine", { scope, policy: { sideEffect: "read" } }, act);
        const { mine } = guardAi(idem, { mine: { execute: act } }, { scope: scope as never });
        const ai = () => (mine.execute as (input: object, context: object) => unknown)({}, { toolCallId: "c1" });
        for (const call of [once, () => tool({}), keyed, read, ai]) {
          await assert.rejects(
            async () => call(),
            (error: unknown) =>
              error instanceof Refused && /^the scope of 'mine' is .*order-7.*Nothing ran/.test(error.message),
            String(gives),
          );
        }
      });
    }
  }
  for (const scope of [null, "", 7] as unknown as string[]) {
    await idem.scope("everybody", () =>
      assert.rejects(idem.operation("mine", { scope, identity: 1 }).run(act), /^Refused: the scope of 'mine' is /),
    );
  }
  assert.equal(effects, 0);
});
