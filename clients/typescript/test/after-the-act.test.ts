import assert from "node:assert/strict";
import { after, test } from "node:test";
import { guardTools as guardAi } from "../src/frameworks/ai.js";
import { guardTools as guardAnthropic } from "../src/frameworks/anthropic.js";
import { guardTools as guardLangChain, idemMiddleware } from "../src/frameworks/langchain.js";
import { guardServer } from "../src/frameworks/mcp.js";
import { once } from "../src/frameworks/openai-agents.js";
import { guardTool, Idem, json, Refused } from "../src/index.js";
import "./support.js";

const warnings: string[] = [];
const idem = await Idem.open({ ledger: "memory:", onWarning: message => warnings.push(message) });
after(() => idem.close());

let keys = 0;
const fresh = () => `k-${++keys}`;
/** Half of a character that has two. */
const HALF = "\ud83d";
const BIG = 9007199254740993n;

/** Calls a tool twice in each framework; gives what the framework would make JSON of. */
const frameworks: Record<string, (run: () => unknown) => Promise<unknown[]>> = {
  async "AI SDK"(run) {
    const { charge } = guardAi(idem, { charge: { execute: async () => run() } }, { scope: fresh() });
    const guarded = charge as unknown as {
      execute(...given: unknown[]): unknown;
      toModelOutput(options: object): unknown;
    };
    const told = async (toolCallId: string) => {
      const input = {};
      const output = await guarded.execute(input, { toolCallId, messages: [] });
      return [output, await guarded.toModelOutput({ toolCallId, input, output })];
    };
    return [await told("c1"), await told("c2")];
  },
  async Anthropic(run) {
    const [charge] = guardAnthropic(idem, [{ name: "charge", run: (_: object) => run() }], { scope: fresh() });
    return [await charge.run({}), await charge.run({})];
  },
  async "OpenAI Agents"(run) {
    const charge = once(idem, { name: "charge", execute: (_: object) => run() }, { scope: fresh() });
    return [await charge.execute({}), await charge.execute({})];
  },
  async LangChain(run) {
    const [charge] = guardLangChain(idem, [{ name: "charge", invoke: (_: object) => run() }], { scope: fresh() });
    return [await charge.invoke({}), await charge.invoke({})];
  },
  async "LangChain's middleware"(run) {
    const { wrapToolCall } = idemMiddleware(idem, { scope: fresh() });
    const tool = { name: "charge", invoke: (_: object) => run() };
    const call = () =>
      wrapToolCall({ toolCall: { name: "charge" }, tool }, ({ tool: guarded }) => (guarded as typeof tool).invoke({}));
    return [await call(), await call()];
  },
  async MCP(run) {
    let charge: (extra: object) => unknown = () => assert.fail("not registered");
    const server = {
      registerTool(_: string, __: object, handler: (extra: object) => unknown) {
        charge = handler;
      },
    };
    const result = () => ({ content: [], structuredContent: run() });
    guardServer(idem, server, { name: fresh() }).registerTool("charge", {}, result);
    return [await charge({}), await charge({})];
  },
};

test("anIntegerBeyond2To53IsTextForTheModelInEveryFramework", async () => {
  for (const [name, twice] of Object.entries(frameworks)) {
    for (const value of [{ id: BIG }, [BIG], { deep: [{ id: BIG }] }, BIG]) {
      let runs = 0;
      const told = await twice(() => {
        runs++;
        return value;
      });
      assert.equal(runs, 1, name);
      for (const each of told) {
        assert.match(JSON.stringify(each), /9007199254740993/, name);
        assert.doesNotMatch(JSON.stringify(each), /nothing happened|again now|try again/, name);
      }
      assert.match(JSON.stringify(told[1]), /was done before/, name);
    }
  }
});

test("aResultThatCantBeShownIsNoErrorOfTheTool", async () => {
  for (const [name, twice] of Object.entries(frameworks)) {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const [first, second] = await twice(() => cyclic);
    assert.match(JSON.stringify(first), /has taken effect/, name);
    assert.match(JSON.stringify(second), /has already run/, name);
  }
});

test("aResultOfAPersonThatFitsNoToolIsShownAsText", async () => {
  for (const result of ["a text", 7, BIG]) {
    const name = fresh();
    let charge: (extra: object) => unknown = () => assert.fail("not registered");
    const server = {
      registerTool(_: string, __: object, handler: (extra: object) => unknown) {
        charge = handler;
      },
    };
    const lost = () => Promise.reject(new Error("socket hang up"));
    guardServer(idem, server, { name }).registerTool("charge", {}, lost);
    const doubt = JSON.stringify(await charge({}));
    const key = /idem_[0-9a-f]{32}/.exec(doubt)?.[0] ?? "";
    const entry = await idem.find({ scope: `mcp:${name}:default`, operation: "charge", key });
    assert.ok(entry);
    await idem.resolve(entry, { as: "complete", result, who: "ann", why: "seen" });
    const again = (await charge({})) as { content: { text: string }[] };
    assert.match(again.content[0]?.text ?? "", new RegExp(`^${result}\n\n'charge' was done before`));
  }
});

