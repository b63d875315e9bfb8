// What happened to an entry, drawn as a line from top to bottom.
import { html, nothing, svg } from "./lib/lit-html/lit-html.js";
import { cut, clean, line } from "./text.js";
import { duration, exact, at } from "./time.js";
import { asText, cameAgain, resolution } from "./words.js";

const SAYS = {
  granted: "Claimed",
  probing: "A probe asked whether it had happened",
  rerun: "Taken over, to run again",
  marked: "Mark",
  complete: "Done",
  failed: "Failed, without an effect",
  in_doubt: "In doubt",
  forgotten: "Forgotten",
};
const KIND = { granted: "begin", rerun: "begin", marked: "mark", complete: "complete", failed: "failed", in_doubt: "in_doubt" };

/**
 * The events of a trail, with the time between them and the duplicates that were answered as the last one.
 *
 * @returns [{at, kind, says, detail, gap, fence}]; `gap` in milliseconds since the event before
 */
export function events(trail, entry) {
  const all = trail.map((each, i) => {
    const before = trail[i - 1];
    const again = each.event === "granted" && trail.slice(0, i).some((one) => one.event === "granted");
    return {
      at: each.at,
      gap: before ? Date.parse(each.at) - Date.parse(before.at) : 0,
      fence: each.fence,
      ...(each.event === "resolved" ? resolved(each) : {
        kind: KIND[each.event] ?? "other",
        says: again ? "Claimed again" : (SAYS[each.event] ?? line(each.event)),
        detail: lapsed(each) ? each.detail : line(each.detail + message(each, entry, i === trail.length - 1), 600),
      }),
    };
  });
  if (entry.replays > 0) {
    all.push({ at: null, gap: 0, kind: "replays", says: cameAgain(entry), detail: "" });
  }
  return all;
}

/** Whether the newest claim was a probe's, which runs nothing. */
export const isProbed = (trail) => trail.findLast((each) => ["granted", "rerun", "probing"].includes(each.event))?.event === "probing";

/** What the newest try has said. The trail keeps the kinds of failures alone: a message may hold anything. */
const message = (each, entry, isLast) =>
  isLast && entry.failure_message && (each.event === "failed" || each.event === "in_doubt") && each.fence === entry.fence ? `: ${entry.failure_message}` : "";

const lapsed = (each) => each.event === "in_doubt" && /lease|without settling/.test(each.detail);

/** A decision. The ledger begins its text with the state; all that follows there is only a text. */
function resolved(each) {
  const [, as, note] = /^as (\w+)(?:, ([\s\S]*))?$/.exec(each.detail) ?? [null, "", each.detail];
  const by = resolution(each);
  return {
    kind: as === "complete" ? "complete" : "failed",
    says: `${by?.who ?? "Somebody"} recorded that it ${as === "complete" ? "happened" : "did not happen"}`,
    detail: by ? by.why && `“${by.why}”` : asText(note),
  };
}

const POINTS = {
  begin: svg`<circle cx="10" cy="10" r="5.5" />`,
  mark: svg`<path d="M10 4.5 15.5 10 10 15.5 4.5 10z" />`,
  complete: svg`<circle cx="10" cy="10" r="8" /><path class="on" d="m6.4 10.2 2.5 2.6 4.8-5.4" />`,
  failed: svg`<rect x="3" y="3" width="14" height="14" rx="3" /><path class="on" d="m7 7 6 6m0-6-6 6" />`,
  in_doubt: svg`<path d="M10 2.5 18 17H2z" /><path class="on" d="M10 7.500v4.200M10 14v.500" />`,
  replays: svg`<path class="line" d="M15.5 10a5.5 5.5 0 1 1-1.7-4M14.5 2.500v4h-4" />`,
  other: svg`<circle cx="10" cy="10" r="4" />`,
};

export function timeline(all) {
  return html`<ol class="timeline" data-testid="timeline">${all.map(
    (each, i) => html`${each.gap >= 1000 ? html`<li class="gap"><span>${duration(each.gap)} later</span></li>` : nothing}
      <li class="event ${each.kind} ${all[i + 1] ? "" : "last"}" data-testid="event-${each.kind}">
        <svg class="point" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">${POINTS[each.kind] ?? POINTS.other}</svg>
        <div><strong>${each.says}</strong>${each.detail ? html` <span class="sub"><bdi>${cut(clean(each.detail), 600)}</bdi></span>` : nothing}</div>
        ${each.at ? html`<time datetime=${each.at} title=${`${exact(each.at)}, fence ${each.fence}`}>${at(each.at)}</time>` : nothing}
      </li>`,
  )}</ol>`;
}
