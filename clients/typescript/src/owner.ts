import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { Written, wellFormed, write } from "./json.js";

/** The process that runs the action, as docs/protocol.md says to name it. */
export interface Owner {
  readonly name: string;
  readonly process?: { readonly host: string; readonly pid: number; readonly start: number };
}

let known: Written | undefined;

/** This process; only a name where it can't be read. Node does not fork, so once is enough. */
export function ownerText(): Written {
  known ??= new Written(write(read()));
  return known;
}

function read(): Owner {
  const name = wellFormed(`node ${basename(process.argv[1] ?? "")} (process ${process.pid})`.replace("  ", " "));
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim().replaceAll("-", "");
    const namespace = readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
    const stat = readFileSync("/proc/self/stat", "utf8");
    const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
    if (!/^[0-9a-f]{32}$/.test(boot) || namespace === "" || !Number.isSafeInteger(start)) {
      return { name };
    }
    const host = `${Buffer.from(boot, "hex").toString("base64url")}/${namespace}`;
    return { name, process: { host, pid: process.pid, start } };
  } catch {
    return { name };
  }
}
