import assert from "node:assert/strict";
import { after, test } from "node:test";
import { guardTools as guardAi } from "../src/frameworks/ai.js";
import { HttpGuard } from "../src/frameworks/http/guard.js";
import { idemMiddleware } from "../src/frameworks/langchain.js";
import { guardServer } from "../src/frameworks/mcp.js";
import { once } from "../src/frameworks/openai-agents.js";
import { connectionRefused, type Definite, guardTool, happened, Idem, Refused } from "../src/index.js";
import "./support.js";

const idem = await Idem.open("memory:");
after(() => idem.close());

let keys = 0;
const fresh = () => `k-${++keys}`;
const fails = () => assert.fail("it ran");
/** What a program in JavaScript may write. */
const any = (value: unknown) => value as never;

class CardDeclined extends Error {}
class NoError {}

test("onlyTheLiteralTrueProvesThatNothingHappened", async () => {
  const later = [() => Promise.resolve(true), () => Promise.reject(new Error("no"))];
  const answers = [1, "true", {}, [], undefined, null].map(each => () => each);
  for (const answer of [...answers, ...later]) {
    const options = { key: fresh(), definite: () => any(answer()) };
    const outcome = await idem.operation("charge", options).attempt(() => Promise.reject(new CardDeclined("declined")));
    assert.equal(outcome.kind, "in_doubt", String(answer));
  }
});

/** What can't decide whether nothing happened. */
const undecided: [string, unknown][] = [
  ["an async function", async () => true],
  [
    "a generator function",
    function* () {
      yield true;
    },
  ],
  ["neither a function nor a class of errors", "CardDeclined"],
  ["neither a function nor a class of errors", { code: "declined" }],
  ["neither a function nor a class of errors", true],
  ["a list with something that is no class of errors", [CardDeclined, () => true]],
  ["a list with something that is no class of errors", [NoError]],
  ["a class whose instances are no errors", NoError],
];

const declarations: Record<string, (definite: Definite) => unknown> = {
  open: definite => Idem.open({ ledger: "memory:", definite }),
  operation: definite => idem.operation("charge", { key: "k", definite }),
  once: definite => idem.once("charge", { key: () => "k", definite }, fails),
  guardTool: definite => guardTool(idem, { name: "charge", definite }, fails),
  "AI SDK": definite => guardAi(idem, { charge: { execute: fails } }, { tools: { charge: { definite } } }),
  LangChain: definite => idemMiddleware(idem, { tools: { charge: { definite } } }),
  "OpenAI Agents": definite => once(idem, { name: "charge", execute: fails }, { definite }),
  MCP: definite => guardServer(idem, any({}), { name: "shop", tools: { charge: { definite } } }),
};

test("whatCantDecideIsRefusedWhereItIsDeclared", async () => {
  for (const [name, declare] of Object.entries(declarations)) {
    for (const [is, definite] of undecided) {
      await assert.rejects(
        async () => declare(any(definite)),
        (error: unknown) => error instanceof Refused && error.message.includes(`is ${is}`),
        `${name}: ${is}`,
      );
    }
  }
});

test("anAsyncFunctionIsRefusedWhereItsValueIsNeededAtOnce", () => {
  const late = any(async () => "late");
  for (const [what, declare] of [
    ["key", () => idem.once("charge", { key: late }, fails)],
    ["identity", () => idem.once("charge", { identity: late }, fails)],
    ["content", () => idem.once("charge", { key: () => "k", content: late }, fails)],
    ["labels", () => idem.once("charge", { key: () => "k", labels: late }, fails)],
    ["arguments", () => idem.once("charge", { key: () => "k", arguments: late }, fails)],
    ["codec's encode", () => idem.operation("charge", { key: "k", codec: { encode: late, decode: fails } })],
    ["codec's decode", () => idem.operation("charge", { key: "k", codec: { encode: fails, decode: late } })],
    ["key", () => guardTool(idem, { name: "charge", key: late }, fails)],
    ["identity", () => guardTool(idem, { name: "charge", identity: late }, fails)],
    ["content", () => guardTool(idem, { name: "charge", content: late }, fails)],
    ["identity", () => idemMiddleware(idem, { tools: { charge: { identity: late } } })],
    ["route", () => new HttpGuard<unknown>(idem, { principal: "anonymous", route: late })],
  ] as const) {
    assert.throws(
      declare,
      (error: unknown) => error instanceof Refused && error.message.startsWith(`the ${what} of '`),
      what,
    );
  }
});

test("onlyTrueDeclaresThatAToolOfLangChainInterruptsBeforeItActs", () => {
  for (const wrong of ["yes", 1, async () => true]) {
    const tools = { charge: { interruptsBeforeActing: any(wrong) } };
    assert.throws(
      () => idemMiddleware(idem, { tools }),
      /interruptsBeforeActing of the tool 'charge' is neither true nor false/,
    );
  }
});

test("aProbeIsAPlainOrAnAsyncFunction", async () => {
  const generator = async function* () {
    yield happened(1);
  };
  for (const [is, probe] of [
    ["an async generator function", generator],
    ["not a function", happened(1)],
  ] as const) {
    assert.throws(
      () => idem.operation("charge", { key: "k", probe: any(probe) }),
      (error: unknown) => error instanceof Refused && error.message.includes(`the probe of 'charge' is ${is}`),
    );
  }
});

test("aProbeThatGivesItsValueLaterIsWaitedFor", async () => {
  const policy = { timeLimit: 50, lease: 50 };
  const lost = () => Promise.reject(new Error("reset"));
  const doubted = async () => {
    for (;;) {
      const key = fresh();
      // On a busy machine the short limit may be over before the action.
      if ((await idem.operation("mail", { key, policy }).attempt(lost)).kind === "in_doubt") {
        return key;
      }
    }
  };
  const found = await idem
    .operation("mail", { key: await doubted(), policy, probe: () => happened(Promise.resolve({ id: "m" })) })
    .attempt<unknown>(fails);
  assert.ok(found.kind === "replayed");
  assert.deepEqual(found.value, { id: "m" });
  const failed = await idem
    .operation("mail", { key: await doubted(), policy, probe: () => happened(lost()) })
    .attempt<unknown>(fails);
  assert.equal(failed.kind, "in_doubt");
});

test("aConnectionWasRefusedOnlyIfThatIsSaidOfEachAddress", () => {
  const refused = () => Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  const reset = () => Object.assign(new Error("reset"), { code: "ECONNRESET" });
  const all = (errors: Error[], code?: string) => Object.assign(new AggregateError(errors), code && { code });
  const wrapped = (cause: unknown, code?: string) => Object.assign(new Error("no answer", { cause }), code && { code });
  for (const yes of [refused(), wrapped(refused()), all([refused(), refused()]), wrapped(all([refused()]))]) {
    assert.equal(connectionRefused(yes), true);
  }
  for (const no of [
    all([refused(), reset()]),
    all([reset(), refused()]),
    // Node gives the error of all addresses the code of one of them, and clients copy it to their own error.
    all([refused(), reset()], "ECONNREFUSED"),
    wrapped(all([refused(), reset()]), "ECONNREFUSED"),
    wrapped(all([refused(), reset()], "ECONNREFUSED"), "ECONNREFUSED"),
    all([all([refused(), reset()]), refused()]),
    all([]),
    reset(),
    undefined,
  ]) {
    assert.equal(connectionRefused(no), false);
  }
});
