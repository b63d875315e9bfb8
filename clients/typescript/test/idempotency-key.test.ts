import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { canonicalText } from "../src/frameworks/http/canonical.js";
import { fingerprint, isAmbiguous, onePath, type RequestBody } from "../src/frameworks/http/fingerprint.js";
import { callerScope, entryKey, MalformedKey, parseKey } from "../src/frameworks/http/key.js";
import { fromStored, storedHeaders, toStored } from "../src/frameworks/http/stored.js";

/** The body's part of a fingerprint. */
function print(contentType: string, body: string | RequestBody): unknown {
  const request = { method: "POST", path: "/orders", query: "", contentType, lines: () => [] };
  const given = typeof body === "string" ? { bytes: Buffer.from(body) } : body;
  const whole = fingerprint({ ...request, body: given });
  return (whole.request as { body: unknown }).body;
}

test("JSONHasTheCanonicalFormThatIdemInJavaGivesIt", () => {
  const vectors = fileURLToPath(new URL("../../../identity-vectors.jsonl", import.meta.url));
  for (const line of readFileSync(vectors, "utf8").trim().split("\n")) {
    const { canonical, name } = JSON.parse(line) as { canonical: string; name: string };
    const identity = /"identity":(.*),"key":/.exec(line)?.[1] ?? "";
    assert.equal(canonicalText(identity), canonical, name);
  }
});

test("numbersAreEqualByValueAndOnlyThen", () => {
  const same = (a: string, b: string) => assert.equal(canonicalText(a), canonicalText(b), `${a} and ${b}`);
  const other = (a: string, b: string) => assert.notEqual(canonicalText(a), canonicalText(b), `${a} and ${b}`);
  same("1", "1.00");
  same("100", "1e2");
  same("0", "-0.0");
  same("0.1", "1E-1");
  same("1e30", "1000000000000000000000000000000");
  other("9007199254740992", "9007199254740993");
  other("0.1", "0.1000000000000000000001");
  other("1e400", "2e400");
  assert.equal(canonicalText("123456789012345678901234.50"), "123456789012345678901234.5");
  assert.equal(canonicalText("-0.00000001000000000000000000000000000001"), "-0.00000001000000000000000000000000000001");
  assert.throws(() => canonicalText(`1${"0".repeat(1001)}`));
  assert.throws(() => canonicalText('{"a":1,"a":2}'), /twice/);
  assert.throws(() => canonicalText('"\\ud800"'), /surrogate/);
});

interface BodyCase {
  readonly name: string;
  readonly type: string;
  readonly before?: string;
  readonly repeat?: string;
  readonly times?: number;
  readonly body: string;
  readonly print: string;
  /** What a parser of forms makes of it. */
  readonly parsed?: unknown;
}
const bodies = fileURLToPath(new URL("../../../body-cases.jsonl", import.meta.url));

for (const line of readFileSync(bodies, "utf8").trim().split("\n")) {
  const {
    name,
    type,
    before = "",
    repeat = "",
    times = 0,
    body,
    print: expected,
    parsed,
  } = JSON.parse(line) as BodyCase;
  test(`thePrintOf ${name} isTheOneOfAllLanguages`, () => {
    assert.equal(print(type, before + repeat.repeat(times) + body), expected);
    if (parsed !== undefined) {
      assert.equal(print(type, { parsed }), expected, "as a parser has read it");
    }
  });
}

test("formsThatAParserTellsApartHaveDifferentPrints", () => {
  const form = (parsed: unknown) => print("application/x-www-form-urlencoded", { parsed });
  const read = [
    { a: "1" },
    { a: ["1"] },
    { a: ["1", "2"] },
    { a: ["2", "1"] },
    { a: { b: "1" } },
    { a: { b: ["1"] } },
    { a: [{ b: "1" }] },
    { a: null },
    { a: 1 },
    {},
    { a: "" },
    { a: [] },
    { a: {} },
    { b: "1" },
  ];
  assert.equal(new Set(read.map(form)).size, read.length);
  assert.equal(form({ a: "1", b: "2" }), form({ b: "2", a: "1" }));
});

