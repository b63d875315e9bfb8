package dev.idem.gauntlet;

import dev.idem.lab.TempFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Runs every scenario on a contender, each on a new store. */
final class Judge {
    private final Servers servers;
    private final Path parent;
    private final Pace pace;

    Judge(Servers servers, Path parent, Pace pace) {
        this.servers = servers;
        this.parent = parent;
        this.pace = pace;
    }

    static List<RightScenario> scenarios() {
        return List.of(
                new SixteenAtOnce(),
                new WhileItRuns(),
                new OtherPayload(),
                new TakenOver(),
                new ThrowsAfterTheEffect(),
                new ThrowsBeforeTheEffect(),
                new CrashAfterTheEffect(),
                new Nested(),
                new NullResult(),
                new FieldOrder(),
                new TwoOperations());
    }

    Verdict judge(Field.Entry entry, RightScenario scenario) throws Exception {
        try (TempFolder folder = new TempFolder(parent);
                Arena arena = new Arena(entry.entrant(), folder.path(), pace, servers)) {
            if (!arena.contender().offers().containsAll(scenario.needs())) {
                return Verdict.notOffered();
            }
            return scenario.put(arena);
        } catch (TimeoutException e) {
            return Verdict.of(false, "stuck for " + Arena.PATIENCE_SECONDS + " s");
        } catch (ExecutionException | RuntimeException e) {
            return new Verdict(Verdict.Grade.NOT_JUDGED, "not judged: " + e);
        }
    }
}
