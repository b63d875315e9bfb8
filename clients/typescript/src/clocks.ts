/** The two clocks of this process, in milliseconds. The monotonic one may stop while the machine sleeps. */
export interface Clocks {
  monotonic(): number;
  wall(): number;
}

export const systemClocks: Clocks = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
};

/** A moment on both clocks, of which the earlier one counts. */
export class Moment {
  private constructor(
    private readonly clocks: Clocks,
    private readonly monotonic: number,
    private readonly wall: number,
  ) {}

  static now(clocks: Clocks): Moment {
    return new Moment(clocks, clocks.monotonic(), clocks.wall());
  }

  plus(millis: number): Moment {
    return new Moment(this.clocks, this.monotonic + millis, this.wall + millis);
  }

  /** The time until this moment; 0 if it is over on one of the clocks. */
  leftMs(): number {
    const left = Math.min(this.monotonic - this.clocks.monotonic(), this.wall - this.clocks.wall());
    return Math.max(0, Math.floor(left));
  }

  isOver(): boolean {
    return this.leftMs() === 0;
  }
}

/** Waits; an aborted signal ends the wait early. A pause that is not `kept` lets the process end meanwhile. */
export function pause(millis: number, signal?: AbortSignal, kept = true): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, millis);
    if (!kept) {
      timer.unref();
    }
    signal?.addEventListener("abort", done);
    if (signal?.aborted) {
      done();
    }
  });
}
