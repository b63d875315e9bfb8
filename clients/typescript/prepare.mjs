// Compiles the package when it is installed from a checkout, also where its development tools are not installed.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

function newest(folder, ending) {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true }).filter(name => name.endsWith(ending))
    : [];
  return files.map(name => statSync(join(folder, name)).mtimeMs);
}

function run(program, args) {
  const ended = spawnSync(program, args, { cwd: here, stdio: ["ignore", "inherit", "inherit"] });
  if (ended.status !== 0) {
    process.exit(ended.status ?? 1);
  }
}

/** The folder whose node_modules have the compiler: this one, or one that has nothing else. */
function tools() {
  const has = folder => ["typescript", "@types/node"].every(name => existsSync(join(folder, "node_modules", name)));
  if (has(here)) {
    return here;
  }
  const apart = join(here, ".tools");
  if (!has(apart)) {
    const { devDependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
    const wanted = ["typescript", "@types/node"].map(name => `${name}@${devDependencies[name]}`);
    run(npm, ["install", "--prefix", apart, "--no-save", "--no-audit", "--no-fund", ...wanted]);
  }
  return apart;
}

const built = newest(join(here, "dist", "src"), ".js");
const sources = newest(join(here, "src"), ".ts");
if (built.length < sources.length || Math.min(...built) < Math.max(...sources)) {
  const modules = join(tools(), "node_modules");
  const compiler = join(modules, "typescript", "bin", "tsc");
  run(process.execPath, [compiler, "-p", "tsconfig.build.json", "--typeRoots", join(modules, "@types")]);
}
