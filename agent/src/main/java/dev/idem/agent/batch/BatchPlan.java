package dev.idem.agent.batch;

import dev.idem.Policy;

/** What is declared about a run as a whole. Written only while a copy is being made. */
final class BatchPlan implements Cloneable {
    final String job;
    int concurrency = 8;
    long mostTroubles = Long.MAX_VALUE;
    ProgressView view = ProgressView.NONE;
    Policy policy = Policy.unset();

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
