import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  Conflict,
  connectionRefused,
  currentCall,
  Failed,
  guardTool,
  happened,
  Idem,
  InDoubt,
  InFlight,
  json,
  NotExecuted,
  type Outcome,
  Refused,
  ResultUnavailable,
} from "../src/index.js";
import { gate, until } from "./support.js";

const warnings: string[] = [];
const idem = await Idem.open({ ledger: "memory:", onWarning: message => warnings.push(message) });
after(() => idem.close());

let keys = 0;
const fresh = () => `k-${++keys}`;

async function stateOf(operation: string, key: string, scope = "default"): Promise<string | undefined> {
  return (await idem.find({ scope, operation, key }))?.state;
}

test("anActionRunsOnceAndItsStoredValueIsReplayed", async () => {
  let effects = 0;
  const charge = () =>
    idem.operation("charge", { scope: "order-7", identity: { customer: "cus_1", cents: 4200 } }).attempt(call => {
      effects++;
      return { key: call.key, big: 9007199254740993n };
    });
  const first = await charge();
  const second = await charge();
  assert.equal(first.kind, "done");
  assert.equal(second.kind, "replayed");
  assert.ok(first.kind === "done" && second.kind === "replayed");
  assert.deepEqual(second.value, first.value);
  assert.equal(second.value?.big, 9007199254740993n);
  assert.equal(second.value?.key, "idem_91371c3a37ded373ab9d52f3f6bb8d33");
  assert.ok(second.ranAt && Number.isFinite(Date.parse(second.ranAt)));
  assert.equal(effects, 1);
});

test("anErrorThatProvesNothingLeavesADoubtAndIsThrownAsItIs", async () => {
  const key = fresh();
  const own = new Error("no answer from the bank");
  const thrown = await idem
    .operation("charge", { key })
    .run(() => {
      throw own;
    })
    .catch((error: { idem?: unknown }) => error);
  assert.equal(thrown, own);
  assert.ok(thrown.idem instanceof InDoubt);
  assert.match(thrown.idem.forModel(), /no answer from the bank.*Do not call it again.*key k-/s);
  const again = await idem.operation("charge", { key }).attempt(() => assert.fail("it ran again"));
  assert.equal(again.kind, "in_doubt");
  assert.ok(again.kind === "in_doubt" && /Do not call it again/.test(again.forModel));
  await assert.rejects(
    idem.operation("charge", { key }).run(() => 1),
    InDoubt,
  );
});

test("aDefiniteErrorFreesTheKey", async () => {
  class CardDeclined extends Error {}
  const refused = Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new AggregateError([]), {
      errors: [
        Object.assign(new Error("a"), { code: "ECONNREFUSED" }),
        Object.assign(new Error("b"), { code: "ECONNREFUSED" }),
      ],
    }),
  });
  for (const [error, definite] of [
    [new NotExecuted("out of stock"), undefined],
    [new CardDeclined("declined"), [CardDeclined]],
    [new CardDeclined("declined"), CardDeclined],
    [refused, connectionRefused],
  ] as const) {
    const key = fresh();
    const options = { key, definite };
    const failed = await idem.operation("charge", options).attempt(() => Promise.reject(error));
    assert.ok(failed.kind === "failed" && failed.thrown === error, failed.kind);
    assert.equal(await stateOf("charge", key), "failed");
    assert.equal(await idem.operation("charge", options).run(() => "second"), "second");
  }
  const other = await idem
    .operation("charge", { key: fresh(), definite: [CardDeclined] })
    .attempt(() => Promise.reject(new Error("reset")));
  assert.equal(other.kind, "in_doubt");
});

test("anotherIdentityIsAConflict", async () => {
  const key = fresh();
  await idem.operation("charge", { key, identity: { cents: 1 } }).run(() => 1);
  await assert.rejects(
    idem.operation("charge", { key, identity: { cents: 2 } }).run(() => 2),
    Conflict,
  );
});

