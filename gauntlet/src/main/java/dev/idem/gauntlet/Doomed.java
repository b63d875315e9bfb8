package dev.idem.gauntlet;

import java.nio.file.Path;

/** The process that is killed between its effect and its record. */
final class Doomed {
    private Doomed() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[1]);
        for (Field.Entry entry : Field.all()) {
            if (entry.title().equals(args[0])) {
                try (Contender contender = entry.entrant().enter(folder)) {
                    CrashAfterTheEffect.haveEffectAndWait(contender, Path.of(args[2]));
                }
            }
        }
    }
}
