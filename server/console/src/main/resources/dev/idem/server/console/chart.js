// Columns over the hours: an axis with its unit, a readout for what the pointer or the keyboard is on. The layout is pure.
import { html, nothing, svg } from "./lib/lit-html/lit-html.js";
import { update } from "./page.js";
import { dayOf as day, exact, hour as clock, offset } from "./time.js";

const WIDE = 960;
const NARROW = 460;
const HEIGHT = 180;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 8;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Round marks of an axis from 0 to at least `most`. */
export function ticks(most) {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((each) => each >= rough));
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

/**
 * A point for every hour from `from` to `to`: hours in which nothing happened are there too. Clocks differ, so it goes on to
 * the newest known hour of the next day.
 */
export function hours(known, from, to, zero) {
  const found = new Map(known.map((each) => [Math.floor(Date.parse(each.hour) / HOUR), each]));
  const first = Math.floor(from / HOUR);
  const last = Math.max(Math.floor(to / HOUR), ...[...found.keys()].filter((hour) => hour * HOUR < to + DAY));
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, i) => found.get(first + i) ?? { hour: new Date((first + i) * HOUR).toISOString(), ...zero });
}

/**
 * Draws columns.
 *
 * @param chart {name, unit, points, series: [{name, kind, of(point)}], href(point)}; the columns of a point stand on each other
 */
export function columns(chart) {
  const { points, series } = chart;
  const total = (point) => series.reduce((sum, each) => sum + each.of(point), 0);
  const marks = ticks(Math.max(...points.map(total), 0));
  const most = marks[marks.length - 1];
  const width = window.innerWidth < 640 ? NARROW : WIDE;
  const every = width === NARROW ? 6 : 3;
  const step = (width - LEFT) / points.length;
  const y = (value) => TOP + (HEIGHT - TOP) * (1 - value / most);
  const on = chart.on ?? null;
  const point = on === null ? null : points[on];
  return html`<figure class="chart" data-testid="chart-${chart.id}">
    <figcaption><strong>${chart.name}</strong><span class="sub">${chart.unit}</span>
      <span class="readout" aria-live="polite">${point ? html`<b>${hourOf(point)}</b> ${series.map((each) => html`<span class="key-dot ${each.kind}"></span>${each.name} ${each.of(point).toLocaleString("en")} `)}`
        : series.length > 1 ? series.map((each) => html`<span><span class="key-dot ${each.kind}"></span>${each.name}</span> `) : nothing}</span></figcaption>
    <svg viewBox="0 0 ${width} ${HEIGHT + BOTTOM}" role="img" aria-label="${chart.name}: ${points.reduce((sum, each) => sum + total(each), 0).toLocaleString("en")} ${chart.unit} in all"
      @pointerleave=${() => ((chart.on = null), update())}>
      ${marks.map((mark) => svg`<line class="grid" x1=${LEFT} x2=${width} y1=${y(mark)} y2=${y(mark)} /><text class="axis" x=${LEFT - 8} y=${y(mark) + 4} text-anchor="end">${mark.toLocaleString("en")}</text>`)}
      ${points.map((each, i) => {
        let below = 0;
        return svg`${series.map((one) => {
            const value = one.of(each);
            below += value;
            return value > 0 ? svg`<rect class="column ${one.kind}" x=${LEFT + i * step + step * 0.12} width=${step * 0.76} y=${y(below)} height=${Math.max(1, y(below - value) - y(below))} />` : nothing;
          })}
          <rect class="over ${on === i ? "on" : ""}" x=${LEFT + i * step} width=${step} y=${TOP} height=${HEIGHT - TOP} @pointerenter=${() => ((chart.on = i), update())}><title>${exact(each.hour)}</title></rect>
          ${label(each, points, i, every) ? svg`<text class="axis" x=${LEFT + i * step + step / 2} y=${HEIGHT + 16} text-anchor="middle">${label(each, points, i, every)}</text>` : nothing}`;
      })}
    </svg>
  </figure>`;
}

/** "18 Nov 14:30–15:30". */
export function hourOf({ hour }) {
  const [begin, end] = [new Date(hour), new Date(Date.parse(hour) + HOUR)];
  return `${day(begin)} ${clock(begin)}${offset(begin)}–${clock(end)}${offset(end)}`;
}

/** Every few hours of a day, or the first column that begins on a day of a week. */
export function label({ hour }, points, i, every) {
  const date = new Date(hour);
  if (points.length > 30) {
    const isNew = new Date(date.getTime() - HOUR).getDate() !== date.getDate();
    return isNew && (every === 3 || date.getDate() % 2) ? day(date) : null;
  }
  return date.getHours() % (points.length > 12 ? every : 1) === 0 && i > 0 ? clock(date) : null;
}
