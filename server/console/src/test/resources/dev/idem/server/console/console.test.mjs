// The parts of the console that need no browser. Run by ConsoleScriptsTest, in a folder with all its files.
import assert from "node:assert/strict";
import test from "node:test";

// lit-html looks for the page as soon as it is read.
const nothing = () => ({});
globalThis.document = { createTreeWalker: nothing, createComment: nothing, addEventListener() {}, visibilityState: "visible" };
globalThis.window = { addEventListener() {} };

const { clean, line, member, pretty, short } = await import("./text.js");
const { age, ago, at, day, duration, millis, zoned } = await import("./time.js");
const words = await import("./words.js");
const filter = await import("./filter.js");
const commands = await import("./commands.js");
const { layout } = await import("./waterfall.js");
const { hourOf, hours, label, ticks } = await import("./chart.js");
const { events, isProbed } = await import("./timeline.js");

const OPERATIONS = { charge: { title: "Charge", amount: "cents", currency: "USD", link: "https://bank.example/search?q={key}&c={label:customer}" } };
const NOW = new Date(2026, 10, 18, 9, 15, 0).getTime();
const time = (seconds) => new Date(new Date(2026, 10, 18, 9, 14, 0).getTime() + seconds * 1000).toISOString();
const doubt = {
  scope: "order-7", operation: "charge", key: "k 1&x=/", state: "in_doubt", fence: "17", attempt: 1, replays: 0, owner: "ann@web-1 pid 17",
  labels: { cents: "4200", customer: "cus_1" }, recovery: "person", doubt: "the action ended with java.net.SocketException",
  failure: "java.net.SocketException", failure_message: "Connection reset", created_at: time(2), claimed_at: time(2), may_act_until: time(302),
};

test("a doubt is told in sentences", () => {
  assert.equal(words.title(doubt, OPERATIONS), "Charge for cus_1, 42.00 USD");
  assert.equal(words.doubtSentence(doubt, NOW), "Sent at 09:14:02; the connection broke, no answer (“Connection reset”).");
  assert.match(words.byItself(doubt, NOW), /may still act until 09:19:02.*After that nobody but a person/);
  assert.match(words.byItself({ ...doubt, recovery: "probe" }, NOW + 600_000), /no longer act since 09:19:02. Now the next call asks its probe/);
  const killed = { ...doubt, failure: undefined, failure_message: undefined, doubt: "the process that ran it, x, ended without settling it" };
  assert.match(words.doubtSentence(killed, NOW), /then its process \(ann@web-1 pid 17\) ended/);
});

test("a command in doubt shows its words and the end of its output", () => {
  const entry = { ...doubt, failure: "dev.idem.cli.recorded.CommandDoubtful", failure_message: "exit 75\ncommand: curl -X POST\nstderr: no route\u0007" };
  assert.match(words.doubtSentence(entry, NOW), /the command ended with exit 75/);
  assert.deepEqual(words.output(entry), { command: "curl -X POST", tail: "stderr: no route␇" });
});

test("money is whole units of its currency, and only where the operator has named the field", () => {
  assert.equal(words.money(4205, "USD"), "42.05 USD");
  assert.equal(words.money(4205, "JPY"), "4,205 JPY");
  assert.equal(words.amount(doubt, {}), null);
  assert.equal(words.amount({ ...doubt, labels: { cents: "42.5" } }, OPERATIONS), null);
});

test("the claim of a probe is told as a probe, and not as a run", () => {
  const trail = [
    { at: time(2), fence: "1", event: "granted", detail: "x pid 1, attempt 1" },
    { at: time(32), fence: "1", event: "in_doubt", detail: "no answer" },
    { at: time(50), fence: "2", event: "probing", detail: "y pid 2, attempt 1" },
  ];
  assert.equal(isProbed(trail), true);
  assert.equal(isProbed(trail.slice(0, 2)), false);
  assert.equal(events(trail, { replays: 0 })[2].says, "A probe asked whether it had happened");
  const asked = { ...doubt, claimed_at: time(50), settled_at: time(51), owner: "y pid 2" };
  assert.match(words.standing({ ...asked, state: "in_progress" }, NOW, true), /^In doubt; a probe asks since 09:14:50 whether it had happened/);
  assert.equal(words.standing({ ...asked, state: "complete" }, NOW, true), "Done: a probe asked at 09:14:50, and it was settled at 09:14:51.");
  assert.match(words.standing(asked, NOW, true), /^Sent at 09:14:02;/);
});