test("aThousandEqualCallsShareOneClaimAndOneEffect", async () => {
  const key = fresh();
  let effects = 0;
  const all = await Promise.all(
    Array.from({ length: 1000 }, () =>
      idem.operation("charge", { key, identity: { n: 1 } }).attempt(async call => {
        effects++;
        return { id: call.key };
      }),
    ),
  );
  assert.equal(effects, 1);
  assert.equal(all.filter(each => each.kind === "done").length, 1);
  assert.equal(all.filter(each => each.kind === "replayed").length, 999);
  const values = new Set(all.map(each => (each as { value?: unknown }).value));
  assert.equal(values.size, 1000, "each caller has a value of its own");
  // A claim that finds the entry complete counts as a replay. Those that shared made none.
  assert.equal((await idem.find({ operation: "charge", key }))?.replays, 0);
});

test("equalKeysWithOtherIdentityContentOrPolicyAreNotShared", async () => {
  const key = fresh();
  const open = gate();
  const options = { key, identity: { n: 1 }, content: { text: "a" }, policy: { reworded: "conflict" } } as const;
  let runs = false;
  const first = idem.operation("mail", options).attempt(async () => {
    runs = true;
    await open.opened;
    return 1;
  });
  await until("the action", () => runs);
  const others = [
    idem.operation("mail", { ...options, identity: { n: 2 } }).attempt(() => 2),
    idem.operation("mail", { ...options, content: { text: "b" } }).attempt(() => 3),
    idem.operation("mail", options).attempt(() => 4),
  ];
  const impatient = await idem.operation("mail", { ...options, waitMs: 0 }).attempt(() => 5);
  open.open();
  const all = await Promise.all([first, ...others]);
  assert.deepEqual(
    [impatient.kind, ...all.map(each => each.kind)],
    ["in_flight", "done", "conflict", "conflict", "replayed"],
  );
});

test("callsThatShareAFailureGetItAsAnEndingOfTheirOwn", async () => {
  const key = fresh();
  const open = gate();
  const own = new Error("reset");
  const first = idem.operation("mail", { key }).attempt(async () => {
    await open.opened;
    throw own;
  });
  const second = idem.operation("mail", { key }).run(() => assert.fail("it ran twice"));
  open.open();
  assert.ok(((await first) as { thrown?: unknown }).thrown === own);
  await assert.rejects(second, (error: unknown) => error instanceof InDoubt && error.cause === own);
});

test("aCallThatSharesWaitsNoLongerThanItMay", async () => {
  const key = fresh();
  const open = gate();
  const first = idem.operation("mail", { key }).attempt(() => open.opened);
  const second = await idem.operation("mail", { key, waitMs: 50 }).attempt(() => 1);
  assert.equal(second.kind, "in_flight");
  await assert.rejects(
    idem.operation("mail", { key, waitMs: 10 }).run(() => 1),
    InFlight,
  );
  open.open();
  assert.equal((await first).kind, "done");
});

test("anOperationInsideItselfIsRefusedAtOnce", async () => {
  const inners: ((scope: string, key: string) => Parameters<Idem["operation"]>[1])[] = [
    scope => ({ scope, identity: { n: 1, m: 2 } }),
    scope => ({ scope, identity: { m: 2, n: 1 } }),
    (scope, key) => ({ scope, key }),
  ];
  for (const [i, inner] of inners.entries()) {
    const began = Date.now();
    const scope = `nest-${i}`;
    const outcome = await idem
      .operation("outer", { scope, identity: { n: 1, m: 2 }, waitMs: 60_000 })
      .attempt(call => idem.operation("outer", { ...inner(scope, call.key), waitMs: 60_000 }).run(() => 1));
    assert.ok(outcome.kind === "in_doubt" && outcome.thrown instanceof Refused, outcome.kind);
    assert.match(String((outcome.thrown as Error).message), /itself/);
    assert.ok(Date.now() - began < 30_000);
  }
  // Two operations that wait for each other end, too.
  const [a, b] = [gate(), gate()];
  const nested = (name: string, other: string, mine: ReturnType<typeof gate>, theirs: ReturnType<typeof gate>) =>
    idem.operation(name, { scope: "nest", key: "x" }).attempt(async () => {
      mine.open();
      await theirs.opened;
      return (await idem.operation(other, { scope: "nest", key: "x", waitMs: 100 }).attempt(() => 1)).kind;
    });
  const both = await Promise.all([nested("a", "b", a, b), nested("b", "a", b, a)]);
  // One of them gives up first, and the other one may still get its result.
  const ends = both.map(each => (each as { value?: unknown }).value);
  assert.ok(
    ends.includes("in_flight") && ends.every(each => each === "in_flight" || each === "replayed"),
    String(ends),
  );
});

