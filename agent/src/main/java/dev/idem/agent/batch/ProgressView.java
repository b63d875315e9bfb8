package dev.idem.agent.batch;

import java.time.Duration;

/** Shows how far a run has come. It is called from one thread; what it throws is logged and harms nothing. */
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