test("a replay is told as what was asked, what was answered and what ran", () => {
  const done = { ...doubt, state: "complete", settled_at: time(3), replays: 3 };
  assert.equal(words.standing(done, NOW), "Done at 09:14:03, after 1.0 s. The action ran once. The same call came 3 more times, and got the stored answer.");
  assert.match(words.standing({ ...done, replays: 1, attempt: 2 }, NOW), /came once more, and got the stored answer: nothing ran again\.$/);
  assert.doesNotMatch(words.standing({ ...done, resolution: { who: "ann", why: "seen" } }, NOW), /ran once/);
});

test("who decided and why is the field that only a decision writes, and never the note", () => {
  const by = (resolution) => words.resolution({ resolution });
  assert.deepEqual(by({ who: "ann: b", why: "seen: twice (request 0b7f4c1e)" }), { who: "ann: b", why: "seen: twice (request 0b7f4c1e)" });
  assert.deepEqual(by({ who: "ann", caller: "token ops-2" }), { who: "token ops-2 (who gives the name ann)", why: "" });
  assert.deepEqual(by({ who: "bob", caller: "bob" }), { who: "bob", why: "" });
  assert.deepEqual(by({ caller: "token ops-2" }), { who: "token ops-2", why: "" });
  assert.deepEqual(by({}), { who: "Somebody", why: "" });
  const forged = { ...doubt, doubt: undefined, failure: undefined, settled_at: time(3), note: "resolved by ann: seen at the bank (request 0b7f4c1e)" };
  assert.equal(words.resolution(forged), null);
  for (const state of ["complete", "failed"]) {
    const says = words.standing({ ...forged, state }, NOW);
    assert.doesNotMatch(says, /ann recorded/);
    assert.match(says, /Recorded as text: “resolved by ann: seen at the bank \(request 0b7f4c1e\)”\./);
  }
});

test("a link has its fields percent-encoded, and leads to a web page or nowhere", () => {
  assert.equal(words.vendorLink(doubt, OPERATIONS), "https://bank.example/search?q=k%201%26x%3D%2F&c=cus_1");
  assert.equal(words.vendorLink({ ...doubt, labels: {} }, OPERATIONS), null);
  assert.equal(words.vendorLink(doubt, { charge: { link: "javascript://x/%0aalert(1)//{key}" } }), null);
  assert.equal(words.vendorLink({ ...doubt, key: "\ud800" }, { charge: { link: "https://a.example/{key}" } }), "https://a.example/%EF%BF%BD");
});

test("hidden characters of a text are seen", () => {
  assert.equal(clean("a\u202eb\u0000c\u200b\ud800"), "a‹U+202E›b␀c‹U+200B›\ufffd");
  assert.equal(line(`x\n${"y".repeat(100_000)}`, 10), "x yyyyyyy…");
  assert.equal(short("k".repeat(255)).length, 23);
  assert.equal(short(`${"\u0000\u202e".repeat(127)}7`).slice(-1), "7");
  assert.equal(short(`${"k".repeat(40)}\ud83d\ude00-7890`).slice(-7), "\ud83d\ude00-7890");
  assert.deepEqual(["a", "order-17", "", "o".repeat(28)].map(short), ["a", "order-17", "", "o".repeat(28)]);
});

test("numbers of a result stay digit for digit", () => {
  const answer = '{"answer":"complete","result":{"id":9007199254740993,"a":[],"s":"}\\"result\\":1"}}';
  assert.equal(member(answer, "result"), '{"id":9007199254740993,"a":[],"s":"}\\"result\\":1"}');
  assert.equal(pretty('{"id":9007199254740993,"a":[],"b":[1,{}]}'), '{\n  "id": 9007199254740993,\n  "a": [],\n  "b": [\n    1,\n    {}\n  ]\n}');
  assert.equal(member('{"answer":"complete","result":null}', "result"), "null");
  assert.equal(member('{"x":{"result":1}}', "result"), null);
});

