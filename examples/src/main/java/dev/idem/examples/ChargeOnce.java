package dev.idem.examples;

import dev.idem.Idem;
import dev.idem.Outcome;
import dev.idem.examples.Bank.Receipt;
import java.nio.file.Path;
import java.util.Map;

/** The five lines: a customer is charged once, however often the agent asks for it. */
public final class ChargeOnce {
    private final Idem idem;
    private final Bank bank;

    public ChargeOnce(Idem idem, Bank bank) {
        this.idem = idem;
        this.bank = bank;
    }

    /** Charges a customer once within a task. */
    public Outcome.Valued<Receipt> charge(String task, String customer, long cents) {
        return (Outcome.Valued<Receipt>) idem.operation("charge")
                .scope(task)
                .identity(Map.of("customer", customer, "cents", cents))
                .label("customer", customer)
                .returning(Receipt.class)
                .attempt(call -> bank.charge(call.key(), cents));
    }

    /** Arguments: the folder for the ledger and the bank. Run it twice: the bank is asked once. */
    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        try (Idem idem = Idem.open("sqlite:" + folder.resolve("idem.db"))) {
            var once = new ChargeOnce(idem, new Bank(folder.resolve("charges")));
            var out = once.charge("order-flow-abc123", "cus_1", 4200);
            System.out.println(out.value() + ", " + out.effect().word() + ": " + out.message());
        }
    }
}
