// Times as people say them. The exact time is in the title of every element.
import { html } from "./lib/lit-html/lit-html.js";

const HOUR = 3_600_000;
// Made once: making one takes as long as hundreds of its answers, and a page asks for thousands.
const EXACT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });
const MONTH = new Intl.DateTimeFormat("en", { month: "short" });

const STEPS = [
  [60, 1, "s"],
  [3600, 60, "min"],
  [48 * 3600, 3600, "h"],
  [Infinity, 86400, "days"],
];

/** A length of time: "14 min", "3 h", and "1 min 35 s" where a part would be much of the whole. */
export function duration(ms, exactly = true) {
  const abs = Math.abs(ms);
  if (abs < 1000) {
    return `${Math.round(abs)} ms`;
  }
  const seconds = abs / 1000;
  if (seconds < 10) {
    return `${seconds.toFixed(1)} s`;
  }
  const step = STEPS.findIndex(([end]) => Math.floor(seconds) < end);
  const [, unit, word] = STEPS[step];
  const whole = Math.floor(seconds / unit);
  const [, smaller, part] = STEPS[step - 1] ?? [];
  const rest = Math.floor((seconds - whole * unit) / smaller);
  return `${whole} ${word}${exactly && rest > 0 && whole < 10 ? ` ${rest} ${part}` : ""}`;
}

/** How long ago, or in how long. */
export function ago(time, now = Date.now()) {
  const ms = now - Date.parse(time);
  if (Math.abs(ms) < 5000) {
    return "just now";
  }
  const length = duration(Math.round(ms / 1000) * 1000, false).replace(".0", "");
  return ms > 0 ? `${length} ago` : `in ${length}`;
}

/** The time of day of today, and the date where it is another day. */
export function at(time, now = Date.now()) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) {
    return "?";
  }
  const clock = `${hour(date)}:${two(date.getSeconds())}${offset(date)}`;
  const today = new Date(now).toDateString() === date.toDateString();
  return today ? clock : `${dayOf(date)} ${clock}`;
}

/** "18 Nov". */
export const dayOf = (date) => `${date.getDate()} ${MONTH.format(date)}`;

/** Date, time, zone and UTC: for the tooltip. */
export function exact(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? String(time)
    : `${EXACT.format(date)} (${date.toISOString()})`;
}

const two = (n) => String(n).padStart(2, "0");

/** "09:14". The hours of a server are full in UTC: in India they begin at half past. */
export const hour = (date) => `${two(date.getHours())}:${two(date.getMinutes())}`;

/** " UTC+2" within an hour of a change of the clocks, where one time of day comes twice or never; else nothing. */
export function offset(date) {
  const minutes = (shift) => -new Date(date.getTime() + shift).getTimezoneOffset();
  if (minutes(-HOUR) === minutes(HOUR)) {
    return "";
  }
  const own = minutes(0);
  return ` UTC${own < 0 ? "-" : "+"}${Math.floor(Math.abs(own) / 60)}${own % 60 ? `:${two(Math.abs(own) % 60)}` : ""}`;
}

/** "14 min ago", the exact time on hover. */
export function whenAgo(time) {
  return time ? html`<time datetime=${time} title=${exact(time)}>${ago(time)}</time>` : "";
}

/** "09:14:02", the exact time on hover. */
export function whenAt(time) {
  return time ? html`<time datetime=${time} title=${exact(time)}>${at(time)}</time>` : "";
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/** A day or a time of a day with its zone, so that it means the same to a colleague elsewhere; null for anything else. */
export function zoned(text) {
  const [, day, time = "00:00", zone] = DATE.exec(text) ?? [];
  const date = new Date(`${day}T${time}${zone ?? ""}`);
  if (!day || Number.isNaN(date.getTime()) || (!zone && date.getDate() !== Number(day.slice(8)))) {
    return null;
  }
  const minutes = -date.getTimezoneOffset();
  return `${day}T${time}${zone ?? `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`}`;
}

/** The day that was so many days ago, as zoned() reads it. */
export function day(before, now = new Date()) {
  const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - before);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** How long ago "15m", "2026-11-15" or "2026-11-15T09:30" was, in milliseconds; NaN for anything else. */
export const age = (text, now = Date.now()) => (zoned(text) ? now - Date.parse(zoned(text)) : millis(text));

/** Milliseconds of "15m", "24h", "7d"; NaN for anything else. */
export function millis(text) {
  const found = /^(\d{1,6})(s|m|min|h|d)$/.exec(text);
  return found ? Number(found[1]) * { s: 1e3, m: 6e4, min: 6e4, h: 36e5, d: 864e5 }[found[2]] : NaN;
}