test("times are as people say them", () => {
  assert.deepEqual([ago(time(58), NOW), ago(time(0), NOW), ago(time(-7200), NOW), ago(time(120), NOW)], ["just now", "1 min ago", "2 h ago", "in 1 min"]);
  assert.equal(at(time(2), NOW), "09:14:02");
  assert.equal(at(time(2), NOW + 86_400_000), "18 Nov 09:14:02");
  assert.deepEqual([380, 1700, 60_000, 95_000, 840_000, 3_900_000].map((ms) => duration(ms)), ["380 ms", "1.7 s", "1 min", "1 min 35 s", "14 min", "1 h 5 min"]);
  assert.deepEqual([millis("15m"), millis("7d")], [900_000, 604_800_000]);
  assert.ok(Number.isNaN(millis("15")));
});

/** Runs with the clocks of another zone. */
function inZone(zone, body) {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    body();
  } finally {
    before === undefined ? delete process.env.TZ : (process.env.TZ = before);
  }
}

test("a date of a filter means the same in every zone", () => {
  inZone("Asia/Kolkata", () => {
    const now = Date.parse("2026-11-15T06:00:00Z");
    assert.deepEqual(filter.add([], { field: "newer", value: "2026-11-15" }), [{ field: "newer", value: "2026-11-15T00:00+05:30" }]);
    assert.deepEqual(["2026-11-15 09:30", "2026-11-15T09:30:15Z", "2026-11-15T09:30-02:00", "15.11.2026", "2026-13-01"].map(zoned), [
      "2026-11-15T09:30+05:30", "2026-11-15T09:30:15Z", "2026-11-15T09:30-02:00", null, null,
    ]);
    assert.deepEqual(["2026-11-15T09:30", "2026-11-15T04:00:00Z", "15m"].map((text) => age(text, now)), [7_200_000, 7_200_000, 900_000]);
    assert.deepEqual([day(0, new Date(now)), day(1, new Date(2026, 2, 1))], ["2026-11-15", "2026-02-28"]);
  });
});

/** The hour of a column, the text below it among those of a day and among those of a week. */
const column = (hour) => [hourOf({ hour }), label({ hour }, Array(24), 1, 3), label({ hour }, Array(168), 1, 3)];

test("an hour of a chart is that of the server, which begins at half past in some zones", () => {
  inZone("Asia/Kolkata", () => {
    assert.deepEqual(column("2026-11-18T09:00:00Z"), ["18 Nov 14:30–15:30", null, null]);
    assert.deepEqual(column("2026-11-18T18:00:00Z"), ["18 Nov 23:30–00:30", null, null]);
    assert.deepEqual(column("2026-11-18T19:00:00Z"), ["19 Nov 00:30–01:30", "00:30", "19 Nov"]);
    assert.equal(at("2026-11-18T09:00:00Z", Date.parse("2026-11-18T12:00:00Z")), "14:30:00");
    assert.equal(ago("2026-11-18T09:00:00Z", Date.parse("2026-11-18T12:00:00Z")), "3 h ago");
  });
  inZone("America/St_Johns", () => assert.deepEqual(column("2026-11-18T04:00:00Z"), ["18 Nov 00:30–01:30", "00:30", "18 Nov"]));
});

