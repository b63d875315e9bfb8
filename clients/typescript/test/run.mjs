// Runs every compiled test. The runner of node 20 takes files, not folders.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../dist/test", import.meta.url));
const files = readdirSync(folder, { recursive: true })
  .filter(name => name.endsWith(".test.js"))
  .map(name => join(folder, name))
  .sort();
const ended = spawnSync(process.execPath, ["--test", ...process.argv.slice(2), ...files], { stdio: "inherit" });
process.exit(ended.status ?? 1);
