// The steps of a scope as bars on one axis of time. The layout is pure; the drawing is SVG.
import { html, nothing, svg } from "./lib/lit-html/lit-html.js";
import { entryLink } from "./filter.js";
import { mark, rowKey } from "./parts.js";
import { line } from "./text.js";
import { duration, exact } from "./time.js";
import { ASKED_AGAIN, STATES, askedAgain, title } from "./words.js";

// A pause that is longer than all work together would leave nothing to see of the work.
const PAUSE_FROM = 0.15;
const PAUSE_SHOWN = 0.06;
// Below a call that lasts so many times as long as all calls inside of it, these would be slivers.
const LONG = 4;

/**
 * The steps as rows: where each bar begins and ends, from 0 to 1, with long pauses between them cut short.
 *
 * @param entries oldest claim first
 * @returns {rows: [{entry, from, to, first, again}], cuts: [{at, ms}], span, ticks}; `first` is the first claim of a step
 *     that was claimed again, `again` says that another process went on from here
 */
export function layout(entries, now) {
  const steps = entries.map((entry) => {
    const claimed = Date.parse(entry.claimed_at);
    const end = entry.settled_at ? Date.parse(entry.settled_at) : entry.state === "in_progress" ? now : claimed;
    return { entry, first: Math.min(Date.parse(entry.created_at), claimed), claimed, end: Math.max(end, claimed) };
  });
  steps.sort((a, b) => a.first - b.first);
  const axis = scale(steps, now);
  const rows = steps.map((step, i) => ({
    entry: step.entry,
    first: axis.at(step.first),
    from: axis.at(step.claimed),
    to: axis.at(step.end),
    ms: step.end - step.claimed,
    again: i > 0 && process(step.entry) !== process(steps[i - 1].entry),
  }));
  return { rows, cuts: axis.cuts, span: axis.span };
}

const process = (entry) => entry.owner ?? "";

/** Spans of time that overlap, as one each. */
function union(spans) {
  const parts = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = parts[parts.length - 1];
    if (last && from <= last[1]) {
      last[1] = Math.max(last[1], to);
    } else {
      parts.push([from, to]);
    }
  }
  return parts;
}

const sum = (spans) => spans.reduce((all, [from, to]) => all + (to - from), 0);

/** The spans in which calls run. Of a call that is long beside those inside of it, only its beginning and its end. */
function busy(steps) {
  const isAround = (one) => (other) => one.claimed <= other.first && other.end <= one.end && other.end - other.first < one.end - one.claimed;
  const span = (step) => [step.claimed, step.end];
  const around = new Set(steps.filter((one) => steps.some(isAround(one))));
  const inside = (one) => sum(union(steps.filter(isAround(one)).filter((step) => !around.has(step)).map(span)));
  const isLong = (step) => around.has(step) && step.end - step.claimed > (1 + LONG) * inside(step);
  const begun = steps.filter((step) => step.first < step.claimed).map(({ first }) => [first, first]);
  return union([...begun, ...steps.flatMap((step) => (isLong(step) ? span(step).map((time) => [time, time]) : [span(step)]))]);
}

/** An axis on which pauses without work take little room. */
function scale(steps, now) {
  const parts = busy(steps);
  const work = sum(parts);
  const least = Math.max(work * PAUSE_FROM, 20);
  const cuts = [];
  const points = [];
  let shown = 0;
  parts.forEach(([from, to], i) => {
    if (i > 0) {
      const pause = from - parts[i - 1][1];
      const length = pause > least ? Math.max(work * PAUSE_SHOWN, 10) : pause;
      if (pause > least) {
        cuts.push({ begin: shown, end: shown + length, ms: pause });
      }
      shown += length;
    }
    points.push([from, shown]);
    shown += to - from;
    points.push([to, shown]);
  });
  const whole = Math.max(shown, 1);
  const at = (time) => {
    const next = points.findIndex(([moment]) => moment >= time);
    if (next <= 0) {
      return next === 0 ? points[0][1] / whole : 1;
    }
    const [[a, x], [b, y]] = [points[next - 1], points[next]];
    return (b === a ? y : x + ((time - a) / (b - a)) * (y - x)) / whole;
  };
  return { at, span: sum(union(steps.map(({ claimed, end }) => [claimed, end]))), cuts: cuts.map((cut) => ({ from: cut.begin / whole, to: cut.end / whole, ms: cut.ms })), now };
}

const WIDTH = 1000;

/** A call without labels is told from others by its key alone; beside labels the key would take their room. */
function name(entry, operations) {
  const told = Object.keys(entry.labels ?? {}).length > 0;
  return html`<a href=${entryLink(entry)} class="step-name" title=${told ? line(entry.key, 255) : nothing}>
    ${mark(entry.state)}<bdi>${title(entry, operations)}</bdi>${told ? nothing : rowKey(entry.key)}</a>`;
}

/** The waterfall as a list whose rows are links. */
export function waterfall({ rows, cuts }, operations) {
  return html`<ol class="waterfall" data-testid="waterfall">${rows.map(
    (row) => html`${row.again ? html`<li class="resumed" data-testid="resumed"><span>Went on in another process: ${line(row.entry.owner, 80)}</span></li>` : nothing}
      <li class="step ${row.entry.state} ${row.entry.replays ? "replayed" : ""}" data-testid="step">
        ${name(row.entry, operations)}
        <svg class="bars" viewBox="0 0 ${WIDTH} 20" preserveAspectRatio="none" role="img" aria-label="${STATES[row.entry.state]}, ${duration(row.ms)}">
          <rect class="bar" x=${Math.min(row.from * WIDTH, WIDTH - 5)} y="3" width=${Math.max((row.to - row.from) * WIDTH, 5)} height="14" rx="2"><title>${exact(row.entry.claimed_at)}</title></rect>
          ${cuts.map((cut) => svg`<rect class="cut" x=${cut.from * WIDTH} y="0" width=${(cut.to - cut.from) * WIDTH} height="20"><title>${duration(cut.ms)} in which no call began or ended</title></rect>`)}
          ${row.first < row.from ? svg`<rect class="before" x=${row.first * WIDTH} y="9" width=${(row.from - row.first) * WIDTH} height="2"><title>first claimed ${exact(row.entry.created_at)}</title></rect>` : nothing}
        </svg>
        <span class="step-time">${row.entry.state === "in_doubt" ? html`<b>in doubt</b>` : row.entry.state === "in_progress" ? html`running, ${duration(row.ms)}` : duration(row.ms)}</span>
        <span class="step-replays" title=${row.entry.replays ? ASKED_AGAIN : ""}>${row.entry.replays ? askedAgain(row.entry.replays) : row.entry.attempt > 1 ? `try ${row.entry.attempt}` : nothing}</span>
      </li>`,
  )}</ol>`;
}