test("the hour that comes twice, or never, is told apart", () => {
  inZone("Europe/Berlin", () => {
    assert.deepEqual(["2026-10-24T23:00:00Z", "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"].map((hour) => hourOf({ hour })), [
      "25 Oct 01:00–02:00 UTC+2", "25 Oct 02:00 UTC+2–02:00 UTC+1", "25 Oct 02:00 UTC+1–03:00", "25 Oct 03:00–04:00",
    ]);
    assert.equal(hourOf({ hour: "2026-03-29T00:00:00Z" }), "29 Mar 01:00 UTC+1–03:00 UTC+2");
    const now = Date.parse("2026-10-25T01:45:00Z");
    assert.deepEqual(["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"].map((time) => at(time, now)), ["02:30:00 UTC+2", "02:30:00 UTC+1"]);
    assert.equal(ago("2026-10-25T00:30:00Z", now), "1 h ago");
  });
  inZone("America/St_Johns", () => assert.equal(hourOf({ hour: "2026-11-01T04:00:00Z" }), "1 Nov 01:30 UTC-2:30–01:30 UTC-3:30"));
  // Here the clocks go back at midnight: the day has begun once.
  inZone("America/Havana", () => assert.deepEqual(["2026-11-01T04:00:00Z", "2026-11-01T05:00:00Z"].map((hour) => column(hour)[2]), ["1 Nov", null]));
});

test("a filter survives the URL, and becomes members of browse", () => {
  const chips = filter.chips("state=in_doubt&state=failed&label=a%3Db%3D%26c&scope=acme%2F*&key=k&newer=24h&by=ann&x=1");
  assert.equal(filter.query(chips), "state=in_doubt&state=failed&label=a%3Db%3D%26c&scope=acme%2F*&key=k&newer=24h&by=ann");
  assert.deepEqual(filter.browse(chips), {
    states: ["in_doubt", "failed"], labels: { a: "b=&c" }, scope_prefix: "acme/", key: "k", newer_than_ms: 86_400_000, resolved_by: "ann",
  });
  assert.deepEqual(filter.add([{ field: "scope", value: "a" }], { field: "scope", value: "b" }), [{ field: "scope", value: "b" }]);
  assert.deepEqual(filter.browse([{ field: "newer", value: "soon" }]), {});
  assert.deepEqual(filter.browse(filter.chips("tries=2&message=time%20out*")), { min_attempt: 2, message: "time out*" });
  assert.deepEqual(["tries=0", "tries=x", "newer=2026-02-30", "newer=yesterday"].flatMap((text) => filter.chips(text).map(filter.wrong)).filter((each) => each), [
    "write a number such as 2", "write a number such as 2", ...Array(2).fill("write a time such as 15m or 7d ago, or a date: 2026-11-15, 2026-11-15T09:30"),
  ]);
  assert.equal(filter.wrong({ field: "older", value: "9026-01-01" }), "this is in the future");
});

test("a copied line runs nothing but its command", () => {
  const evil = { scope: "-x", operation: "a'; rm -rf ~ #", key: "k\n$(reboot)" };
  assert.equal(commands.why(evil), "idem why --scope='-x' --operation 'a'\\''; rm -rf ~ #' -- $'k\\u000a$(reboot)'");
  assert.equal(commands.javaFind({ scope: 'a"b', operation: "c\\d", key: "é" }), 'idem.find(new Address("a\\"b", "c\\\\d", "\\u00e9"))');
});

test("steps beside each other overlap, and a long pause is cut short", () => {
  const step = (from, to, owner = "a") => ({ created_at: time(from), claimed_at: time(from), settled_at: time(to), state: "complete", owner });
  const { rows, cuts, span } = layout([step(0, 2), step(1, 3), step(3600, 3601, "b")], NOW);
  assert.ok(rows[1].from > rows[0].from && rows[1].from < rows[0].to);
  assert.deepEqual(cuts.map((cut) => cut.ms), [3_597_000]);
  assert.ok(cuts[0].to - cuts[0].from < 0.1);
  assert.equal(span, 4000);
  assert.deepEqual(rows.map((row) => row.again), [false, false, true]);
  assert.ok(rows.every((row) => row.from >= 0 && row.to <= 1.0001 && row.to > row.from));
});

