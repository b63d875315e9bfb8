import { AssertionError } from "node:assert";
import { NotExecuted } from "./errors.js";
import { Idem, sharedOf } from "./idem.js";
import { checkOptions } from "./options.js";
import { inTrial } from "./trial.js";

/** What an agent acts on in a test, instead of real services. */
export interface World {
  /** The Idem for the agent's operations and tools. */
  readonly idem: Idem;
  /**
   * A function that stands for a call of a service: it counts, and responses of it get lost.
   *
   * @param act what the service answers
   * @param options `key` gives the key of a call, for a service that detects duplicates by it
   */
  effect<A extends unknown[], R>(
    name: string,
    act: (...args: A) => R | Promise<R>,
    options?: { readonly key?: (...args: A) => string },
  ): (...args: A) => Promise<R>;
}

/** What was tried and seen. */
export interface SafetyReport {
  /** The effects of one undisturbed run, by name. */
  readonly effects: Readonly<Record<string, number>>;
  /** How many runs were disturbed. */
  readonly disturbances: number;
  /** How many of these ended with an error, because a call was in doubt. */
  readonly stops: number;
  /** Effects that took place too often, or were lost without a word, and when; empty for an agent that is safe to run again. */
  readonly problems: readonly string[];
}

/** Where a run is disturbed: at the effect with this number. */
interface Fault {
  readonly at: number;
  readonly kind: keyof typeof FAULTS;
}

const FAULTS = {
  before: "its process died before",
  after: "its process died after",
  lost: "a response was lost after",
};
const MOST_LIVES = 4;
let worlds = 0;
/** Ends with the last examination: one runs at a time. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Checks that an agent is safe to run again. It runs the agent twice, loses each response once, and lets the process die
 * before and after each effect; each time it starts the agent again, and counts the effects. A death is simulated: the
 * agent gets errors, and nothing that it still does has an effect.
 *
 * The memory of an agent dies with its process, so create all that it remembers inside of the function. A run that stops
 * because a call is in doubt is safe. Meanwhile every Idem of this process uses the ledger of the trial, whichever it was
 * opened with.
 *
 * @example
 * test("the checkout is safe to run again", () =>
 *   replaysSafely(async ({ idem, effect }) => checkout("order-7", idem, effect("charge", () => ({ id: "ch_1" })))));
 *
 * @param options `idem` gives the ledger of the trial; else it is in memory
 * @throws AssertionError if an effect took place more often than in an undisturbed run, or was lost without a word
 */
export async function replaysSafely(
  agent: (world: World) => unknown,
  options: { readonly idem?: Idem } = {},
): Promise<void> {
  const { effects, problems } = await examine(agent, options);
  if (problems.length > 0) {
    const usual = Object.entries(effects).map(([name, count]) => `${name}: ${count}`);
    throw new AssertionError({
      message: [
        `the agent is not safe to run again (undisturbed: ${usual.join(", ")})`,
        ...problems.map(each => `  ${each}`),
        "  Guard each of these effects with an operation of its own",
      ].join("\n"),
    });
  }
}

/**
 * Tries what `replaysSafely` tries, and reports what it saw.
 *
 * @throws AssertionError if the agent fails undisturbed, or has no effect
 */
export async function examine(
  agent: (world: World) => unknown,
  options: { readonly idem?: Idem } = {},
): Promise<SafetyReport> {
  checkOptions("the trial", options, { idem: true });
  const examined = last.then(async () => {
    const idem = options.idem ?? (await Idem.open("memory:"));
    try {
      return await new Examination(agent, idem).run();
    } finally {
      if (options.idem === undefined) {
        await idem.close();
      }
    }
  });
  last = examined.catch(() => {});
  return examined;
}

class Examination {
  readonly #problems: string[] = [];
  #usual: ReadonlyMap<string, number> = new Map();
  #disturbances = 0;
  #stops = 0;

  constructor(
    private readonly agent: (world: World) => unknown,
    private readonly idem: Idem,
  ) {}

