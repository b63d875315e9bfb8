// What needs a person: doubts, oldest first, then calls that wait for an approval, then events that were given up.
import { call } from "./api.js";
import { isDecided } from "./decide.js";
import { id } from "./filter.js";

const MOST = 200;

let items = null;
let more = false;
let newest = null;

/** The items that were read last, without those that were decided here; null before the first read. */
export const waiting = () => items?.filter((item) => !isDecided(item)) ?? null;

/** "3", or "200+" where there are more than are read, also of what is read and not shown yet; empty while nothing is known. */
export const count = () => (newest === null ? "" : `${newest.items.filter((item) => !isDecided(item)).length}${newest.more ? "+" : ""}`);

export const hasMore = () => more;

/** Reads the queue. What was read is shown after {@link show}. */
export async function read(signal) {
  const [doubts, approvals, events] = await Promise.all([
    call("browse", { states: ["in_doubt"], oldest_first: true, limit: MOST }, signal),
    call("approvals.list", {}, signal),
    call("poison.list", {}, signal),
  ]);
  newest = {
    more: Boolean(doubts.next),
    items: [
      ...doubts.entries.map((entry) => ({ kind: "doubt", id: `${id(entry)} ${entry.fence}`, since: entry.doubt_since ?? entry.claimed_at, entry })),
      ...approvals.approvals
        .map((approval) => ({ kind: "approval", id: approval.approval, since: approval.requested_at, approval }))
        .sort(older),
      ...events.events.map((event) => ({ kind: "event", id: JSON.stringify([event.source, event.key, event.since]), since: event.since, event })).sort(older),
    ],
  };
  return newest;
}

const older = (a, b) => Date.parse(a.since) - Date.parse(b.since);

export function show(fresh) {
  ({ items, more } = fresh);
}

/** How many items are new, and whether anything has changed at all. */
export function news(fresh) {
  const known = new Set((items ?? []).map((item) => item.id));
  const added = fresh.items.filter((item) => !known.has(item.id)).length;
  return { added, changed: added > 0 || fresh.items.length !== known.size };
}