test("calls inside of a long one are seen, and its quiet time is cut short", () => {
  const step = (from, to) => ({ created_at: time(from), claimed_at: time(from), settled_at: time(to), state: "complete", owner: "a" });
  const { rows, cuts, span } = layout([step(0, 7200), step(10, 10.2), step(3000, 3000.4), step(3000.4, 3001)], NOW);
  assert.deepEqual([rows[0].from, rows[0].to], [0, 1]);
  assert.ok(rows.slice(1).every((row) => row.to - row.from > 0.1), JSON.stringify(rows));
  assert.deepEqual(cuts.map((cut) => cut.ms), [10_000, 2_989_800, 4_199_000]);
  assert.equal(span, 7_200_000);
  assert.equal(rows[0].ms, 7_200_000);
  // The same beside a call of its own length, and where a call stands between.
  const beside = layout([step(0, 3600), step(10, 20), step(3600, 3700)], NOW);
  assert.ok(beside.rows[1].to - beside.rows[1].from > 0.05);
  assert.ok(layout([step(0, 7200), step(5, 3600), step(10, 11)], NOW).rows[2].to > 0.3);
  // A call that is not much longer than those inside of it is drawn as long as it was.
  const near = layout([step(0, 4), step(1, 2)], NOW);
  assert.deepEqual([near.cuts, near.rows[1].from, near.rows[1].to], [[], 0.25, 0.5]);
});

test("an axis has round marks, and hours in which nothing happened are there", () => {
  assert.deepEqual(ticks(7), [0, 2, 4, 6, 8]);
  assert.deepEqual(ticks(0), [0, 1]);
  const hour = 3_600_000;
  const all = hours([{ hour: new Date(2 * hour).toISOString(), replays: 3 }], hour, 3 * hour, { replays: 0 });
  assert.deepEqual(all.map((each) => each.replays), [0, 3, 0]);
});

test("the newest hour is drawn, also where the clocks of the ledger and the server differ", () => {
  const hour = 3_600_000;
  const known = [4, 1000].map((n) => ({ hour: new Date(n * hour).toISOString(), replays: n }));
  assert.deepEqual(hours(known, 2 * hour, 3 * hour - 1, { replays: 0 }).map((each) => each.replays), [0, 0, 4]);
});

test("an hour is told in the minutes of its zone", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Asia/Kolkata";
  assert.equal(hourOf({ hour: "2026-11-18T17:00:00Z" }), "18 Nov 22:30–23:30");
  if (zone === undefined) {
    delete process.env.TZ;
  } else {
    process.env.TZ = zone;
  }
});

test("a trail becomes events with the time between them", () => {
  const all = events([
    { at: time(0), fence: "1", event: "granted", detail: "x pid 1, attempt 1" },
    { at: time(30), fence: "1", event: "in_doubt", detail: "the lease of x ran out without a heartbeat" },
    { at: time(90), fence: "2", event: "resolved", detail: "as complete, resolved by ann: seen", resolution: { who: "ann", why: "seen" } },
  ], { replays: 2 });
  assert.deepEqual(all.map((each) => [each.kind, each.gap]), [["begin", 0], ["in_doubt", 30_000], ["complete", 60_000], ["replays", 0]]);
  assert.equal(all[2].says, "ann recorded that it happened");
  assert.equal(all[2].detail, "“seen”");
});

test("the newest try tells what it said, and the earlier ones tell their kind", () => {
  const entry = { fence: "2", failure_message: "no answer from the bank", replays: 0 };
  const all = events([
    { at: time(0), fence: "1", event: "failed", detail: "java.net.ConnectException" },
    { at: time(1), fence: "2", event: "granted", detail: "x pid 1, attempt 2" },
    { at: time(2), fence: "2", event: "in_doubt", detail: "java.net.SocketTimeoutException" },
  ], entry);
  assert.deepEqual([all[0].detail, all[2].detail], ["java.net.ConnectException", "java.net.SocketTimeoutException: no answer from the bank"]);
});

test("an old decision and the evidence of a ticket are told as text", () => {
  const all = events([
    { at: time(0), fence: "1", event: "resolved", detail: "as complete, resolved by ann: seen" },
    { at: time(1), fence: "2", event: "failed", detail: "resolved by ann: not seen (request 0b7f4c1e)" },
  ], { replays: 0 });
  assert.equal(all[0].says, "Somebody recorded that it happened");
  assert.equal(all[0].detail, "Recorded as text: “resolved by ann: seen”");
  assert.equal(all[1].says, "Failed, without an effect");
});
