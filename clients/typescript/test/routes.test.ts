import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { canonicalValue } from "../src/frameworks/http/canonical.js";
import { routeOf } from "../src/frameworks/http/express-routes.js";
import { expressTemplate, honoTemplate } from "../src/frameworks/http/templates.js";

const cases = readFileSync(new URL("../../../route-cases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map(line => JSON.parse(line) as Record<string, string>);

for (const { name, template, express, express4, hono } of cases) {
  test(`theTemplateOf ${name} isTheOneOfAllFrameworks`, () => {
    for (const pattern of [express, express4].filter(each => each !== undefined)) {
      assert.equal(expressTemplate(pattern), template, pattern);
    }
    if (hono !== undefined) {
      assert.equal(honoTemplate(hono), template, hono);
    }
  });
}

test("aLongPathUnderAMountIsLookedAtOnce", () => {
  let looks = 0;
  const match = () => ++looks > 0;
  const path = "/x".repeat(7000);
  const route = { path: "/", methods: { post: true } };
  const inside = { match: () => true, route, handle: {} };
  const app = { path: () => "", router: { stack: [{ match, path, params: {}, handle: { stack: [inside] } }] } };
  assert.equal(routeOf({ method: "POST", path, app }), path);
  assert.ok(looks < 20, `${looks} looks`);
});

test("theRouteOfMiddlewareThatWentOnNamesNothing", () => {
  const route = { path: "/orders/:id", methods: { post: true } };
  const app = { path: () => "", router: { stack: [{ match: () => true, route, handle: {} }] } };
  const before = { path: "/*rest", methods: { _all: true } };
  assert.equal(routeOf({ method: "POST", path: "/orders/42", app, route: before }), "/orders/{id}");
});

test("valuesThatJsonWritesAlikeAreNotComparedAsOne", () => {
  assert.notEqual(canonicalValue({ a: Number.POSITIVE_INFINITY }), canonicalValue({ a: null }));
  const opaque = [new ArrayBuffer(2), new Blob(["x"]), new URLSearchParams("a=1"), new DataView(new ArrayBuffer(2))];
  for (const value of [new Map([["a", 1]]), new Set([1]), new FormData(), ...opaque]) {
    assert.throws(() => canonicalValue({ value }), /give plain data/);
  }
});
