import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import "./support.js";
import { Idem } from "../src/index.js";

interface Vector {
  readonly name: string;
  readonly scope: string;
  readonly operation: string;
  readonly occurrence: number;
  readonly key: string;
  readonly canonical: string;
}

/** The identities that this language would have as other values than those in the file. */
const native: Record<string, unknown> = {
  "2^53 + 1": { n: 9007199254740993n },
  "a big integer": { n: 123456789012345678901234567890n },
  "a large number": { n: 10n ** 21n },
  "the double 1.0": { n: 1.0 },
  "minus zero": { n: -0 },
};

const idem = await Idem.open("memory:");
after(() => idem.close());

test("identitiesOfNativeValuesGiveTheKeysOfAllOtherPrograms", async () => {
  const file = new URL("../../../identity-vectors.jsonl", import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  assert.ok(lines.length > 20);
  for (const line of lines) {
    const vector = JSON.parse(line) as Vector & { identity: unknown };
    const { name, scope, operation, occurrence, key, canonical } = vector;
    const identity = name in native ? native[name] : vector.identity;
    const answer = await idem.look("key", { scope, operation, occurrence, identity });
    assert.deepEqual([name, answer.key, answer.canonical], [name, key, canonical]);
    const outcome = await idem.operation(operation, { scope, occurrence, identity }).attempt(call => call.key);
    assert.equal(outcome.key, key, name);
  }
});
