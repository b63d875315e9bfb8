package dev.idem.examples;

import dev.idem.Idem;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe.Verdict;
import dev.idem.examples.Bank.Receipt;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A charge whose process may end between the effect and its record. The bank can be asked, so no person is needed: the
 * next call probes, and either finds the charge or makes it.
 */
public final class ProbeAfterCrash {
    private final Idem idem;
    private final Bank bank;
    private final Runnable afterCharge;

    /** {@code afterCharge} runs between the charge and its record, and may end the process. */
    public ProbeAfterCrash(Idem idem, Bank bank, Runnable afterCharge) {
        this.idem = idem;
        this.bank = bank;
        this.afterCharge = afterCharge;
    }

    /** Charges once. The time limit is short: a probe is asked only when the earlier attempt can no longer act. */
    public Outcome.Valued<Receipt> charge(String reference, long cents) {
        return (Outcome.Valued<Receipt>) idem.operation("charge")
                .key(reference)
                .policy(Policy.unset().timeLimit(Duration.ofSeconds(1)))
                .returning(Receipt.class)
                .probe(doubted -> bank.find(doubted.address().key())
                        .map(Verdict::happened)
                        .orElseGet(Verdict::notExecuted))
                .attempt(call -> {
                    Receipt receipt = bank.charge(call.key(), cents);
                    afterCharge.run();
                    return receipt;
                });
    }

    /** Arguments: the folder for the ledger and the bank, and {@code halt} to end between charge and record. */
    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        boolean halt = args.length > 1 && args[1].equals("halt");
        try (Idem idem = Idem.open("sqlite:" + folder.resolve("idem.db"))) {
            Runnable afterCharge = halt ? () -> Runtime.getRuntime().halt(1) : () -> {};
            var out = new ProbeAfterCrash(idem, new Bank(folder.resolve("charges")), afterCharge).charge("req-1", 4200);
            System.out.println(out.value() + ": " + out.message());
        }
    }
}
