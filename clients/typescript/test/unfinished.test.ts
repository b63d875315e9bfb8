import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { after, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { guardTools as guardAi } from "../src/frameworks/ai.js";
import { guardTools as guardAnthropic } from "../src/frameworks/anthropic.js";
import { guardTools as guardLangChain } from "../src/frameworks/langchain.js";
import { guardServer } from "../src/frameworks/mcp.js";
import { once } from "../src/frameworks/openai-agents.js";
import { guardTool, happened, Idem, json, Refused } from "../src/index.js";
import "./support.js";

const warnings: string[] = [];
const idem = await Idem.open({ ledger: "memory:", onWarning: message => warnings.push(message) });
after(() => idem.close());

let keys = 0;
const fresh = () => `k-${++keys}`;

let effects = 0;
function* lazy() {
  yield ++effects;
}
async function* lazyAsync() {
  yield ++effects;
}
/** What a program in JavaScript may write. */
const any = (value: unknown) => value as never;

test("anActionThatIsAGeneratorFunctionIsRefusedBeforeAnythingRuns", async () => {
  for (const action of [lazy, lazyAsync] as (() => unknown)[]) {
    for (const [name, call] of Object.entries({
      run: () => idem.operation("charge", { key: "k" }).run(action),
      attempt: () => idem.operation("charge", { key: "k" }).attempt(action),
      read: () => idem.operation("look", { policy: { sideEffect: "read" } }).run(action),
      once: () => idem.once("charge", { key: () => "k" }, action),
      scope: () => idem.scope("order-7", action),
      guardTool: () => guardTool(idem, { name: "charge", key: () => "k" }, action),
      Anthropic: () => guardAnthropic(idem, [{ name: "charge", run: action }]),
      "OpenAI Agents": () => once(idem, { name: "charge", execute: action }),
      MCP: () =>
        guardServer(idem, { registerTool: (..._: unknown[]) => {} }, { name: "s" }).registerTool("charge", {}, action),
    })) {
      await assert.rejects(
        async () => call(),
        (error: unknown) => error instanceof Refused && /is an? (async )?generator function/.test(error.message),
        name,
      );
    }
  }
  assert.throws(() => guardAi(idem, { charge: { execute: lazy } }), /is a generator function/);
  assert.equal(effects, 0);
  assert.equal(await idem.find({ operation: "charge", key: "k" }), undefined);
});

/** As a fetch gives it. */
const response = () => Object.defineProperty(new Response("{}"), "url", { value: "https://example.com/" });
/** Results of actions that have not ended, and what they are called. */
const unfinished: [string, () => unknown][] = [
  ["a generator", () => lazy()],
  ["a generator", () => lazyAsync()],
  ["a generator", async () => new Map().values()],
  ["a stream", () => Readable.from([1])],
  ["a stream", () => new PassThrough()],
  ["a stream", () => response().body],
  ["a response whose body was not read", response],
  ["an async iterator", () => ({ [Symbol.asyncIterator]: lazyAsync })],
  ["a stream", () => ({ messages: [], toReadableStream() {}, [Symbol.asyncIterator]: lazyAsync })],
  ["a stream", () => ({ pipe() {}, subscribe() {} })],
  ["an async iterator", () => ({ controller: new AbortController(), [Symbol.asyncIterator]: lazyAsync })],
  ["a function", () => lazy],
  ["a Promise at 'receipt'", () => ({ receipt: Promise.resolve(1) })],
  ["a Promise at '[1]'", () => [1, new Promise(() => {})]],
  // biome-ignore lint/suspicious/noThenProperty: a thenable of another library
  ["a Promise at 'a.b'", () => ({ a: { b: { then: () => {} } } })],
  ["a generator at 'rows'", () => ({ rows: lazy() })],
];

test("aResultThatIsNotThereYetLeavesADoubtThatSaysWhatToDo", async () => {
  for (const [is, action] of unfinished) {
    for (const options of [{}, { codec: json }, { definite: () => true }, { policy: { staged: true } }]) {
      const key = fresh();
      const outcome = await idem.operation("charge", { key, ...options }).attempt(action);
      assert.equal(outcome.kind, "in_doubt", is);
      assert.ok(outcome.kind === "in_doubt" && outcome.thrown instanceof TypeError);
      assert.ok(outcome.thrown.message.includes(`returned ${is}, so`), outcome.thrown.message);
      assert.match(outcome.thrown.message, /inside of the action/);
      assert.equal((await idem.find({ operation: "charge", key }))?.state, "in_doubt");
    }
  }
  assert.equal(effects, 0);
});

test("aProbeThatFindsWhatIsNotThereYetHasFoundNothing", async () => {
  const options = { key: fresh(), policy: { probeGrace: "1ms" } };
  await idem.operation("charge", options).attempt(call => {
    call.remoteEnded();
    return Promise.reject(new Error("reset"));
  });
  const probed = { ...options, probe: () => happened(any({ rows: lazy() })) };
  const outcome = await idem.operation("charge", probed).attempt(() => assert.fail("it ran"));
  assert.ok(outcome.kind === "in_doubt", outcome.kind);
  assert.match(String((outcome.error.cause as Error).message), /^the probe returned a generator at 'rows'/);
  assert.equal((await idem.find({ operation: "charge", key: options.key }))?.state, "in_doubt");
});

test("aResultThatIsThereIsRecordedAsBefore", async () => {
  const read = response();
  await read.text();
  const ended = Readable.from([]);
  ended.resume();
  await new Promise(resolve => ended.once("close", resolve));
  class Receipt {
    readonly id = 1;
    next() {}
  }
  for (const value of [read, ended, new Map([[1, 2]]), new Set([1]), [1, [2]], { next: 1 }, new Receipt()]) {
    const outcome = await idem.operation("charge", { key: fresh() }).attempt(() => value);
    assert.equal(outcome.kind, "done");
  }
  // A read is not recorded, so a stream of it is its caller's.
  const stream = Readable.from([1]);
  const look = idem.operation("look", { policy: { sideEffect: "read" } });
  assert.equal(await look.run(() => stream), stream);
});

test("aResultWithManyWaysToTheSameObjectIsRecorded", async () => {
  const user: Record<string, unknown> = {};
  user.posts = [{ user }, { user }];
  let shared: unknown = 1;
  for (let level = 0; level < 40; level++) {
    shared = [shared, shared];
  }
  const twice = { at: new Date(0) };
  const at = "1970-01-01T00:00:00.000Z";
  for (const [value, stored, warning] of [
    [user, user, /'posts\[0\]\.user' is inside itself/],
    [shared, shared, /too large to be kept/],
    [[twice, { twice }], [{ at }, { twice: { at } }], undefined],
  ] as const) {
    const outcome = await idem.operation("charge", { key: fresh(), codec: json }).attempt(() => value);
    assert.ok(outcome.kind === "done");
    assert.ok(value === stored ? outcome.value === value : isDeepStrictEqual(outcome.value, stored));
    assert.equal(outcome.warnings.length, warning ? 1 : 0);
    assert.match(outcome.warnings.join(), warning ?? /^$/);
  }
  for (const value of [user, shared]) {
    const outcome = await idem.operation("charge", { key: fresh() }).attempt(() => value);
    assert.ok(outcome.kind === "done" && outcome.value === value && outcome.warnings.length === 1);
  }
});

test("aValueThatOnlyLooksUnfinishedIsRecorded", async () => {
  class Page {
    readonly data = [1];
    async *[Symbol.asyncIterator]() {
      yield* this.data;
    }
  }
  for (const value of [{ pipe() {} }, new Page(), new Response("hi", { status: 201 }), { undo() {} }]) {
    const outcome = await idem.operation("charge", { key: fresh() }).attempt(() => value);
    assert.ok(outcome.kind === "done" && outcome.value === value);
  }
});

test("aThenableIsAwaitedOnceAndItsValueIsRecorded", async () => {
  const query = (ends: (resolve: (value: unknown) => void, reject: (error: Error) => void) => void) => {
    let runs = 0;
    const thenable = {
      // biome-ignore lint/suspicious/noThenProperty: as query builders have it
      then(resolve: (value: unknown) => void, reject: (error: Error) => void) {
        runs++;
        setTimeout(() => ends(resolve, reject), 1);
      },
    };
    return { thenable: any(thenable), runs: () => runs };
  };
  const inner = query(resolve => resolve({ id: 1 }));
  const outer = query(resolve => resolve(inner.thenable));
  const key = fresh();
  for (const kind of ["done", "replayed"]) {
    const outcome = await idem.operation("insert", { key }).attempt(() => outer.thenable);
    assert.equal(outcome.kind, kind);
    assert.deepEqual((outcome as { value?: unknown }).value, { id: 1 });
  }
  assert.deepEqual([inner.runs(), outer.runs()], [1, 1]);
  const failing = query((_, reject) => reject(new Error("reset")));
  const outcome = await idem.operation("insert", { key: fresh() }).attempt(() => failing.thenable);
  assert.equal(outcome.kind, "in_doubt");
});

test("aToolOfLangChainThatYieldsEventsHasItsReturnedValueRecorded", async () => {
  const events: unknown[] = [];
  let runs = 0;
  const charge = {
    name: "charge",
    async *_call() {
      yield { percent: 50 };
      return `run ${++runs}`;
    },
    async invoke(input: unknown) {
      return await (this as unknown as { _call(...given: unknown[]): unknown })._call(input, {
        handleToolEvent: async (event: unknown) => events.push(event),
      });
    },
  };
  const [guarded] = guardLangChain(idem, [charge], { scope: "yields" });
  assert.equal(await guarded.invoke({}), "run 1");
  assert.match(String(await guarded.invoke({})), /^run 1\n/);
  assert.deepEqual([runs, events], [1, [{ percent: 50 }]]);
});
