import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { endsTheWork, isAnswered } from "../src/answered.js";

const cases = readFileSync(new URL("../../../ending-cases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map(line => JSON.parse(line) as { status: number; ended: boolean });

test("onlySomeStatusesEndTheWorkOnARequest", () => {
  assert.ok(cases.length > 10);
  for (const { status, ended } of cases) {
    assert.equal(endsTheWork(status), ended, String(status));
    assert.equal(isAnswered({ response: { status, headers: {} } }), ended, String(status));
  }
});

test("aStatusWithoutTheResponseIsNoAnswer", () => {
  const looped = new Error("looped");
  looped.cause = looped;
  for (const thrown of [
    { status: 500 },
    { statusCode: 500, headers: {} },
    { response: { status: 500 } },
    { response: { status: "500", headers: {} } },
    { response: "500", status: 500 },
    { cause: { status: 500 } },
    { response: { status: 504, headers: {} }, cause: { response: { status: 500, headers: {} } } },
    looped,
    "500",
    null,
    undefined,
  ]) {
    assert.equal(isAnswered(thrown), false, JSON.stringify(thrown === looped ? "looped" : thrown));
  }
});
