package dev.idem.torture.driver;

import dev.idem.lab.Proxy;
import dev.idem.torture.subject.Deed;
import dev.idem.torture.subject.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** Injects one fault after another into the workers and their ledger. */
final class Mischief {
    private final Random random;
    private final Fleet fleet;
    private final Subject subject;
    private final List<Deed> deeds;
    private final Consumer<String> note;
    private final Map<Deed, Integer> done = new EnumMap<>(Deed.class);

    Mischief(long seed, Fleet fleet, Subject subject, Set<Deed> deeds, Consumer<String> note) {
        this.random = new Random(seed);
        this.fleet = fleet;
        this.subject = subject;
        this.deeds = List.copyOf(deeds);
        this.note = note;
    }

    Map<Deed, Integer> done() {
        return done;
    }

    /** Waits, then injects a fault, which has ended when this returns. */
    void next() throws IOException, InterruptedException {
        pause(200, 1_000);
        if (deeds.isEmpty()) {
            return;
        }
        Deed deed = deeds.get(random.nextInt(deeds.size()));
        note.accept(deed.word());
        done.merge(deed, 1, Integer::sum);
        WorkerProcess worker = fleet.any(random);
        switch (deed) {
            case KILL -> worker.kill();
            case STOP -> stop(worker);
            case CLOCK -> worker.say("step " + Duration.ofMinutes(random.nextInt(-120, 121)));
            case FULL -> full(worker);
            case RESTART -> subject.restart();
            case CUT -> proxy().cut();
            case DELAY -> delay();
            case SWALLOW -> swallow();
            case FAILOVER -> subject.failOver(Duration.ofMillis(random.nextInt(1_500)), random.nextBoolean());
            case JUMP -> jump();
        }
    }

    private void stop(WorkerProcess worker) throws IOException, InterruptedException {
        worker.stop();
        pause(300, 2_500);
        worker.goOn();
        note.accept("go on");
    }

    private void full(WorkerProcess worker) throws IOException, InterruptedException {
        long room = subject.largestFile() + random.nextInt(8, 128) * 1024L;
        WorkerProcess cramped = fleet.replace(worker, room);
        pause(1_500, 3_500);
        cramped.kill();
        note.accept("room again");
    }

    private void delay() throws InterruptedException {
        proxy().delay(Duration.ofMillis(random.nextInt(5, 400)));
        pause(300, 1_500);
        proxy().delay(Duration.ZERO);
    }

    private void swallow() throws InterruptedException {
        proxy().swallow(true);
        pause(50, 1_500);
        proxy().swallow(false);
        note.accept("answers again");
    }

    /** Less than the hour for which Redis keeps the fence of an entry that is gone. */
    private void jump() {
        Duration offset = Duration.ofSeconds(random.nextInt(-1_500, 1_501));
        subject.jump(offset);
        note.accept("the server's clock is " + offset + " off");
    }

    private Proxy proxy() {
        return subject.proxy().orElseThrow();
    }

    private void pause(int from, int to) throws InterruptedException {
        Thread.sleep(random.nextInt(from, to));
    }
}
