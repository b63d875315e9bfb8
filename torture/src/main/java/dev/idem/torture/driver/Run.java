package dev.idem.torture.driver;

import dev.idem.IdemException;
import dev.idem.torture.Options;
import dev.idem.torture.Verdict;
import dev.idem.torture.check.Checker;
import dev.idem.torture.check.Kept;
import dev.idem.torture.check.Rule;
import dev.idem.torture.check.Violation;
import dev.idem.torture.subject.Deed;
import dev.idem.torture.subject.Subject;
import dev.idem.torture.subject.Subjects;
import dev.idem.torture.worker.Orders;
import dev.idem.torture.world.World;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run: random calls from many processes, while processes, servers and networks fail. */
public final class Run implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LAPSE = Duration.ofSeconds(20);
    private static final int THREADS = 24;

    private final Options options;
    private final Consumer<? super String> out;
    private final Path folder;
    private final Path evidence;
    private final Checker checker = new Checker();
    private final Thread hook = new Thread(this::cleanUp, "clean-up");
    private long start;
    private volatile @Nullable Subject subject;
    private volatile @Nullable World world;
    private volatile @Nullable Fleet fleet;

    /** A run that has not begun. */
    public Run(Options options, Consumer<? super String> out) throws IOException {
        this.options = options;
        this.out = out;
        Files.createDirectories(options.folder());
        String name = options.ledger() + (options.broken().isEmpty() ? "" : "-" + options.broken());
        this.folder = Files.createTempDirectory(options.folder().toAbsolutePath(), name + "-");
        this.evidence = folder.resolveSibling("evidence-" + name + "-" + options.seed());
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Runs to its end, or to the first violation. */
    public Verdict toTheEnd() throws IOException, InterruptedException {
        Subject tortured = Subjects.start(options.ledger(), folder, options.deeds());
        subject = tortured;
        Rows.make(tortured.plainUrl());
        World outside = new World(folder.resolve(Evidence.LOG), checker);
        world = outside;
        Fleet workers = new Fleet(folder, tortured.jvmOptions(), this::orders);
        fleet = workers;
        Set<Deed> deeds = EnumSet.copyOf(tortured.deeds());
        deeds.retainAll(options.deeds());
        out.accept("torture of " + options.ledger() + ", seed " + options.seed() + ", " + options.duration() + ", "
                + tortured.processes() + " processes, " + (options.seed() % 2 == 0 ? "" : "sealed, ") + "deeds " + deeds
                + (options.broken().isEmpty() ? "" : ", broken: " + options.broken()));
        Mischief mischief = new Mischief(options.seed(), workers, tortured, deeds, outside::note);
        start = System.nanoTime();
        workers.start(tortured.processes());
        breakThings(mischief);
        settle();
        Map<String, Kept> kept = lastLook(tortured);
        Map<String, Integer> counts = new TreeMap<>(outside.counts());
        mischief.done().forEach((deed, times) -> counts.put(deed.word(), times));
        kept.values().forEach(each -> counts.merge("ends " + each.state(), 1, Integer::sum));
        outside.close();
        if (!checker.violations().isEmpty()) {
            Evidence.keep(folder, evidence, kept.values());
        }
        return new Verdict(checker.violations(), counts, evidence);
    }

    private Orders orders(int number) {
        int processes = subject().processes();
        return new Orders(
                subject().url(),
                world().port(),
                "w" + number,
                options.seed(),
                start,
                options.kinds(),
                processes == 1 ? 3 : 2,
                THREADS / processes,
                options.broken());
    }

    private void breakThings(Mischief mischief) throws IOException, InterruptedException {
        long end = start + options.duration().toNanos();
        long nextLine = start;
        while (System.nanoTime() - end < 0 && world().look(Checker::violations).isEmpty()) {
            mischief.next();
            fleet().revive();
            if (System.nanoTime() - nextLine >= 0) {
                nextLine += Duration.ofSeconds(5).toNanos();
                progress(mischief);
            }
        }
    }

    private void progress(Mischief mischief) {
        Map<String, Integer> counts = world().counts();
        out.accept(String.format(
                "%4d s  %d calls, %d runs, %d effects, %d in doubt, deeds %s",
                (System.nanoTime() - start) / 1_000_000_000L,
                counts.getOrDefault("Answered", 0),
                counts.getOrDefault("Began", 0),
                counts.getOrDefault("Effect", 0),
                counts.getOrDefault("IN_DOUBT", 0),
                mischief.done()));
    }

    /** Ends all faults, and lets the workers end by themselves. */
    private void settle() throws IOException, InterruptedException {
        world().note("stop");
        int late = fleet().stop(PATIENCE);
        fleet().close();
        if (late > 0) {
            checker.report(new Violation(Rule.EVERYTHING_ENDS, "-", late + " workers did not stop when told to"));
        }
    }

    private Map<String, Kept> lastLook(Subject tortured) throws InterruptedException {
        tortured.damage().ifPresent(damage -> surprised("it is damaged: " + damage));
        try {
            Map<String, Kept> kept = LastLook.at(tortured.plainUrl(), options.seed(), checker.keys(), LAPSE);
            checker.finish(key -> kept.getOrDefault(key, new Kept(key, Kept.State.ABSENT, 0, "")));
            return kept;
        } catch (IdemException e) {
            surprised("it can't be read in the end: " + e);
            return Map.of();
        }
    }

    private void surprised(String what) {
        checker.report(new Violation(Rule.NO_SURPRISES, "-", what));
    }

    private Subject subject() {
        return Objects.requireNonNull(subject);
    }

    private World world() {
        return Objects.requireNonNull(world);
    }

    private Fleet fleet() {
        return Objects.requireNonNull(fleet);
    }

    /** Ends all processes and removes all files; also when the program is interrupted. */
    @Override
    public void close() {
        cleanUp();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The hook already runs, for the same purpose.
        }
    }

    private synchronized void cleanUp() {
        quietly(fleet);
        quietly(world);
        quietly(subject);
        quietly(() -> removeAll(folder));
    }

    private static void quietly(@Nullable AutoCloseable step) {
        try {
            if (step != null) {
                step.close();
            }
        } catch (Exception e) {
            System.err.println("while cleaning up: " + e);
        }
    }

    private static void removeAll(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path each, @Nullable IOException e) throws IOException {
                Files.deleteIfExists(each);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
