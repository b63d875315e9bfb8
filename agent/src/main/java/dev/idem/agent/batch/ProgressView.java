package dev.idem.agent.batch;

import java.time.Duration;

/** Shows the progress of a run. It is called from one thread; its exceptions are logged. */
public interface ProgressView {
    /** Shows nothing. */
    ProgressView NONE = new ProgressView() {
        @Override
        public Duration every() {
            return Duration.ofHours(1);
        }

        @Override
        public void show(Progress progress) {}

        @Override
        public void end(Progress progress) {}
    };

    /** How often it wants to be called. */
    Duration every();

    /** The run goes on. */
    void show(Progress progress);

    /** The run has ended. */
    void end(Progress progress);
}
