/** Where an entry is: scope and operation, and its key once that is known. */
export interface Place {
  readonly scope: string;
  readonly operation: string;
  readonly key?: string | undefined;
}

/** What is known about an error: where, the words for a model, and the facts of the server's answer. */
export interface Facts {
  readonly place?: Place | undefined;
  readonly forModel?: string | undefined;
  readonly cause?: unknown;
  readonly answer?: Readonly<Record<string, unknown>> | undefined;
}

/** The root of all errors of Idem. */
export class IdemError extends Error {
  /** The entry that it is about, if it is about one. */
  readonly place: Place | undefined;
  readonly #answer: Readonly<Record<string, unknown>>;
  readonly #forModel: string | undefined;

  constructor(message: string, facts: Facts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.place = facts.place;
    this.#answer = facts.answer ?? {};
    this.#forModel = facts.forModel;
  }

  /** All members of the server's answer, for code that needs more than the message. */
  get answer(): Readonly<Record<string, unknown>> {
    return this.#answer;
  }

  /** What a model should read as the result of its call. */
  forModel(): string {
    return this.#forModel ?? this.message;
  }
}

/** Thrown by an action to prove that it had no effect, so that the call may run again. */
export class NotExecuted extends IdemError {}

/** The call had no effect: an earlier failure, a time limit that was over before the action, a probe's no. */
export class Failed extends IdemError {}

/** It is unknown whether the call took effect. It will not run again by itself. */
export class InDoubt extends IdemError {}

/** Another attempt of the same call still runs. */
export class InFlight extends IdemError {}

/** The key belongs to another call. Nothing ran. */
export class Conflict extends IdemError {}

/** The call was done long ago, and its result is gone. Nothing ran. */
export class Expired extends IdemError {}

/** A person has to approve the call first. Nothing ran. */
export class Held extends IdemError {}

/** A person has refused the call. Nothing ran. */
export class Denied extends IdemError {}

/** The call was done, and there is no stored result to give. Nothing ran now. */
export class ResultUnavailable extends IdemError {}

/** The ledger or its server gave no answer. Nothing ran. */
export class LedgerUnavailable extends IdemError {}

/** The action ran and returned `value`, and it is not certain that the ledger has recorded it. */
export class Unrecorded<T = unknown> extends IdemError {
  readonly value: T;

  constructor(message: string, value: T, facts: Facts = {}) {
    super(message, facts);
    this.value = value;
  }
}

/** The call is wrong and must be changed: an unusable identity, another ledger, an operation inside itself. Nothing ran. */
export class Refused extends IdemError {
  /** Such as `malformed`, `mismatch`, `too_large`, `unreadable`, `no_scope`. */
  readonly code: string;

  constructor(message: string, code = "malformed", facts: Facts = {}) {
    super(message, facts);
    this.code = code;
  }
}
