package dev.idem.cli.demo;

import dev.idem.cli.demo.DemoEvent.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One run of the task: the agent is started, killed before its last step, and started again. */
final class Play {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 50;

    private final Side side;
    private final Path folder;
    private final Show show;
    private final BlockingQueue<DemoEvent> events = new LinkedBlockingQueue<>();

    Play(Side side, Path folder, Show show) {
        this.side = side;
        this.folder = folder;
        this.show = show;
    }

    /** Runs the task and returns the final counts of the services. */
    Counted run(Duration pace, String ledger, String task) throws IOException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        show.heading(side);
        try (DemoWorld world = new DemoWorld(pace, events::add)) {
            List<String> words = side == Side.WITHOUT
                    ? List.of(Agent.BARE, world.url())
                    : List.of("guarded", world.url(), ledger, task);
            Counted before;
            try (AgentProcess agent = AgentProcess.start(folder, words)) {
                before = follow(agent, Kind.HELD).counted();
                agent.kill();
                show.step(
                        side,
                        "kill -9",
                        "the agent, process " + agent.process().pid() + ", waiting for the model",
                        before);
            }
            world.release();
            try (AgentProcess agent = AgentProcess.start(folder, words)) {
                show.step(
                        side,
                        "restart",
                        "the same task, process " + agent.process().pid(),
                        before);
                Counted counted = follow(agent, Kind.DONE).counted();
                int exit = agent.process().waitFor();
                if (exit != 0) {
                    throw failed(agent, "ended with exit " + exit);
                }
                return counted;
            }
        }
    }

    /** Shows events up to one of this kind. */
    private DemoEvent follow(AgentProcess agent, Kind until) throws IOException, InterruptedException {
        long from = System.nanoTime();
        while (System.nanoTime() - from < PATIENCE.toNanos()) {
            boolean alive = agent.alive();
            DemoEvent event = events.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (event == null && !alive) {
                throw failed(agent, "ended too early");
            } else if (event != null && event.kind() == until) {
                return event;
            } else if (event != null) {
                show.step(side, event.step(), event.words(), event.counted());
            }
        }
        throw failed(agent, "did not end within " + PATIENCE.toSeconds() + " s");
    }

    private IllegalStateException failed(AgentProcess agent, String how) throws IOException {
        String said = agent.said();
        return new IllegalStateException("the agent " + side.title + " " + how + (said.isEmpty() ? "" : ": " + said));
    }
}
