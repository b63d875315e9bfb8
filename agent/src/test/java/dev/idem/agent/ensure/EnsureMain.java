package dev.idem.agent.ensure;

import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a subscription unless it is there, in a process of its own: {@code EnsureMain LEDGER SUBSCRIPTIONS POINT}. At the
 * point that it is told it says so, and waits to be killed.
 */
final class EnsureMain {
    private EnsureMain() {}

    public static void main(String[] arguments) throws IOException {
        Path made = Path.of(arguments[1]);
        String point = arguments[2];
        try (Idem idem = Idem.builder().ledger(arguments[0]).quiet().open()) {
            Ensured<String> ensured = Ensure.of(idem, "create_subscription")
                    .identity(Map.of("customer", "cus_1", "plan", "pro"))
                    .returning(String.class)
                    .with(op -> op.policy(Policy.unset().timeLimit(Duration.ofSeconds(2))))
                    .unless(() -> {
                        reach("looking", point);
                        return Files.exists(made) ? Optional.of(Files.readString(made)) : Optional.empty();
                    })
                    .then(call -> {
                        reach("making", point);
                        Files.writeString(made, "sub_1\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                        reach("made", point);
                        return "sub_1\n";
                    });
            reach("ensured", point);
            System.out.println(ensured.reason());
        } catch (InDoubtException e) {
            System.out.println("in doubt");
        }
    }

    private static void reach(String reached, String point) throws IOException {
        if (point.equals(reached)) {
            System.out.println("at " + reached);
            System.in.read();
        }
    }
}
