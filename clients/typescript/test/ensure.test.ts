import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Call, type EnsureOptions, Idem, InDoubt, NotExecuted, Refused } from "../src/index.js";
import { folder } from "./support.js";

const warnings: string[] = [];
const open = (resendMs: number) =>
  Idem.open({
    ledger: `sqlite:${join(folder, "ensure.db")}`,
    resendMs,
    onWarning: message => warnings.push(message),
  });
// Two servers, as two processes have them.
const [idem, other] = [await open(2000), await open(2001)];
after(() => Promise.all([idem.close(), other.close()]));

/** A service with one thing, and how often it was looked for and made. */
class World {
  thing: string | undefined;
  looks = 0;
  made = 0;
  readonly find = async () => {
    this.looks++;
    return this.thing;
  };
  readonly make = async () => {
    this.thing = `sub_${++this.made}`;
    return this.thing;
  };
}

let things = 0;

function subscription(world: World, more: Partial<EnsureOptions<string>> = {}): EnsureOptions<string> {
  return { scope: "tenant-1", identity: { thing: ++things }, unless: world.find, ...more };
}

test("whatIsAbsentIsMadeAndWhatIsThereIsFound", async () => {
  const world = new World();
  const options = subscription(world);
  assert.deepEqual(await idem.ensure("create_subscription", options, world.make), {
    value: "sub_1",
    created: true,
    effect: "created",
    reason: "created",
  });
  const found = { value: "sub_1", created: false, effect: "noop", reason: "already_exists" };
  assert.deepEqual(await idem.ensure("create_subscription", options, world.make), found);
  const { scope: _, ...rest } = options;
  assert.deepEqual(await other.session("tenant-1").ensure("create_subscription", rest, world.make), found);
  assert.deepEqual([world.looks, world.made], [3, 1]);
  world.thing = undefined;
  assert.equal((await other.ensure("create_subscription", options, world.make)).value, "sub_2");
  assert.equal((await idem.ensure("create_subscription", subscription(new World()), () => "another")).created, true);
});

test("withoutAScopeTheThingBelongsToNoTask", async () => {
  const options = { identity: { thing: ++things }, unless: () => undefined };
  const scope = async (call: Call) => call.scope;
  const values: string[] = [];
  for (const { value } of [
    await idem.ensure("create_shared", options, scope),
    await idem.scope("order-7", () => idem.ensure("create_shared", options, scope)),
    await idem.scope("order-7", () => idem.ensure("create_shared", { ...options, scope: "tenant-1" }, scope)),
    await idem.scope("order-7", () => idem.session("tenant-2").ensure("create_shared", options, scope)),
  ]) {
    values.push(value);
  }
  assert.deepEqual(values, ["default", "default", "tenant-1", "tenant-2"]);
});

test("agentsThatLookAtTheSameTimeMakeItOnce", async () => {
  const world = new World();
  const options = subscription(world);
  const agents = Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? idem : other));
  const ensured = await Promise.all(
    agents.map(each => each.ensure("create_subscription", { ...options, waitMs: 60_000 }, world.make)),
  );
  assert.equal(world.made, 1);
  assert.equal(ensured.filter(each => each.created).length, 1);
  assert.ok(ensured.every(each => each.value === "sub_1"));
});

test("aThingThatWasLookedForBeforeACallBeganIsNotItsAnswer", async () => {
  const world = new World();
  const options = subscription(world);
  let began = () => {};
  const running = new Promise<void>(resolve => {
    began = resolve;
  });
  let finish = () => {};
  const first = idem.ensure("create_subscription", options, async () => {
    began();
    await new Promise<void>(resolve => {
      finish = resolve;
    });
    return world.make();
  });
  await running;
  const second = idem.ensure("create_subscription", options, world.make);
  finish();
  assert.equal((await first).created, true);
  assert.equal((await second).created, false);
  assert.equal(world.looks, 2);
});

