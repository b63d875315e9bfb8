// What an entry says, in sentences. Pure: entry and settings in, text out.
import { at, duration } from "./time.js";
import { clean, line, plural, wellFormed } from "./text.js";

/** The words of a state, for people. */
export const STATES = {
  in_doubt: "in doubt",
  in_progress: "running",
  complete: "done",
  failed: "failed",
  expired: "expired",
};

const COMMAND_END = /\.Command(Doubtful|Failed)$/;

/** Labels that say how a call was made, and not what it is about. */
export const NOT_ABOUT = new Set(["recovery", "run", "run.parent", "session"]);

/** What it is about in a few words: "Charge for cus_1, 42.00 USD". */
export function title(entry, operations = {}) {
  const rule = operations[entry.operation] ?? {};
  const name = line(rule.title ?? entry.operation, 80);
  const sum = amount(entry, operations);
  const about = Object.entries(entry.labels ?? {})
    .filter(([label]) => label !== rule.amount && !NOT_ABOUT.has(label))
    .slice(0, 2)
    .map(([, value]) => line(value, 60));
  return `${name}${about.length ? ` for ${about.join(", ")}` : ""}${sum ? `, ${sum}` : ""}`;
}

/** The money that an entry names; null where the operator has declared no field for it, or it is not a whole number. */
export function amount(entry, operations = {}) {
  const rule = operations[entry.operation] ?? {};
  const minor = (entry.labels ?? {})[rule.amount];
  return rule.amount && /^-?\d{1,15}$/.test(minor ?? "") ? money(Number(minor), rule.currency) : null;
}

/** A number of the smallest units of a currency: 4200 is "42.00 USD". */
export function money(minor, currency) {
  let digits = 2;
  try {
    digits = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
  } catch {
    // Not a currency that is known here.
  }
  const text = (minor / 10 ** digits).toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return currency ? `${text} ${line(currency, 12)}` : text;
}

/** What is known about a doubt, as one sentence: "Sent at 09:14:02; the connection broke, no answer." */
export function doubtSentence(entry, now = Date.now(), probed = entry.failure === "probe") {
  // A probe claims the entry too, and sends nothing.
  const sent = probed ? entry.created_at : entry.claimed_at;
  return `Sent at ${at(sent, now)}; ${broke(entry)}.`;
}

function broke(entry) {
  const type = entry.failure ?? "";
  const message = firstLine(entry.failure_message);
  if (COMMAND_END.test(type)) {
    return `the command ended with ${message || "an unknown exit"}`;
  } else if (/ended without settling/.test(entry.doubt ?? "")) {
    return `then its process (${line(entry.owner)}) ended without saying how it went`;
  } else if (type === "probe") {
    return "the answer was lost, and its probe could not tell whether it happened";
  } else if (/lease of .* ran out/.test(entry.doubt ?? "")) {
    return `then its process (${line(entry.owner)}) was not heard of again`;
  }
  const what = kind(type);
  return `${what}${message ? ` (“${message}”)` : what ? "" : line(entry.doubt)}`;
}

const KINDS = [
  [/timeout|timed ?out/i, "no answer came in time"],
  [/connect|socket|eof|reset|closedchannel|http.*exception$|IOException$/i, "the connection broke, no answer"],
  [/interrupt/i, "the call was interrupted"],
];

function kind(type) {
  const found = KINDS.find(([pattern]) => pattern.test(type));
  const simple = line(type).split(".").pop();
  return found ? found[1] : simple ? `it ended with ${simple}` : "";
}

const firstLine = (text) => line((text ?? "").split("\n", 1)[0], 240);

/** The command and the end of its output, where the call was a command. */
export function output(entry) {
  const lines = (entry.failure_message ?? "").split("\n");
  const command = lines.find((each) => each.startsWith("command: "));
  return COMMAND_END.test(entry.failure ?? "") && command
    ? { command: clean(command.slice(9)), tail: clean(lines.slice(lines.indexOf(command) + 1).join("\n")) }
    : null;
}

/** The host and the process in the name of an owner. */
export function owner(entry) {
  const found = /^(?:(.*)@)?(\S+) pid (\d+)$/.exec(entry.owner ?? "");
  return found ? `${found[2]}, process ${found[3]}${found[1] ? ` of ${found[1]}` : ""}` : line(entry.owner);
}

/** Whether the attempt may still act, and so whether it is too early to say that it did not. */
export function mayAct(entry, now = Date.now()) {
  return entry.state === "in_doubt" && Date.parse(entry.may_act_until) > now;
}

const WAYS = {
  probe: "the next call asks its probe whether it happened.",
  rerun: "the next call runs it again: its policy says that this does no harm.",
  same_key: "the next call runs it again with the same key, which the remote remembers and answers once.",
  person: "nobody but a person can settle it.",
};