  async run(): Promise<SafetyReport> {
    const first = new Life(this.idem, undefined);
    const thrown = await first.live(this.agent);
    if (thrown !== undefined) {
      throw new AssertionError({ message: `the agent fails without any fault: ${thrown.error}`, actual: thrown.error });
    }
    this.#usual = new Map(first.world.counts);
    if (first.world.calls === 0) {
      throw new AssertionError({
        message: 'the agent had no effect. Let its tools call effect("charge", …) where they would call a service',
      });
    }
    const { calls } = first.world;
    await this.#again(first, "it was run twice");
    for (let at = 1; at <= calls; at++) {
      for (const kind of Object.keys(FAULTS) as (keyof typeof FAULTS)[]) {
        await this.#disturbed({ at, kind });
      }
    }
    if (this.#disturbances === 1) {
      throw new AssertionError({
        message:
          "the agent had none of its effects again in a new world, so nothing was tried. Create all that it remembers " +
          "inside of the function",
      });
    }
    return {
      effects: Object.fromEntries(this.#usual),
      disturbances: this.#disturbances,
      stops: this.#stops,
      problems: [...new Set(this.#problems)],
    };
  }

  async #again(life: Life, when: string): Promise<void> {
    this.#disturbances++;
    const thrown = await life.next().live(this.agent);
    await this.#ended(life, when, thrown);
  }

  async #disturbed(fault: Fault): Promise<void> {
    let life = new Life(this.idem, fault);
    let thrown = await life.live(this.agent);
    if (life.world.struck === undefined) {
      return; // this run took another path
    }
    this.#disturbances++;
    for (let lives = 2; lives <= MOST_LIVES && (thrown !== undefined || life.world.died); lives++) {
      life = life.next();
      thrown = await life.live(this.agent);
    }
    await this.#ended(life, `${FAULTS[fault.kind]} '${life.world.struck}'`, thrown);
  }

  async #ended(life: Life, when: string, thrown: Thrown | undefined): Promise<void> {
    this.#stops += thrown === undefined ? 0 : 1;
    const missing = [...this.#usual.keys()].filter(name => (life.world.counts.get(name) ?? 0) === 0);
    if (missing.length > 0 && thrown === undefined && !(await this.#hasDoubt(life))) {
      this.#problems.push(`'${missing.join("', '")}' did not take effect, and nothing says so, when ${when}`);
    }
    for (const [name, count] of life.world.counts) {
      const usual = this.#usual.get(name) ?? 0;
      if (count > usual) {
        this.#problems.push(`'${name}' took effect ${count} times instead of ${usual}, when ${when}`);
      }
    }
  }

  async #hasDoubt(life: Life): Promise<boolean> {
    const query = { states: ["in_doubt"], scope_prefix: life.world.scope, limit: 1 };
    const { entries } = await this.idem.look("browse", query);
    return Array.isArray(entries) && entries.length > 0;
  }
}

interface Thrown {
  readonly error: unknown;
}

/** The services and the ledger of one disturbed run and its restarts. */
class Services {
  readonly scope = `test-${++worlds}/`;
  readonly counts = new Map<string, number>();
  readonly answered = new Map<string, unknown>();
  calls = 0;
  /** The effect at which the fault struck. */
  struck: string | undefined;
  died = false;
}

/** One run of the agent, from its beginning to its end. */
class Life {
  constructor(
    private readonly idem: Idem,
    private readonly fault: Fault | undefined,
    readonly world = new Services(),
  ) {}

  next(): Life {
    this.world.died = false;
    return new Life(this.idem, undefined, this.world);
  }

  /** What the run threw; undefined after a normal end. */
  async live(agent: (world: World) => unknown): Promise<Thrown | undefined> {
    try {
      const trial = { ...sharedOf(this.idem), prefix: this.world.scope };
      await inTrial(trial, () => agent({ idem: this.idem, effect: (...args) => this.#effect(...args) }));
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  #effect<A extends unknown[], R>(
    name: string,
    act: (...args: A) => R | Promise<R>,
    options: { readonly key?: (...args: A) => string } = {},
  ): (...args: A) => Promise<R> {
    checkOptions(`the effect '${name}'`, options, { key: true });
    const { world, fault } = this;
    return async (...args) => {
      if (world.died) {
        // The process is gone: whatever it would still begin leaves no trace.
        throw new NotExecuted(`the process died at '${world.struck}' (simulated)`);
      }
      const number = ++world.calls;
      const strikes = number === fault?.at ? fault.kind : undefined;
      if (strikes !== undefined) {
        world.struck = name;
        world.died = strikes !== "lost";
      }
      if (strikes === "before") {
        throw new Error(`the process died before '${name}' (simulated)`);
      }
      const key = options.key === undefined ? `${name} #${number}` : `${name} ${options.key(...args)}`;
      if (!world.answered.has(key)) {
        world.counts.set(name, (world.counts.get(name) ?? 0) + 1);
        world.answered.set(key, act(...args));
      }
      const answer = (await world.answered.get(key)) as R;
      if (strikes !== undefined) {
        const what = strikes === "lost" ? "the response was lost" : "the process died";
        throw Object.assign(new Error(`${what} after '${name}' (simulated)`), { code: "ECONNRESET" });
      }
      return answer;
    };
  }
}
