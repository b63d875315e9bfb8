// Calls each vector on each ledger, and prints how that ended. Arguments: module of the package, vectors file, URLs of ledgers.
import { readFileSync } from "node:fs";

const [, , module, file, ...ledgers] = process.argv;
const { Idem } = await import(module);
const native = {
  "2^53 + 1": { n: 9007199254740993n },
  "a big integer": { n: 123456789012345678901234567890n },
  "the double 1.0": { n: 1.0 },
  "a large number": { n: 10n ** 21n },
  "minus zero": { n: -0 },
};
const vectors = readFileSync(file, "utf8").trim().split("\n").map(line => JSON.parse(line));
const json = value =>
  JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `@${each}@` : each)).replace(/"@(\d+)@"/g, "$1");
for (const ledger of ledgers) {
  const idem = await Idem.open(ledger);
  for (const { name, scope, operation, occurrence, identity } of vectors) {
    const own = native[name] ?? identity;
    const outcome = await idem.operation(operation, { scope, occurrence, identity: own }).attempt(() => own);
    console.log(outcome.kind, outcome.key, json(outcome.value));
  }
  await idem.close();
}