test("anInnerNotExecutedNeverMakesTheOuterOneDefinite", async () => {
  const inner = () => idem.operation("inner", { key: fresh() }).run(() => Promise.reject(new NotExecuted("sold out")));
  const wrapped = async () => {
    try {
      return await inner();
    } catch (error) {
      throw Object.assign(new Error("step failed", { cause: error }), { code: "X" });
    }
  };
  const always = () => true;
  const viaAttempt = async () => {
    const outcome = await idem
      .operation("inner", { key: fresh() })
      .attempt(() => Promise.reject(new NotExecuted("sold out")));
    throw (outcome as { thrown?: unknown }).thrown;
  };
  for (const [body, definite] of [
    [inner, undefined],
    [inner, always],
    [wrapped, always],
    [viaAttempt, undefined],
    [() => Promise.all([inner(), inner()]), undefined],
  ] as const) {
    const key = fresh();
    const outer = await idem.operation("outer", { key, definite }).attempt(body as () => Promise<unknown>);
    assert.equal(outer.kind, "in_doubt");
    assert.equal(await stateOf("outer", key), "in_doubt");
  }
  // What the outer action says itself counts, and an error object that is used again is not tainted.
  const said = await idem.operation("outer", { key: fresh() }).attempt(async () => {
    throw new NotExecuted("nothing was sent", { cause: await inner().catch(error => error) });
  });
  assert.equal(said.kind, "failed");
  const constant = new NotExecuted("always the same");
  for (let i = 0; i < 2; i++) {
    assert.equal((await idem.operation("x", { key: fresh() }).attempt(() => Promise.reject(constant))).kind, "failed");
  }
});

test("aCallThatIsCancelledBeforeTheGrantRunsNothing", async () => {
  const key = fresh();
  const cancelled = new AbortController();
  cancelled.abort(new Error("cancelled"));
  await assert.rejects(
    idem.operation("mail", { key, signal: cancelled.signal }).run(() => assert.fail("it ran")),
    /cancelled/,
  );
  await idem.about();
  const soon = new AbortController();
  const call = idem.operation("mail", { key, signal: soon.signal }).run(() => assert.fail("it ran"));
  // The claim has been sent when its microtasks are over, and its answer takes longer than that.
  await new Promise(resolve => process.nextTick(resolve));
  soon.abort(new Error("too late"));
  await assert.rejects(call, /too late/);
  assert.equal(await idem.operation("mail", { key }).run(() => "ran"), "ran");
});

test("aCallThatIsCancelledWhileItWaitsRunsNothing", async () => {
  const key = fresh();
  const open = gate();
  const first = idem.operation("mail", { key, identity: { a: 1 } }).attempt(() => open.opened);
  await until("the claim", async () => (await stateOf("mail", key)) === "in_progress");
  const cancelled = new AbortController();
  // Another policy, so that it asks the server instead of sharing.
  const waiting = idem
    .operation("mail", { key, identity: { a: 1 }, policy: { lease: "31s" }, signal: cancelled.signal })
    .run(() => 1);
  setTimeout(() => cancelled.abort(new Error("enough")), 50);
  await assert.rejects(waiting, /enough/);
  open.open();
  assert.equal((await first).kind, "done");
});

test("aCallThatIsCancelledAfterItBeganIsInDoubt", async () => {
  const key = fresh();
  const cancelled = new AbortController();
  const outcome = await idem.operation("mail", { key, signal: cancelled.signal }).attempt(
    call =>
      new Promise((_, reject) => {
        call.signal.addEventListener("abort", () => reject(call.signal.reason));
        cancelled.abort(new Error("cancelled"));
      }),
  );
  assert.ok(outcome.kind === "in_doubt" && (outcome.thrown as Error).message === "cancelled");
  assert.equal(await stateOf("mail", key), "in_doubt");
});

