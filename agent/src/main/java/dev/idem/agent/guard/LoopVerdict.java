package dev.idem.agent.guard;

/** Whether a call may run: {@link AllowedCall} or {@link StoppedCall}. */
public sealed interface LoopVerdict permits AllowedCall, StoppedCall {}
