// The entries of a filter as JSON Lines: as the API gives them, without results.
import { call } from "./api.js";
import { update } from "./page.js";

const MOST = 200_000;

let progress = null;

/** How far a download is; null while there is none. */
export const downloading = () => progress;

export async function download(filter) {
  if (progress !== null) {
    return;
  }
  const lines = [];
  let after = null;
  let said = "entries.jsonl";
  try {
    do {
      progress = `${lines.length.toLocaleString("en")} read…`;
      update();
      const page = await call("browse", { ...filter, limit: 1000, ...(after && { after }) });
      lines.push(...page.entries.map((entry) => `${JSON.stringify(entry)}\n`));
      after = page.next ?? null;
    } while (after && lines.length < MOST);
  } catch {
    said = "entries-incomplete.jsonl";
  }
  if (after) {
    said = "entries-incomplete.jsonl";
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
  link.download = said;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  progress = null;
  update();
}
