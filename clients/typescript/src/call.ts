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
  /**
   * Says that nothing of this action acts any more at the remote, whatever it ends with, so that a probe may be asked after
   * the `probeGrace`. Nobody needs to say so of an error that a known HTTP client has made from a response. Every other one,
   * such as a time-out or an abort, tells nothing of the remote: the probe waits for the whole time limit.
   */
  remoteEnded(): void;
}