test("aProbeSettlesADoubt", async () => {
  const policy = { timeLimit: 50, lease: 50 };
  const doubt = async () => {
    // On a busy machine the short limit may be over before the action.
    for (;;) {
      const key = fresh();
      const outcome = await idem.operation("mail", { key, policy }).attempt(() => Promise.reject(new Error("reset")));
      if (outcome.kind === "in_doubt") {
        return key;
      }
    }
  };
  const found = await idem
    .operation("mail", { key: await doubt(), probe: () => happened({ id: "m" }) })
    .attempt(() => ({ id: "?" }));
  assert.ok(found.kind === "replayed" && found.value?.id === "m");
  const none = await idem
    .operation("mail", { key: await doubt(), probe: () => NotExecuted })
    .attempt(() => ({ id: "again" }));
  assert.ok(none.kind === "done" && none.value.id === "again");
  for (const unsure of [() => undefined, () => Promise.reject(new NotExecuted("?"))]) {
    const unknown = await idem.operation("mail", { key: await doubt(), probe: unsure }).attempt(() => 1);
    assert.equal(unknown.kind, "in_doubt");
  }
  const secret = new RangeError("the password is 4711");
  const failed = await idem
    .operation("mail", { key: await doubt(), probe: () => Promise.reject(secret) })
    .attempt(() => 1);
  assert.ok(failed.kind === "in_doubt" && failed.error.cause === secret);
  assert.match(failed.message, /its probe failed: RangeError\. It did not run/);
  assert.doesNotMatch(failed.message + failed.forModel, /4711/);
});

test("aResultThatCantBeKeptStaysWithItsCallerWhoIsWarned", async () => {
  const key = fresh();
  const at = new Date();
  const value = await idem.operation("mail", { key }).run(() => ({ at }));
  assert.equal(value.at, at);
  assert.match(warnings.at(-1) ?? "", /'at' is a Date/);
  await assert.rejects(
    idem.operation("mail", { key }).run(() => ({ at })),
    ResultUnavailable,
  );
  const kept = { encode: (date: Date) => date.toISOString(), decode: (text: unknown) => new Date(String(text)) };
  const other = fresh();
  for (let i = 0; i < 2; i++) {
    const back = await idem.operation("mail", { key: other, codec: kept }).run(() => at);
    assert.ok(back instanceof Date && back.getTime() === at.getTime() && back !== at);
  }
  const third = fresh();
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await idem.operation("mail", { key: third, codec: json }).run(() => ({ at, none: undefined })), {
      at: at.toISOString(),
    });
  }
  assert.equal(await idem.operation("mail", { key: fresh() }).run(() => {}), null);
});

test("theFirstCallerGetsACopyOfItsOwn", async () => {
  const own = { id: 1, list: [1] };
  const value = await idem.operation("mail", { key: fresh() }).run(() => own);
  assert.deepEqual(value, own);
  assert.notEqual(value, own);
});

test("aWriteWithoutScopeOrKeyIsRefusedWithTheLineToAdd", async () => {
  const refused = (error: unknown) => error instanceof Refused && /scope: "order-7"/.test(error.message);
  await assert.rejects(
    idem.operation("mail", { identity: { a: 1 } }).run(() => 1),
    refused,
  );
  await assert.rejects(
    idem.operation("mail", { scope: "x" }).run(() => 1),
    /identity/,
  );
  assert.equal(await idem.operation("look", { policy: { sideEffect: "read" } }).run(() => 1), 1);
  await assert.rejects(
    idem.operation("mail", { scope: "x", identity: { at: new Date() } }).run(() => 1),
    /'at' is a Date/,
  );
  assert.throws(() => idem.once("mail", {}, () => 1), Refused);
});

test("whatMakesACallOfAMethodThisCallMayBeOfItsObject", async () => {
  const charge = idem.once(
    "charge",
    {
      identity(this: Account, cents: number) {
        return { account: this.number, cents };
      },
    },
    async function (this: Account, cents: number) {
      return `${this.number} ${cents}`;
    },
  );
  class Account {
    constructor(readonly number: string) {}
    charge = charge;
  }
  const charged = await idem.scope("order-of-two", async () => [
    await new Account("a").charge(1),
    await new Account("b").charge(1),
    await new Account("a").charge(1),
  ]);
  assert.deepEqual(charged, ["a 1", "b 1", "a 1"]);
});