test("whenLookingFailsNothingIsMadeAndItMayBeTriedAgain", async () => {
  const world = new World();
  const own = new Error("no connection");
  let down = true;
  const options = subscription(world, {
    unless: async () => {
      if (down) {
        throw own;
      }
      return world.find();
    },
  });
  await assert.rejects(idem.ensure("create_subscription", options, world.make), (error: unknown) => error === own);
  down = false;
  assert.equal((await idem.ensure("create_subscription", options, world.make)).created, true);
  assert.equal(world.made, 1);
});

test("aLookThatGivesNoThingIsAnErrorOfTheLook", async () => {
  for (const [given, is] of [
    [false, "false"],
    [true, "true"],
    [0, "0"],
    [Number.NaN, "NaN"],
    ["", "an empty text"],
    [[], "an empty list"],
    [{}, "an empty object"],
    [new Map(), "an empty Map"],
    [new Set(), "an empty Set"],
    [new Uint8Array(), "an empty Uint8Array"],
    [() => "sub_1", "a function"],
    [[Promise.resolve("sub_1")], "a Promise at '[0]'"],
    [{ thing: Promise.resolve("sub_1") }, "a Promise at 'thing'"],
    [["sub_1"].values(), "a generator"],
    [new ReadableStream(), "a stream"],
  ] as const) {
    const world = new World();
    let found: unknown = given;
    const options = { ...subscription(world), unless: async () => found };
    await assert.rejects(
      idem.ensure("create_subscription", options, world.make),
      (error: unknown) =>
        error instanceof Refused &&
        error.message.includes(`unless of ensure("create_subscription") gave ${is}, which`) &&
        /Return the thing, or undefined or null if it is absent/.test(error.message),
      is,
    );
    assert.equal(world.made, 0);
    found = null;
    assert.equal((await idem.ensure("create_subscription", options, world.make)).created, true);
  }
  for (const thing of [7, "sub_1", [1], { id: 1 }]) {
    const options = { ...subscription(new World()), unless: () => thing };
    assert.deepEqual((await idem.ensure<unknown>("create_subscription", options, () => assert.fail())).value, thing);
  }
});