/** How a doubt may end, with or without a person. */
export function byItself(entry, now = Date.now()) {
  const until = at(entry.may_act_until, now);
  const way = WAYS[entry.recovery] ?? WAYS.person;
  return mayAct(entry, now)
    ? `The attempt may still act until ${until}, and may still report its result. After that ${way}`
    : `The attempt can no longer act since ${until}. Now ${way}`;
}

/** Who decided: the name that the person gave, and what the server knows to have sent it where that is something else. */
export function person(who, caller) {
  const [named, known] = [line(who ?? "", 120), line(caller ?? "", 120)];
  return !known || known === named ? named || "Somebody" : named ? `${known} (who gives the name ${named})` : known;
}

/** Who resolved an entry and why; null where no person did. A note may say anything, and is not read for that. */
export function resolution({ resolution: by }) {
  return by ? { who: person(by.who, by.caller), why: line(by.why ?? "", 400) } : null;
}

/** What is kept as a text alone: an old decision, or what the owner of a ticket has found. */
export const asText = (text) => (text ? `Recorded as text: “${line(text, 400)}”` : "");

/** How an entry ended or stands, as one sentence. `probed` says that the newest claim was a probe's. */
export function standing(entry, now = Date.now(), probed = false) {
  const by = resolution(entry);
  const text = !by && entry.note ? ` ${asText(entry.note)}.` : "";
  switch (entry.state) {
    case "in_doubt":
      return doubtSentence(entry, now, probed);
    case "in_progress":
      return probed
        ? `In doubt; a probe asks since ${at(entry.claimed_at, now)} whether it had happened, at ${owner(entry)}.`
        : `Running since ${at(entry.claimed_at, now)} at ${owner(entry)}. It may act until ${at(entry.may_act_until, now)}.`;
    case "complete":
      return (
        (by ? `${by.who} recorded at ${at(entry.settled_at, now)} that it happened.` : probed
            ? `Done: a probe asked at ${at(entry.claimed_at, now)}, and it was settled at ${at(entry.settled_at, now)}.`
            : `Done at ${at(entry.settled_at, now)}${took(entry)}.`) +
        text +
        (entry.replays ? ` ${again(entry)}` : "")
      );
    case "failed":
      return by
        ? `${by.who} recorded at ${at(entry.settled_at, now)} that it did not happen. The next call runs it.`
        : probed
          ? `A probe asked at ${at(entry.claimed_at, now)}, and found no effect.${text}`
          : `Failed at ${at(entry.settled_at, now)} without an effect${text ? "" : `: ${line((entry.failure ?? "it gave no reason").split(".").pop())}`}${firstLine(entry.failure_message) ? ` (“${firstLine(entry.failure_message)}”)` : ""}.${text}`;
    default:
      return `It ran at ${at(entry.claimed_at, now)}. Its result has expired, and its key is kept from running again.`;
  }
}

/** What its replays mean. Whether it ran once is known where its first attempt has said so itself. */
export function again(entry) {
  return entry.attempt === 1 && !entry.resolution && !entry.note
    ? `The action ran once. ${cameAgain(entry)}.`
    : `${cameAgain(entry)}: nothing ran again.`;
}

export const cameAgain = ({ replays }) => `The same call came ${replays === 1 ? "once more" : plural(replays, "more time")}, and got the stored answer`;

/** The same for a row of a list. */
export const askedAgain = (count) => `↻ asked again ${count.toLocaleString("en")}×`;

export const ASKED_AGAIN = "The same call came again, and got the stored answer. The action did not run again.";

function took(entry) {
  const ms = Date.parse(entry.settled_at) - Date.parse(entry.claimed_at);
  return ms >= 0 ? `, after ${duration(ms)}` : "";
}

/**
 * The operator's link to the vendor's own search, with its fields percent-encoded; null where there is none, a field is
 * missing, or it leads elsewhere than to a web page.
 */
export function vendorLink(entry, operations = {}) {
  const template = operations[entry.operation]?.link;
  if (!template) {
    return null;
  }
  const labels = Object.entries(entry.labels ?? {}).map(([name, value]) => [`label:${name}`, value]);
  const fields = new Map([...labels, ["key", entry.key], ["scope", entry.scope], ["operation", entry.operation]]);
  let missing = false;
  const link = template.replace(/\{([^{}]*)\}/g, (_, name) => {
    const value = fields.get(name);
    missing ||= value === undefined;
    return encodeURIComponent(wellFormed(String(value ?? "")));
  });
  return missing || !/^https?:\/\//i.test(link) ? null : link;
}

/** The name of the site that a link leads to. */
export const site = (link) => new URL(link).host;
