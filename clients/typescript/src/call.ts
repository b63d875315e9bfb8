/** The attempt that an action runs in. */
export interface Call {
  /** The key of the entry; pass it to a remote that takes one. Of a read: the given key, or an empty text. */
  readonly key: string;
  readonly scope: string;
  readonly operation: string;
  readonly fence: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborted when the caller cancels, the time limit is over, or the ticket is lost. */
  readonly signal: AbortSignal;
  /** How long the action may still act. */
  readonly timeLeftMs: number;
  /** Leaves a durable mark before the effect of an action whose policy says `staged`. Do not act if it throws. */
  mark(name: string): Promise<void>;
  /** Says that the remote may still work on the request, so that a probe waits for the whole time limit. */
  remoteMayGoOn(): void;
}
