package dev.idem.examples;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.examples.Bank.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * How an agent resumes. Every step of the order is guarded, so the order itself is safe to run again: the outer run
 * starts anew, the steps that were finished replay, and the rest is done.
 */
public final class ResumeAfterCrash {
    private final Idem idem;
    private final Path journal;
    private final Consumer<String> afterStep;

    /** {@code afterStep} gets the name of each finished step, and may end the process. */
    public ResumeAfterCrash(Idem idem, Path journal, Consumer<String> afterStep) {
        this.idem = idem;
        this.journal = journal;
        this.afterStep = afterStep;
    }

    /** Places an order, or goes on where an earlier try ended. */
    public Receipt place(String order, long cents) {
        return idem.operation("place_order")
                .key(order)
                .policy(Policy.unset().rerunOnDoubt())
                .returning(Receipt.class)
                .run(call -> {
                    step(order, "reserve");
                    Receipt receipt = idem.operation("charge")
                            .scope(order)
                            .key("charge")
                            .returning(Receipt.class)
                            .run(charge -> {
                                write("charge");
                                return new Receipt("ch_1", cents);
                            });
                    afterStep.accept("charge");
                    step(order, "send_mail");
                    return receipt;
                });
    }

    private void step(String order, String name) {
        idem.operation(name).scope(order).key(name).perform(call -> write(name));
        afterStep.accept(name);
    }

    /** The effect of a step: a line in a file. */
    private void write(String line) {
        try {
            Files.writeString(journal, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalStateException("can't write " + journal, e);
        }
    }

    /** Arguments: the folder for the ledger and the journal, and the step after which the process ends at once. */
    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        String last = args.length > 1 ? args[1] : "";
        try (Idem idem = Idem.open("sqlite:" + folder.resolve("idem.db"))) {
            var orders = new ResumeAfterCrash(idem, folder.resolve("journal"), step -> {
                if (step.equals(last)) {
                    Runtime.getRuntime().halt(1);
                }
            });
            System.out.println(orders.place("order-7", 4200));
        }
    }
}
