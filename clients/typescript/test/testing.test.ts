import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Idem } from "../src/index.js";
import { examine, replaysSafely, type World } from "../src/testing.js";
import "./support.js";

const idem = await Idem.open("memory:");
after(() => idem.close());

/** Charges, then mails, each in an operation of its own. */
async function checkout({ idem, effect }: World): Promise<void> {
  const charge = effect("charge", (cents: number) => ({ id: "ch_1", cents }));
  const mail = effect("mail", (to: string) => `sent to ${to}`);
  const order = idem.session("order-7");
  const { id } = await order.operation("charge", { key: "charge" }).run(() => charge(4200));
  await order.operation("mail", { identity: { id } }).run(() => mail("ann"));
}

test("anAgentWhoseEffectsAreAllGuardedPasses", async () => {
  await replaysSafely(checkout);
  const report = await examine(checkout, { idem });
  assert.deepEqual(report.effects, { charge: 1, mail: 1 });
  assert.equal(report.disturbances, 7);
  assert.equal(report.stops, 6);
});

test("aMailOutsideOfAnyOperationIsFound", async () => {
  const agent = async ({ idem, effect }: World) => {
    await idem.operation("charge", { key: "k" }).run(effect("charge", () => 1));
    await effect("mail", () => 1)();
  };
  await assert.rejects(replaysSafely(agent, { idem }), (error: Error) => {
    assert.match(error.message, /'mail' took effect 2 times instead of 1, when it was run twice/);
    assert.match(error.message, /'mail' took effect 2 times instead of 1, when its process died after 'mail'/);
    assert.match(error.message, /'mail' took effect 2 times instead of 1, when a response was lost after 'mail'/);
    assert.doesNotMatch(error.message, /'charge' took/);
    return true;
  });
});

test("anAgentThatCatchesALostResponseAndCallsAgainOutsideOfItsOperationIsFound", async () => {
  const agent = async ({ idem, effect }: World) => {
    const charge = effect("charge", () => 1);
    const guarded = () => idem.operation("charge", { key: "k" }).run(charge);
    await guarded().catch(() => charge());
  };
  await assert.rejects(replaysSafely(agent, { idem }), /2 times instead of 1, when a response was lost after 'charge'/);
});

test("aServiceThatDetectsDuplicatesByTheirKeyMayBeCalledAgain", async () => {
  const agent = async ({ idem, effect }: World) => {
    const charge = effect("charge", (key: string) => ({ id: key }), { key: key => key });
    const policy = { passesKeyTo: "our bank 24h" };
    await idem.operation("charge", { scope: "order-7", identity: {}, policy }).run(call => charge(call.key));
  };
  const report = await examine(agent, { idem });
  assert.deepEqual(report.effects, { charge: 1 });
  assert.equal(report.stops, 0);
});

test("scopesByContextFunctionsThatRunOnceAndEntriesBelongToTheWorldOfTheRun", async () => {
  const agent = async ({ idem, effect }: World) => {
    const charge = idem.once(
      "charge",
      { identity: (cents: number) => ({ cents }) },
      effect("charge", (cents: number) => cents),
    );
    await idem.scope("order-7", () => charge(4200));
    assert.equal(await idem.find({ scope: "order-7", operation: "charge", key: "none" }), undefined);
  };
  assert.deepEqual((await examine(agent, { idem })).effects, { charge: 1 });
});

test("anAgentWithoutAnEffectOrThatFailsByItselfProvesNothing", async () => {
  await assert.rejects(
    replaysSafely(async () => {}, { idem }),
    /had no effect/,
  );
  await assert.rejects(
    replaysSafely(() => Promise.reject(new Error("no card")), { idem }),
    /fails without any fault: Error: no card/,
  );
});
