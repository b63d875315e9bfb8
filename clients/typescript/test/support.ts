import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The command line that the tests start: that of the variable IDEM, else that of this checkout. */
export const command = process.env.IDEM || fileURLToPath(new URL("../../../../idem", import.meta.url));

/** The launcher, also where IDEM is a quicker stand-in for it: for tests about the process of a server. */
export const launcher = process.env.REAL_IDEM || command;

/** A folder of this test file, in which its ledgers, its home and its socket are. */
export const folder = mkdtempSync(join(tmpdir(), "idem-ts-"));

process.env.IDEM = command;
process.env.HOME = folder;
process.env.XDG_STATE_HOME = join(folder, "state");
process.env.XDG_RUNTIME_DIR = join(folder, "run");
for (const name of ["IDEM_URL", "IDEM_TOKEN", "IDEM_SOCKET", "IDEM_LEDGER"]) {
  delete process.env[name];
}

after(() => rmSync(folder, { recursive: true, force: true }));

/** Waits for a condition. */
export async function until(what: string, condition: () => unknown, forMs = 60_000): Promise<void> {
  const end = Date.now() + forMs;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`${what} did not come`);
    }
    await sleep(10);
  }
}

/** A promise that is opened by hand. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process that has ended and was not waited for is none.
  return !existsSync("/proc") || !/^\d+ \(.*\) Z/s.test(stat(pid));
}

function stat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "0 () Z";
  }
}

/** The live children of a process. */
export function children(parent: number): number[] {
  return readdirSync("/proc")
    .filter(name => /^\d+$/.test(name) && isAlive(Number(name)) && parentAndGroup(name)[0] === parent)
    .map(Number);
}

/** The pid of the parent, and that of the group's leader. */
export function parentAndGroup(pid: number | string): readonly (number | undefined)[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(1, 3)
      .map(Number);
  } catch {
    return [];
  }
}
