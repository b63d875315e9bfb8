import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { guardTool, type Idem, Refused } from "../src/index.js";
import { checkPolicy, waitMs } from "../src/policy.js";
import { settles } from "../src/words.js";

function cases<T>(name: string): T[] {
  const file = new URL(`../../../${name}-cases.jsonl`, import.meta.url);
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map(line => JSON.parse(line) as T);
}

interface FieldCase {
  readonly name: string;
  readonly fields?: { identity?: string[]; content?: string[]; ignored?: string[] };
  readonly arguments: Record<string, unknown>;
  readonly identity?: unknown;
  readonly content?: unknown;
  readonly refused?: true;
}

/** What a call of a tool with these fields asks for; with a key, too, it is the same. */
async function asked(fields: FieldCase["fields"], args: Record<string, unknown>, key?: string) {
  const claims: { identity: unknown; content: unknown }[] = [];
  const outcome = { kind: "replayed", value: 1, warnings: [] };
  const operation = (_: string, { identity, content }: { identity: unknown; content: unknown }) => {
    claims.push({ identity, content: content ?? null });
    return { attempt: async () => outcome };
  };
  const idem = { operation } as unknown as Idem;
  await guardTool<Record<string, unknown>, number>(
    idem,
    { name: "send", scope: "s", key: () => key, ...fields },
    () => 1,
  )(args);
  return claims[0];
}

test("theFieldsOfACallAreThoseOfAllLanguages", async () => {
  const all = cases<FieldCase>("field");
  assert.ok(all.length > 10);
  for (const { name, fields, arguments: args, identity, content, refused } of all) {
    if (refused) {
      await assert.rejects(asked(fields, args), Refused, name);
      continue;
    }
    assert.deepEqual(await asked(fields, args), { identity, content }, name);
    assert.deepEqual(await asked(fields, args, "k"), { identity, content }, `${name}, with a key`);
  }
});

test("aFunctionOfTheContentNeedsAnIdentity", async () => {
  const idem = {} as Idem;
  const declare = () => guardTool(idem, { name: "send", content: (args: { body: string }) => args.body }, () => 1);
  assert.throws(declare, /content of the tool 'send' is a function.*give identity/);
});

test("whatSettlesADoubtIsTheSameInAllLanguages", () => {
  const all = cases<{ policy: Record<string, string>; probe: boolean; next: string }>("next-step");
  assert.ok(all.length > 40);
  for (const each of all) {
    assert.equal(settles(each.policy, each.probe), each.next, JSON.stringify(each));
  }
});

test("durationsAreReadAsInAllLanguages", () => {
  const all = cases<{ text: string; ms?: number }>("duration");
  assert.ok(all.length > 20);
  for (const { text, ms } of all) {
    if (ms === undefined) {
      assert.throws(() => checkPolicy("charge", { wait: text }), Refused, text);
      continue;
    }
    for (const name of ["wait", "lease", "timeLimit", "retention", "tombstone", "probeGrace"]) {
      checkPolicy("charge", { [name]: text });
    }
    assert.equal(waitMs({ wait: text }), ms, text);
  }
});
