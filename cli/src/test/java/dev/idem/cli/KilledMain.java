package dev.idem.cli;

import dev.idem.spi.Ledger;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.LockSupport;

/** {@code idem}, but killed like by {@code kill -9} when it comes to the point that {@code kill.at} names, after {@code kill.after} times. */
final class KilledMain {
    private KilledMain() {}

    public static void main(String[] args) {
        Point point = Point.valueOf(System.getProperty("kill.at"));
        System.exit(Main.run(args, ledger -> killing(ledger, point, Integer.getInteger("kill.after", 0))));
    }

    private static Ledger killing(Ledger ledger, Point point, int after) {
        FaultyLedger faulty = new FaultyLedger(ledger);
        for (int i = 0; i < after; i++) {
            faulty.at(point, () -> {});
        }
        return faulty.at(point, () -> {
            try {
                new ProcessBuilder(
                                "kill",
                                "-s",
                                "KILL",
                                Long.toString(ProcessHandle.current().pid()))
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            while (true) {
                LockSupport.park();
            }
        });
    }
}
