import assert from "node:assert/strict";
import { test } from "node:test";
import { NotJson, parse, write } from "../src/json.js";
import { json, storedText } from "../src/values.js";

test("integersBeyond2To53AreBigintAndKeepEveryDigit", () => {
  const text =
    '{"a":9007199254740993,"b":[-123456789012345678901234567890,1],"c":"9007199254740993","d":9007199254740991}';
  const value = parse(text);
  assert.deepEqual(value, {
    a: 9007199254740993n,
    b: [-123456789012345678901234567890n, 1],
    c: "9007199254740993",
    d: 9007199254740991,
  });
  assert.equal(write(value), text);
});

test("theExactReaderAgreesWithTheBuiltInOne", () => {
  const digits = "1234567890123456";
  for (const text of [
    `[${digits}.5, 1e3, -0.25, true, false, null, "", "a\\"b\\\\\\u00e9\\n😀", {}, [], {"x": {"y": [1]}} ]`,
    ` {"${digits}" : [ ] , "b":{ } }\n`,
    `"${digits}"`,
    `[12345678901234567890e-3,1.5E+30,${digits}]`,
  ]) {
    assert.deepEqual(parse(text), JSON.parse(text));
  }
  for (const wrong of [
    "{",
    "[1,]",
    '{"a"}',
    "1234567890123456x",
    "[1234567890123456 2]",
    '"1234567890123456',
    "",
    "01234567890123456",
  ]) {
    assert.throws(() => parse(wrong), SyntaxError, wrong);
  }
});

test("aMemberNamedProtoIsAMember", () => {
  for (const number of ["1", "9007199254740993"]) {
    const text = `{"__proto__":{"polluted":${number}}}`;
    const value = parse(text) as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(write(value), text);
  }
});

class Money {
  cents = 1;
}

test("valuesThatWouldComeBackAsSomethingElseAreRefusedWithTheirPlace", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const refused: [unknown, RegExp][] = [
    [new Date(0), /'x\.y' is a Date/],
    [new Map(), /a Map/],
    [new Set(), /a Set/],
    [new Money(), /a Money/],
    [new Uint8Array(2), /a Uint8Array/],
    [/x/, /a RegExp/],
    [new Error("x"), /a Error/],
    [undefined, /'x\.y' is undefined/],
    [Number.NaN, /NaN/],
    [Number.POSITIVE_INFINITY, /Infinity/],
    [() => 1, /a function/],
    [Symbol("s"), /a symbol/],
    [{ [Symbol("s")]: 1 }, /a symbol as a name/],
    [2 ** 53, /beyond 2\^53/],
    [1e21, /beyond 2\^53/],
    [10n ** 1000n, /an integer of 1001 digits.*use a text/],
    ["\ud800", /half a surrogate/],
    [new String("x"), /a String/],
    [Promise.resolve(1), /a Promise/],
    [cyclic, /inside itself/],
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tried
    [[1, , 2], /'x\.y\[1\]' is undefined/],
  ];
  for (const [value, message] of refused) {
    assert.throws(
      () => write({ x: { y: value } }),
      (error: unknown) => error instanceof NotJson && message.test(error.message),
      String(message),
    );
  }
});

test("plainValuesAreWritten", () => {
  const bare = Object.create(null) as Record<string, unknown>;
  bare.a = -0;
  assert.equal(write(bare), '{"a":0}');
  assert.equal(write([null, true, 1.5, 10n ** 30n, "Zoë 😀", {}]), `[null,true,1.5,1${"0".repeat(30)},"Zoë 😀",{}]`);
  assert.equal(write(Number.MAX_SAFE_INTEGER), "9007199254740991");
});

test("aResultThatJsonDoesNotHaveIsUnavailableUnlessACodecWritesIt", () => {
  const value = { at: new Date(0), none: undefined, big: 2n ** 60n };
  assert.deepEqual(storedText(value, undefined), { unavailable: "the result can't be kept as JSON: 'at' is a Date" });
  assert.deepEqual(storedText(undefined, undefined), { text: "null" });
  assert.match(write(storedText<unknown>(new Map(), json)), /is a Map/);
  const stored = storedText<unknown>(value, json);
  assert.ok("text" in stored);
  assert.deepEqual(json.decode(parse(stored.text)), { at: "1970-01-01T00:00:00.000Z", big: 2n ** 60n });
});
