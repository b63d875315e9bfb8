package dev.idem.agent.batch;

import dev.idem.Policy;

/** The settings of a batch. Written only while a copy is made. */
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
