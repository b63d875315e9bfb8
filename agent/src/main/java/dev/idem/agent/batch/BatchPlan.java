package dev.idem.agent.batch;

/** What is declared about a run as a whole. Written only while a copy is being made. */
final class BatchPlan implements Cloneable {
    final String job;
    int concurrency = 8;
    long mostTroubles = Long.MAX_VALUE;
    ProgressView view = ProgressView.NONE;
    /** Whether an ambiguous failure may simply be tried again. */
    boolean safe;

    BatchPlan(String job) {
        this.job = job;
    }

    BatchPlan copy() {
        try {
            return (BatchPlan) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
