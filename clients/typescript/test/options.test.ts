import assert from "node:assert/strict";
import { after, test } from "node:test";
import { guardTools as guardAi } from "../src/frameworks/ai.js";
import { guardTools as guardAnthropic } from "../src/frameworks/anthropic.js";
import { idempotency } from "../src/frameworks/express.js";
import { guardTools as guardLangChain, idemMiddleware } from "../src/frameworks/langchain.js";
import { guardServer } from "../src/frameworks/mcp.js";
import { once } from "../src/frameworks/openai-agents.js";
import { guardTool, Idem, type Policy, Refused } from "../src/index.js";
import { nearest } from "../src/options.js";
import { examine } from "../src/testing.js";

const idem = await Idem.open("memory:");
after(() => idem.close());

const fails = () => assert.fail("it ran");
/** What a program in JavaScript may write. */
const any = (options: object) => options as never;
const ai = { charge: { execute: fails } };
const langChain = [{ name: "charge", invoke: fails }];
const anthropic = [{ name: "charge", run: fails }];
const agents = { name: "charge", execute: fails };
const server = () => ({ registerTool: () => {} });

/** Declarations, each with a name that does not exist, and the name that was meant. */
const misspelt: [string, string, () => unknown][] = [
  ["ledgr", "ledger", () => Idem.open(any({ ledgr: "memory:" }))],
  ["give_up_ms", "giveUpMs", () => Idem.open(any({ ledger: "memory:", give_up_ms: 1 }))],
  ["contents", "content", () => idem.operation("x", any({ key: "k", contents: { a: 1 } }))],
  ["identiy", "identity", () => idem.operation("x", any({ scope: "s", identiy: {} }))],
  ["ocurrence", "occurrence", () => idem.session("s").operation("x", any({ key: "k", ocurrence: 2 }))],
  ["timelimit", "timeLimit", () => idem.operation("x", { key: "k", policy: any({ timelimit: "5s" }) })],
  ["time_limit", "timeLimit", () => idem.once("x", { key: () => "k", policy: any({ time_limit: "5s" }) }, fails)],
  ["contents", "content", () => idem.once("x", any({ key: () => "k", contents: fails }), fails)],
  ["scop", "scope", () => guardTool(idem, any({ name: "x", scop: "s" }), fails)],
  ["contents", "content", () => guardTool(idem, any({ name: "x", contents: ["memo"] }), fails)],
  ["sideeffect", "sideEffect", () => guardTool(idem, { name: "x", policy: any({ sideeffect: "read" }) }, fails)],
  ["scop", "scope", () => guardAi(idem, ai, any({ scop: "s" }))],
  ["contents", "content", () => guardAi(idem, ai, { scope: "s", tools: { charge: any({ contents: ["memo"] }) } })],
  ["identiy", "identity", () => guardAnthropic(idem, anthropic, { tools: { charge: any({ identiy: ["a"] }) } })],
  ["tool", "tools", () => guardLangChain(idem, langChain, any({ tool: {} }))],
  ["contents", "content", () => idemMiddleware(idem, { tools: { charge: any({ contents: ["memo"] }) } })],
  ["scop", "scope", () => once(idem, agents, any({ scop: "s" }))],
  ["contents", "content", () => once(idem, agents, any({ scope: "s", contents: ["memo"] }))],
  ["usr", "user", () => guardServer(idem, server(), any({ name: "shop", usr: fails }))],
  ["probes", "probe", () => guardServer(idem, server(), { name: "shop", tools: { charge: any({ probes: fails }) } })],
  ["principle", "principal", () => idempotency(idem, any({ principle: "anonymous" }))],
  ["keyrequired", "keyRequired", () => idempotency(idem, any({ principal: "anonymous", keyrequired: true }))],
  ["idm", "idem", () => examine(fails, any({ idm: idem }))],
];

test("aMisspeltOptionIsRefusedWhereItIsDeclaredWithTheNameThatWasMeant", async () => {
  for (const [wrong, right, declare] of misspelt) {
    const words = new RegExp(`there is no option '${wrong}'; did you mean '${right}'\\?`);
    await assert.rejects(
      async () => declare(),
      (error: unknown) => error instanceof Refused && words.test(error.message),
      `${wrong} of ${declare}`,
    );
  }
});

test("anOptionOfNoKnownNameIsRefusedWithAllNames", () => {
  const policy = any({ retry: 3 });
  assert.throws(() => idem.operation("x", { key: "k", policy }), /no option 'retry'; there are sideEffect, lease/);
  assert.throws(() => idem.operation("x", any({ key: "k", x: 2 })), /'x'; there are scope, key, identity/);
  assert.equal(nearest("x", ["key", "scope"]), undefined);
});

test("aMisspeltDecisionWritesNothing", async () => {
  const entry = { operation: "x", key: "k", fence: "1", state: "in_doubt" };
  const decision = any({ as: "failed", who: "ann", why: "", even_though_it_may_still_act: true });
  await assert.rejects(idem.resolve(entry, decision), /did you mean 'evenThoughItMayStillAct'/);
});

test("aWrongValueOfAPolicyIsRefusedInTheSpellingOfThisPackage", () => {
  const wrong: [object, RegExp][] = [
    [{ sideEffect: "raed" }, /sideEffect: 'raed' is not one of read, idempotent, write, destructive/],
    [{ onDoubt: "again" }, /onDoubt: 'again' is not one of halt, probe, rerun/],
    [{ reworded: "allow" }, /reworded: 'allow' is not one of warn, conflict, ignore/],
    [{ repeat: "always" }, /repeat: 'always' is not one of replay, run/],
    [{ timeLimit: "1m30s" }, /timeLimit: '1m30s' is no duration; write for instance 500ms, 30s, 5m, 24h or 7d/],
    [{ lease: Number.NaN }, /lease: 'NaN' is no duration/],
    [{ wait: -5 }, /wait: '-5' is no duration/],
    [{ approval: "yes" }, /approval: 'yes' is neither true nor false/],
    [{ sideEffect: "read", approval: true }, /a read runs without asking.*remove the approval.*sideEffect: "write"/],
  ];
  for (const [policy, words] of wrong) {
    assert.throws(() => idem.operation("x", { key: "k", policy: policy as Policy }), words);
    assert.throws(() => guardAi(idem, ai, { tools: { charge: { policy: policy as Policy } } }), words);
  }
  assert.throws(() => guardAi(idem, ai, { tools: { charge: any("raed" as never) } }), /'raed' is not one of read/);
  idem.operation("x", { key: "k", policy: { sideEffect: "read", approval: false } });
  for (const timeLimit of [0, 20, "20s", "PT20S", "PT1M0.5S", undefined]) {
    idem.operation("x", { key: "k", policy: { timeLimit } as Policy });
  }
});
