import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { Idem } from "../src/index.js";
import { examine, replaysSafely, type World } from "../src/testing.js";
import { folder } from "./support.js";

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

/** A module of a user: its own Idem on a real ledger, functions that run once, and a remote. */
const real = join(folder, "real.db");
const appIdem = await Idem.open(`sqlite:${real}`);
after(() => appIdem.close());
let remote = (_cents: number): Promise<number> => Promise.reject(new Error("the real remote was called"));
const appCharge = appIdem.once("charge", { identity: (cents: number) => ({ cents }) }, cents => remote(cents));
const appMail = appIdem.operation("mail", { key: "mail" });

test("functionsOfAModuleUseTheLedgerOfTheTrial", async () => {
  const agent = async ({ idem, effect }: World) => {
    remote = effect("charge", (cents: number) => cents);
    assert.equal(await idem.scope("order-7", () => appCharge(4200)), 4200);
    await appMail.run(effect("mail", () => "sent"));
    const entry = await appIdem.find({ operation: "mail", key: "mail" });
    assert.equal(entry?.state, "complete");
    assert.match((await appIdem.about()).ledger, /memory/);
  };
  for (let time = 0; time < 2; time++) {
    const report = await examine(agent, { idem });
    assert.deepEqual([report.effects, report.disturbances, report.stops], [{ charge: 1, mail: 1 }, 7, 6]);
  }
  assert.ok(!existsSync(real), "the real ledger was touched");
});

test("anAgentThatIsReachedOverAServerOfItsProcessUsesTheLedgerOfTheTrial", async () => {
  const server = createServer((_, response) => {
    appIdem
      .scope("order-7", () => appCharge(4200))
      .then(
        cents => response.end(String(cents)),
        error => response.writeHead(500).end(String(error)),
      );
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const report = await examine(
      async ({ effect }) => {
        remote = effect("charge", (cents: number) => cents);
        const answer = await fetch(url);
        assert.equal(answer.status, 200, await answer.text());
      },
      { idem },
    );
    assert.deepEqual([report.effects, report.disturbances], [{ charge: 1 }, 4]);
  } finally {
    server.close();
  }
  assert.ok(!existsSync(real), "the real ledger was touched");
});

test("trialsAtTheSameTimeRunOneAfterTheOther", async () => {
  const agent = async ({ idem, effect }: World) => {
    remote = effect("charge", (cents: number) => cents);
    await idem.scope("order-7", () => appCharge(4200));
  };
  const reports = await Promise.all([examine(agent, { idem }), examine(agent, { idem })]);
  assert.deepEqual(
    reports.map(report => [report.effects, report.disturbances]),
    [
      [{ charge: 1 }, 4],
      [{ charge: 1 }, 4],
    ],
  );
});

test("anEffectThatIsLostWithoutAWordIsFound", async () => {
  const agent = async ({ idem, effect }: World) => {
    const outcome = await idem.operation("charge", { key: "k" }).attempt(() => 1); // recorded before it is done
    if (outcome.kind === "done") {
      await effect("charge", () => 1)();
    }
  };
  await assert.rejects(
    replaysSafely(agent, { idem }),
    /'charge' did not take effect, and nothing says so, when its process died before 'charge'/,
  );
});

test("anAgentWhoseMemoryOutlivesItsRunsProvesNothing", async () => {
  let done = false;
  const agent = async ({ effect }: World) => {
    if (!done) {
      await effect("charge", () => 1)();
      done = true;
    }
  };
  await assert.rejects(replaysSafely(agent, { idem }), /none of its effects again.*inside of the function/s);
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