test("aBodyIsComparedByItsValuesAndWhatIsNoJSONByItsBytes", () => {
  const json = (text: string) => print("application/json; charset=utf-8", text);
  assert.equal(json('{"a":1,"b":[2]}'), json(' { "b" : [2.0], "a": 1e0 }'));
  assert.notEqual(json('{"a":null}'), json("{}"));
  assert.match(String(json('{"a":1,"a":1}')), /^bytes:/);
  assert.match(String(json("{")), /^bytes:/);
  const form = (text: string) => print("application/x-www-form-urlencoded", text);
  assert.equal(form("a=1&b=x+y"), form("b=x%20y&a=1"));
  assert.notEqual(form("a=1&a=2"), form("a=2&a=1"));
  assert.match(String(form("a=%zz")), /^bytes:/);
  assert.notEqual(print("text/plain", "a"), print("text/plain", "b"));
});

test("theBoundaryOfAnUploadDoesNotCountItsPartsDo", () => {
  const upload = (boundary: string, text: string, file = "a.txt") =>
    print(
      `multipart/form-data; boundary=${boundary}`,
      `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="${file}"\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--${boundary}--\r\n`,
    );
  assert.equal(upload("one", "x\r\n--on"), upload("two", "x\r\n--on"));
  assert.match(String(upload("one", "x")), /^values:/);
  assert.notEqual(upload("one", "x"), upload("one", "y"));
  assert.notEqual(upload("one", "x"), upload("one", "x", "b.txt"));
  const cut = "--one\r\nContent-Disposition: form-data; name=f\r\n\r\nx";
  assert.match(String(print("multipart/form-data; boundary=one", cut)), /^bytes:/);
});

test("pathsHaveOneSpelling", () => {
  assert.equal(onePath("/%72esources%2f%c3%a4"), "/resources%2F%C3%A4");
  for (const path of ["/a%2Fb", "/a\\b", "/a%5cb", "/a%00"]) {
    assert.ok(isAmbiguous(path), path);
  }
  assert.ok(!isAmbiguous("/a/b%20c"));
});

test("aKeyIsAQuotedStringOrABareText", () => {
  for (const [line, value, echo = line] of [
    ["abc", "abc"],
    ['"abc"', "abc"],
    ['  "a b"  ', "a b", '"a b"'],
    ['"a\\"b\\\\"', 'a"b\\'],
    ['"abc";v=1; w="x"', "abc", '"abc"'],
    [`"${"k".repeat(255)}"`, "k".repeat(255)],
  ] as [string, string, string?][]) {
    assert.deepEqual(parseKey([line]), { value, echo });
  }
  const wrong = [
    "",
    '""',
    '"  "',
    "a b",
    "a,b",
    'a"b',
    '"a',
    '"a" b',
    '"a\\x"',
    "ä",
    "a\tb",
    "k".repeat(256),
    "x".repeat(2000),
  ];
  for (const line of wrong) {
    assert.throws(() => parseKey([line]), MalformedKey, line);
  }
  assert.throws(() => parseKey(["a", "b"]), /2 header lines/);
});

test("noCallerAndNoKeyCanPassForAnother", () => {
  const scopes = [
    ["ann"],
    ["acme", "ann"],
    ["//acme/ann"],
    ["acme/ann"],
    ["acme/", "ann"],
    [""],
    ["sha256:00"],
    ["a\nb"],
  ];
  assert.equal(new Set(scopes.map(callerScope)).size, scopes.length);
  assert.equal(callerScope(["ann"]), "http:ann");
  assert.equal(callerScope(["ac/me", "ann"]), "http://ac%2Fme/ann");
  assert.match(callerScope(["x".repeat(300)]), /^http:sha256:[0-9a-f]{64}$/);
  const digest = entryKey("a b");
  // As Idem in Java gives it.
  assert.equal(digest, "id_32e8eec2cbbe3ab502c8777bf2c38fa800d0f37d7329fa5f482a724c3e3f746f");
  assert.notEqual(entryKey(digest), digest);
});

test("secretsOfAResponseAreNeverStored", () => {
  const stores = storedHeaders(["x-*", "set-*"]);
  const headers = { "set-cookie": ["s=1"], "x-order-id": ["7"], "x-csrf-token": ["t"], "content-type": ["text/plain"] };
  const stored = toStored({ status: 201, headers, body: Buffer.from([0xff, 0xfe]) }, stores, 1024);
  assert.deepEqual(stored.headers, { "x-order-id": ["7"], "content-type": ["text/plain"] });
  assert.equal(stored.encoding, "base64");
  assert.deepEqual(fromStored(stored), { status: 201, headers: stored.headers, body: Buffer.from([0xff, 0xfe]) });
  assert.throws(() => storedHeaders(["Set-Cookie"]), /never stored/);
  assert.equal(fromStored({ version: 2, status: 200, encoding: "text" }), "damaged");
  assert.equal(fromStored({ order: 7 }), "plain");
});