test("scopeParentAndCallComeFromTheContext", async () => {
  const charge = idem.once("charge", { identity: (cents: number) => ({ cents }) }, async (cents: number) => {
    const call = currentCall();
    const mail = await idem.operation("mail", { identity: { cents } }).attempt(inner => inner.scope);
    return { scope: call?.scope, key: call?.key, cents, mail: mail.key };
  });
  const first = await idem.scope("order-8", () => charge(5));
  const second = await idem.scope("order-9", () => charge(5));
  assert.deepEqual([first.scope, second.scope], ["order-8", "order-9"]);
  assert.notEqual(first.key, second.key);
  const mail = await idem.find({ scope: "order-8", operation: "mail", key: first.mail ?? "" });
  assert.match(JSON.stringify(mail?.parent), new RegExp(`charge.*${first.key}`));
  const session = idem.session("order-8");
  assert.deepEqual(
    await session.once("charge", { identity: (cents: number) => ({ cents }) }, (cents: number) => ({ cents }))(5),
    first,
  );
});

test("aMarkMakesAStagedActionDoubtful", async () => {
  const staged = { policy: { staged: true } };
  const before = await idem
    .operation("mail", { key: fresh(), ...staged })
    .attempt(() => Promise.reject(new Error("not begun")));
  assert.equal(before.kind, "failed");
  const later = await idem.operation("mail", { key: fresh(), ...staged }).attempt(async call => {
    await call.mark("sending");
    throw new Error("reset");
  });
  assert.equal(later.kind, "in_doubt");
});

test("aPersonResolvesADoubt", async () => {
  const key = fresh();
  await idem.operation("mail", { key }).attempt(() => Promise.reject(new Error("reset")));
  const entry = await idem.find({ operation: "mail", key });
  assert.equal(entry?.state, "in_doubt");
  assert.ok(entry);
  const done = await idem.resolve(entry, {
    as: "complete",
    result: { id: "m1" },
    who: "ann",
    why: "seen in the outbox",
  });
  assert.equal(done.answer, "done");
  assert.deepEqual(await idem.operation("mail", { key }).run(() => ({ id: "?" })), { id: "m1" });
  assert.equal((await idem.resolve(entry, { as: "complete", who: "ann", why: "again" })).answer, "changed");
  assert.equal(await idem.find({ operation: "mail", key: "none" }), undefined);

  const other = fresh();
  await idem.operation("mail", { key: other }).attempt(() => Promise.reject(new Error("reset")));
  const missing = await idem.find({ operation: "mail", key: other });
  assert.ok(missing);
  const decision = { as: "failed", who: "ann", why: "not in the outbox", evenThoughItMayStillAct: true } as const;
  assert.equal((await idem.resolve(missing, decision)).answer, "done");
  assert.equal(await idem.operation("mail", { key: other }).run(() => "sent"), "sent");
});

test("aHeldCallRunsAfterAnApprovalOnly", async () => {
  const outcome: Outcome<number> = await idem
    .operation("pay", { key: fresh(), policy: { approval: true }, arguments: { cents: 1 } })
    .attempt(() => assert.fail("it ran"));
  assert.ok(outcome.kind === "held" && /approve/i.test(outcome.forModel), JSON.stringify(outcome));
});

test("aGuardedToolAnswersInsteadOfThrowing", async () => {
  let effects = 0;
  const send = guardTool(
    idem,
    { name: "send_mail", identity: ["to"], content: ["body"] },
    async (args: { to: string; body: string; trace?: string | undefined }) => {
      effects++;
      if (args.to === "nobody") {
        throw new NotExecuted("no such address");
      }
      if (args.to === "flaky") {
        throw new Error("connection reset");
      }
      return { sent: args.to };
    },
  );
  const context = { scope: "thread-1" };
  assert.deepEqual(await send({ to: "ann", body: "hi", trace: undefined }, context), {
    kind: "done",
    value: { sent: "ann" },
  });
  const again = await send({ to: "ann", body: "hello" }, context);
  assert.equal(again.kind, "replayed");
  assert.deepEqual(again.value, { sent: "ann" });
  assert.match(again.note ?? "", /was done before at \d{4}-/);
  assert.equal((await send({ to: "ann", body: "hi" }, { scope: "thread-2" })).kind, "done");
  await assert.rejects(send({ to: "nobody", body: "" }, context), NotExecuted);
  const doubt = await send({ to: "flaky", body: "" }, context);
  assert.equal(doubt.kind, "in_doubt");
  assert.match(doubt.text ?? "", /connection reset.*Do not call it again/s);
  assert.match((await send({ to: "flaky", body: "" }, context)).text ?? "", /was not called/);
  await assert.rejects(send({ to: "ann", body: "hi" }), Refused);
  const all = guardTool(idem, { name: "all", scope: "t" }, (args: { a: number; b?: number | undefined }) => args);
  assert.equal((await all({ a: 1, b: undefined })).kind, "done");
  assert.equal((await all({ a: 1 })).kind, "replayed");
  assert.equal((await all({ a: 1, b: 2 })).kind, "done");
  assert.equal(effects, 4);
});

