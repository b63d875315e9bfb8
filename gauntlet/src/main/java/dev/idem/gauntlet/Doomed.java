package dev.idem.gauntlet;

import java.nio.file.Path;

/** The process that is killed between its effect and its record. */
final class Doomed {
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
