// Installs the frameworks into a folder of their own, compiles these tests against the package as it would be published
// and against the frameworks' own types, and runs them. Skips, visibly, where the frameworks can't be installed.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const home = join(here, "..", "..");
const target = process.env.IDEM_FRAMEWORKS ?? join(home, "target", "frameworks");
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

function install() {
  const lock = readFileSync(join(here, "package-lock.json"), "utf8");
  const done = join(target, "installed.json");
  if (existsSync(done) && readFileSync(done, "utf8") === lock) {
    return true;
  }
  mkdirSync(target, { recursive: true });
  rmSync(done, { force: true });
  for (const file of ["package.json", "package-lock.json"]) {
    cpSync(join(here, file), join(target, file));
  }
  const flags = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  const patience = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
  const ended = spawnSync(npm, ["ci", ...flags, ...patience], { cwd: target, encoding: "utf8" });
  if (ended.status !== 0) {
    console.log(`SKIPPED: the tests with real frameworks, since they can't be installed: ${firstError(ended)}`);
    return false;
  }
  writeFileSync(done, lock);
  return true;
}

function firstError({ error, stderr = "" }) {
  return error?.message ?? stderr.split("\n").find(line => line.startsWith("npm error")) ?? "npm failed";
}

/** Puts the package there as it would be published: its compiled sources and its package.json. */
function link() {
  const installed = join(target, "node_modules", "idem-once");
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  cpSync(join(home, "package.json"), join(installed, "package.json"));
  cpSync(join(home, "dist", "src"), join(installed, "dist", "src"), { recursive: true });
  mkdirSync(join(target, "node_modules", "@types"), { recursive: true });
  cpSync(join(home, "node_modules", "@types", "node"), join(target, "node_modules", "@types", "node"), {
    recursive: true,
  });
}

function compile() {
  rmSync(join(target, "tests"), { recursive: true, force: true });
  cpSync(here, join(target, "tests"), { recursive: true, filter: path => !path.endsWith("package.json") });
  writeFileSync(join(target, "tests", "package.json"), '{ "type": "module" }');
  cpSync(join(home, "..", "route-cases.jsonl"), join(target, "tests", "route-cases.jsonl"));
  pageBlocks();
  const tsc = join(home, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", join(target, "tests", "tsconfig.json")], { stdio: "inherit" });
}

/** Makes a module of each block of code on the page about this package. What it does not import comes from docs-world. */
function pageBlocks() {
  const page = readFileSync(join(home, "..", "..", "docs", "typescript.md"), "utf8");
  writeFileSync(join(target, "tests", "typescript.md"), page);
  const given = readFileSync(join(here, "docs-world.ts"), "utf8");
  const values = [...given.matchAll(/^export (?:const|let) (\w+)/gm)].map(found => found[1]).concat("idem");
  [...page.matchAll(/^```ts\n(.*?)^```/gms)].forEach(([, text], i) => {
    const uses = name => new RegExp(`\\b${name}\\b`).test(text);
    const types = uses("Order") ? ["type Order"] : [];
    const names = [...values.filter(uses), ...types].join(", ");
    const exported = ["app", "server"].filter(name => text.includes(`const ${name} =`)).join(", ");
    // A block with a test of its own stands alone.
    const world = text.includes('from "node:test"') ? "" : `import { ${names} } from "./docs-world.js";\n`;
    const module = `${world}${text}export { ${exported} };\n`;
    writeFileSync(join(target, "tests", `block-${String(i + 1).padStart(2, "0")}.ts`), module);
  });
}

const installed = install();
if (installed) {
  link();
}
// Another test needs only the packages.
if (installed && !process.argv.includes("--install-only")) {
  compile();
  const only = process.argv.slice(2);
  const test = [process.execPath, ["--test", ...only, join(target, "tests", "compiled", "all.js")]];
  process.exitCode =
    spawnSync(...test, { stdio: "inherit", env: { IDEM: join(home, "..", "..", "idem"), ...process.env } }).status ?? 1;
}