test("aKeptFailureIsAFailedErrorForLaterCallers", async () => {
  const options = { key: fresh(), policy: { keepFailures: true } };
  await assert.rejects(
    idem.operation("mail", options).run(() => Promise.reject(new NotExecuted("gone"))),
    NotExecuted,
  );
  await assert.rejects(
    idem.operation("mail", options).run(() => 1),
    Failed,
  );
});

test("anIdentityThatNamesNoArgumentOfTheCallIsRefused", async () => {
  const identity = ["custmer"] as unknown as ["customer"];
  const charge = guardTool(idem, { name: "typo", scope: "t", identity }, (args: { customer: string }) => args.customer);
  await assert.rejects(charge({ customer: "cus_1" }), /'typo' has none of the arguments custmer/);
});

test("aboutTellsLedgerAndServer", async () => {
  const about = await idem.about();
  assert.deepEqual([about.ledger, about.way], ["memory:", "pipe"]);
  assert.ok(about.ledgerId);
});

test("codeThatGoesOnAfterAnActionRunsInsideOfItNoMore", async () => {
  const options = { key: fresh() };
  let later: Promise<Outcome<number>> | undefined;
  const ended = gate();
  await idem.operation("mail", options).run(() => {
    later = ended.opened.then(() => idem.operation("mail", options).attempt(() => assert.fail("it ran twice")));
    return 1;
  });
  ended.open();
  assert.equal((await later)?.kind, "replayed");
});

test("anErrorThatCantBeShownOrClassifiedIsSettledAllTheSame", async () => {
  const strange = [Object.create(null), Symbol("x"), undefined, Object.assign(new Error(), { name: Symbol("n") })];
  const failing = () => {
    throw new Error("the classifier failed");
  };
  for (const thrown of strange) {
    const key = fresh();
    const outcome = await idem.operation("mail", { key, definite: failing }).attempt(() => Promise.reject(thrown));
    assert.ok(outcome.kind === "in_doubt" && "thrown" in outcome && outcome.thrown === thrown);
    assert.equal(await stateOf("mail", key), "in_doubt");
  }
});

test("aRequestThatIsTooLongIsRefusedAndALongResultStaysWithItsCaller", async () => {
  const long = "é".repeat(9 * 1024 * 1024);
  await assert.rejects(
    idem.operation("mail", { scope: "long", identity: { long } }).run(() => assert.fail("it ran")),
    (error: unknown) => error instanceof Refused && error.code === "too_large",
  );
  const key = fresh();
  const outcome = await idem.operation("mail", { key }).attempt(() => long);
  assert.ok(outcome.kind === "done" && outcome.value === long && /too large/.test(outcome.warnings.join()));
  assert.equal(await stateOf("mail", key), "complete");
  // An answer of many chunks.
  const most = "x".repeat(5 * 1024 * 1024);
  const options = { key: fresh() };
  assert.equal(await idem.operation("mail", options).run(() => most), most);
  assert.equal(await idem.operation("mail", options).run(() => "again"), most);
});

test("aReadJustRunsAndItsErrorIsItsOwn", async () => {
  let reads = 0;
  const read = idem.operation("look", { key: "k", policy: { sideEffect: "read" } });
  assert.equal(await read.run(() => ++reads), 1);
  assert.equal(await read.run(() => ++reads), 2);
  const own = new Error("not found");
  assert.ok(((await read.attempt(() => Promise.reject(own))) as { thrown?: unknown }).thrown === own);
  await assert.rejects(
    read.run(() => Promise.reject(own)),
    (error: unknown) => error === own,
  );
});
