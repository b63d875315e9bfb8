package dev.idem.jsonl;

import dev.idem.LedgerUnavailableException;
import java.nio.file.Path;

/** The program of the children in the multi-process tests. */
final class ChildMain {
    private ChildMain() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "hold" -> hold(file);
            case "try" -> tryToOpen(file);
            case "endless" -> completeWithoutEnd(file);
            case "full" -> fill(file);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Opens the ledger, says so, and keeps it open until it is told to close it. */
    private static void hold(Path file) throws Exception {
        try (TestLedger ledger = Fixtures.open(file)) {
            Fixtures.complete(ledger, "held");
            System.out.println("open " + ProcessHandle.current().pid());
            System.in.read();
        }
        System.out.println("closed");
    }

    /** Says what becomes of an opening. */
    private static void tryToOpen(Path file) {
        try (TestLedger ledger = Fixtures.open(file)) {
            System.out.println("opened " + ledger.describe());
        } catch (LedgerUnavailableException e) {
            System.out.println(e.getMessage());
        }
    }

    /** Completes one key after another and says each that was answered. */
    private static void completeWithoutEnd(Path file) {
        try (TestLedger ledger = Fixtures.open(JsonlOptions.at(file).withCompactFrom(30_000))) {
            for (int i = 0; ; i++) {
                Fixtures.complete(ledger, "k" + i);
                System.out.println("k" + i);
            }
        }
    }

    /** Completes one key after another until the file can't grow, and says how many there are then. */
    private static void fill(Path file) {
        try (TestLedger ledger = Fixtures.open(file)) {
            int done = 0;
            try {
                for (; ; done++) {
                    Fixtures.complete(ledger, "k" + done);
                }
            } catch (LedgerUnavailableException e) {
                System.out.println(e.getMessage());
            }
            for (int i = 0; i < done; i++) {
                if (ledger.find(Fixtures.address("k" + i)).isEmpty()) {
                    System.out.println("lost k" + i);
                }
            }
            System.out.println(done);
        }
    }
}
