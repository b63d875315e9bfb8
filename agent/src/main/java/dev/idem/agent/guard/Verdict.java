package dev.idem.agent.guard;

/** Whether a call may run: {@link Passage} or {@link Stopped}. */
public sealed interface Verdict permits Passage, Stopped {}