test("anErrorOfACodecIsNoEnding", async () => {
  const fails = () => {
    throw Object.assign(new Error(), { message: HALF, toString: () => assert.fail("not shown") });
  };
  const codecs = [
    { encode: fails, decode: json.decode },
    { encode: json.encode, decode: fails },
  ];
  for (const codec of codecs) {
    const key = fresh();
    const [first, shared] = await Promise.all([
      idem.operation("charge", { key, codec }).attempt(async () => ({ id: 1 })),
      idem.operation("charge", { key, codec }).attempt<unknown>(() => assert.fail("it ran twice")),
    ]);
    assert.ok(first.kind === "done");
    assert.deepEqual(first.value, { id: 1 });
    assert.match(first.warnings.join(), /its codec/);
    assert.ok(shared.kind === "replayed" && shared.unavailable !== undefined);
    const later = await idem.operation("charge", { key, codec }).attempt<unknown>(() => assert.fail("it ran twice"));
    assert.ok(later.kind === "replayed" && later.unavailable !== undefined);
  }
  // A codec that reads its own text only once: the caller that shares the result gets none.
  let reads = 0;
  const once = {
    encode: json.encode,
    decode: (stored: unknown) => (reads++ === 0 ? stored : fails()),
  };
  const key = fresh();
  const [first, shared] = await Promise.all([
    idem.operation("charge", { key, codec: once }).attempt(async () => 1),
    idem.operation("charge", { key, codec: once }).attempt<unknown>(() => assert.fail("it ran twice")),
  ]);
  assert.equal(first.kind, "done");
  assert.ok(shared.kind === "replayed" && shared.unavailable !== undefined);
});

test("anErrorWhosePartsCantBeReadLeavesADoubt", async () => {
  const hidden = new Error("hidden");
  for (const name of ["name", "message", "code", "cause"]) {
    Object.defineProperty(hidden, name, { get: () => assert.fail(`${name} can't be read`) });
  }
  const options = { key: fresh(), policy: { probeGrace: "1s" }, probe: () => undefined };
  const outcome = await idem.operation("charge", options).attempt(() => Promise.reject(hidden));
  assert.ok(outcome.kind === "in_doubt" && outcome.thrown === hidden);
});

test("aResultWithHalfACharacterOrAHugeNumberIsKeptOrItsCallerIsWarned", async () => {
  const long = `${"x".repeat(79)}😀`;
  const digits = BigInt(`1${"0".repeat(1000)}`);
  for (const [value, why] of [
    [HALF, /half a surrogate pair/],
    [{ name: `a${HALF}b` }, /half a surrogate pair/],
    [{ [HALF]: 1 }, /half a surrogate pair/],
    [{ [HALF]: new Map() }, /is a Map/],
    [{ [long]: new Map() }, /is a Map/],
    [{ [long]: HALF }, /half a surrogate pair/],
    [digits, /the result can't be kept as JSON: it is an integer of 1001 digits/],
    [2 ** 53, undefined],
    [{ total: 2 ** 53, small: -(2 ** 60), huge: 1e21 }, undefined],
  ] as const) {
    for (const codec of [undefined, json]) {
      const key = fresh();
      warnings.length = 0;
      const first = await idem.operation("charge", { key, codec }).attempt(() => value);
      assert.equal(first.kind, "done", String(value));
      assert.deepEqual((first as { value?: unknown }).value, value);
      assert.equal((await idem.find({ operation: "charge", key }))?.state, "complete");
      const second = await idem.operation("charge", { key, codec }).attempt<unknown>(() => assert.fail("it ran twice"));
      assert.ok(second.kind === "replayed");
      if (why === undefined) {
        assert.deepEqual([second.value, first.warnings], [value, []]);
      } else {
        assert.match(second.unavailable ?? "", why);
        assert.match(first.warnings.join(), why);
      }
    }
  }
});

test("aCommandThatSteersTheGraphReachesItAsItIs", async () => {
  const command = { lg_name: "Command", update: { total: BIG } };
  const tool = { name: "charge", invoke: async (_: object): Promise<unknown> => command };
  const [charge] = guardLangChain(idem, [tool], { scope: fresh() });
  assert.equal(await charge.invoke({}), command);
  assert.match(String(await charge.invoke({})), /has already run for this and has taken effect/);
});

test("anObserverOfWarningsThatFailsLaterHurtsNobody", async () => {
  let told = 0;
  const onWarning = async () => {
    told++;
    throw new Error("the observer failed");
  };
  const observed = await Idem.open({ ledger: "memory:", onWarning });
  await observed.operation("charge", { key: "k" }).run(() => new Date(0));
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(told, 1);
  await observed.close();
});

test("aResultOfAPersonThatIsNoJsonIsRefused", async () => {
  const seen = { operation: "charge", key: "k", fence: "1", state: "in_doubt" };
  for (const result of [new Date(), HALF, 2 ** 53]) {
    await assert.rejects(
      idem.resolve(seen, { as: "complete", result, who: "ann", why: "seen" }),
      (error: unknown) => error instanceof Refused && /the result of the decision: it is /.test(error.message),
    );
  }
});

test("aToolWhoseResultIsNotKeptWarns", async () => {
  const tool = guardTool(idem, { name: "charge", scope: fresh() }, () => new Date(0));
  warnings.length = 0;
  assert.equal((await tool({})).kind, "done");
  assert.match(warnings.join(), /the result can't be kept as JSON.*'charge' will get no result/);
});

test("aReplayOfAToolOfTheAiSdkHasItsNoteWhateverItsInputIs", async () => {
  const execute = async (input: unknown) => ({ got: input });
  for (const input of ["cus_1", 7, ["cus_1"], { customer: "cus_1" }]) {
    const { charge } = guardAi(idem, { charge: { execute } }, { scope: fresh() });
    const { toModelOutput } = charge as never as { toModelOutput: (about: object) => Promise<{ value: unknown }> };
    const texts: string[] = [];
    for (const toolCallId of ["c1", "c2"]) {
      const given = structuredClone(input);
      const output = await (charge.execute as (...args: unknown[]) => unknown)(given, { toolCallId });
      texts.push(JSON.stringify((await toModelOutput({ toolCallId, input: given, output })).value));
    }
    assert.doesNotMatch(texts[0] ?? "", /was done before/);
    assert.match(texts[1] ?? "", /was done before/, JSON.stringify(input));
  }
});
