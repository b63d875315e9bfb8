package dev.idem.gauntlet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A process is killed between its effect and its record; another one tries again. */
final class CrashAfterTheEffect implements RightScenario {
    @Override
    public String name() {
        return "crash after the effect";
    }

    @Override
    public Set<Contender.Offer> needs() {
        return Set.of(Contender.Offer.DURABLE);
    }

    @Override
    public Verdict put(Arena arena) throws Exception {
        Path effects = arena.folder().resolve("effects");
        Path folder = Files.createDirectory(arena.folder().resolve("crash"));
        killAfterTheEffect(arena.contender().title(), folder, effects, arena.servers());
        try (Contender contender = arena.entrant().enter(folder)) {
            Answer again = contender.call("charge", "k", Arena.PAYLOAD, () -> have(effects));
            long count = Files.readAllLines(effects).size();
            return Verdict.of(
                    count == 1 && again.isRefused(),
                    count + (count == 1 ? " effect" : " effects") + ", retry: " + again);
        }
    }

    /** The child's part: makes the effect, then waits to be killed. */
    static void haveEffectAndWait(Contender contender, Path effects) {
        contender.call("charge", "k", Arena.PAYLOAD, () -> {
            have(effects);
            Arena.take(TimeUnit.SECONDS.toMillis(Arena.PATIENCE_SECONDS));
            return "never recorded";
        });
    }

    private static String have(Path effects) {
        try {
            Files.writeString(effects, "effect\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return "done";
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void killAfterTheEffect(String title, Path folder, Path effects, Servers servers) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(servers.forChild());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Doomed.class.getName()));
        command.addAll(List.of(title, folder.toString(), effects.toString()));
        Process child = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Arena.PATIENCE_SECONDS);
            while (!(Files.exists(effects) && Files.size(effects) > 0)) {
                if (!child.isAlive() || System.nanoTime() - end > 0) {
                    throw new IllegalStateException("the child of " + title + " had no effect");
                }
                Arena.take(10);
            }
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    /** The process that is killed between its effect and its record. */
    static final class Doomed {
        private Doomed() {}

        public static void main(String[] args) throws Exception {
            Path folder = Path.of(args[1]);
            try (Servers servers = new Servers(folder);
                    Contender contender =
                            new Field(servers).titled(args[0]).entrant().enter(folder)) {
                CrashAfterTheEffect.haveEffectAndWait(contender, Path.of(args[2]));
            }
        }
    }
}