test("aLostResponseIsInDoubtUntilItCanNoLongerComeAndThenFound", async () => {
  const world = new World();
  const options = subscription(world, { policy: { timeLimit: "1500ms", lease: "1s", wait: 0 } });
  const lost = async () => {
    await world.make();
    throw new Error("socket hang up");
  };
  await assert.rejects(idem.ensure("create_subscription", options, lost), /socket hang up/);
  assert.equal(world.made, 1);
  for (;;) {
    try {
      const { reason, value } = await idem.ensure("create_subscription", options, world.make);
      assert.deepEqual([reason, value], ["already_exists", "sub_1"]);
      break;
    } catch (error) {
      assert.ok(error instanceof InDoubt, String(error));
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
  assert.equal(world.made, 1);
});

test("aThingThatCantBeStoredIsMadeAndFoundAllTheSame", async () => {
  class Thing {}
  let thing: Thing | undefined;
  let made = 0;
  const options = { key: "thing", scope: "tenant-1", unless: () => thing };
  const make = () => {
    made++;
    thing = new Thing();
    return thing;
  };
  assert.equal((await idem.ensure("create_thing", options, make)).created, true);
  const again = await idem.ensure("create_thing", options, make);
  assert.deepEqual([again.value, again.created, made], [thing, false, 1]);
  assert.deepEqual(warnings, []);
});

test("anErrorOfMakingItIsItsOwnAndNotExecutedFreesIt", async () => {
  const world = new World();
  const options = subscription(world);
  const no = () => Promise.reject(new NotExecuted("not today"));
  await assert.rejects(idem.ensure("create_subscription", options, no), NotExecuted);
  assert.equal((await idem.ensure("create_subscription", options, world.make)).created, true);
});

test("theRecordOfAnOrdinaryCallStays", async () => {
  const world = new World();
  const { unless, ...address } = subscription(world);
  const charge = idem.operation("charge", address);
  await charge.run(() => "charged");
  await assert.rejects(idem.ensure("charge", { ...address, unless }, world.make), isOfAnOrdinaryCall);
  const again = await charge.attempt(() => assert.fail("it ran again"));
  assert.equal(again.kind, "replayed");
  assert.deepEqual([world.looks, world.made], [0, 0]);
});

test("anOrdinaryCallThatBeginsBeforeTheForgetIsNotForgotten", async () => {
  const world = new World();
  const { unless, ...address } = subscription(world);
  await assert.rejects(
    idem.ensure("charge", { ...address, unless }, async () => {
      throw new Error("no answer");
    }),
    /no answer/,
  );
  const key =
    (await idem.operation("charge", { ...address, waitMs: 0 }).attempt(() => assert.fail("it ran"))).key ?? "";
  const seen = await idem.find({ scope: "tenant-1", operation: "charge", key });
  assert.ok(seen);
  // An answer of a person is kept for long.
  await idem.resolve(seen, { as: "complete", result: "sub_0", who: "ann", why: "seen", evenThoughItMayStillAct: true });
  const find = other.find.bind(other);
  let finds = 0;
  other.find = async about => {
    const found = await find(about);
    if (finds++ === 0 && found !== undefined) {
      await idem.operation("charge", { ...address, policy: { repeat: "run" } }).run(() => "charged");
    }
    return found;
  };
  try {
    await assert.rejects(other.ensure("charge", { ...address, unless }, world.make), isOfAnOrdinaryCall);
    const again = await idem.operation("charge", address).attempt(() => assert.fail("it ran again"));
    assert.deepEqual([again.kind, "value" in again && again.value, world.made], ["replayed", "charged", 0]);
  } finally {
    other.find = find;
  }
});

test("theDoubtOfAnOrdinaryCallIsNotProbed", async () => {
  const world = new World();
  const { unless, ...address } = subscription(world);
  // The end of the action was seen, so that the probe may be asked soon.
  const options = { ...address, policy: { probeGrace: "1ms" } } as const;
  const fails = (call: Call) => {
    call.remoteEnded();
    return Promise.reject(new Error("it ended"));
  };
  await assert.rejects(idem.operation("charge", options).run(fails), /it ended/);
  await assert.rejects(
    idem.ensure("charge", { ...options, unless, waitMs: 60_000 }, world.make),
    (error: unknown) =>
      error instanceof InDoubt && isOfAnOrdinaryCall(error.cause) && /ordinary call/.test(error.message),
  );
  assert.deepEqual([world.looks, world.made], [0, 0]);
});

function isOfAnOrdinaryCall(error: unknown): boolean {
  return error instanceof Refused && /belongs to an ordinary call.*Give ensure another name/.test(error.message);
}

test("theEntryHasTheLabelThatAllLanguagesKnow", async () => {
  const labels: unknown[] = [];
  const options = { scope: "tenant-1", key: "labelled", labels: { of: "shop" }, unless: () => undefined };
  await idem.ensure("charge", options, async ({ operation, key }) => {
    labels.push((await idem.find({ scope: "tenant-1", operation, key }))?.labels);
  });
  assert.deepEqual(labels, [{ of: "shop", ensure: "true", recovery: "probe" }]);
});

test("aWrongDeclarationIsRefused", async () => {
  const fails = () => assert.fail("it ran");
  for (const [options, words] of [
    [{ key: "k" }, /needs a look: unless: \(\) => …/],
    [{ key: "k", unles: fails }, /did you mean 'unless'/],
    [{ key: "k", unless: async function* () {} }, /is an async generator function/],
    [{ key: "k", unless: fails, policy: { repeat: "replay" } }, /looks each time; leave out 'repeat'/],
    [{ key: "k", unless: fails, policy: { retention: "1d" } }, /looks each time; leave out 'retention'/],
    [{ key: "k", unless: fails, policy: { tombstone: "1d" } }, /looks each time; leave out 'tombstone'/],
    [{ key: "k", unless: fails, policy: { sideEffect: "read" } }, /makes something; leave out sideEffect: "read"/],
    [{ unless: fails, scope: "s" }, /neither a key nor an identity/],
  ] as const) {
    await assert.rejects(
      async () => idem.ensure("make", options as never, fails),
      (error: unknown) => error instanceof Refused && words.test(error.message),
      String(words),
    );
  }
});
