package dev.idem.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Simulates a payment provider: a file with one line for each charge. It never refuses a second charge with the same
 * reference, but a probe can ask it for the first.
 */
public final class Bank {
    private final Path charges;

    public Bank(Path charges) {
        this.charges = charges;
    }

    /** The answer of the bank. */
    public record Receipt(String id, long cents) {}

    /** Charges, at every call. */
    public Receipt charge(String reference, long cents) {
        try {
            int number = lines().size() + 1;
            Files.writeString(
                    charges,
                    reference + " " + number + " " + cents + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            return new Receipt("ch_" + number, cents);
        } catch (IOException e) {
            throw new UncheckedIOException("the bank can't write " + charges, e);
        }
    }

    /** The receipt of the charge with this reference, if there was one. */
    public Optional<Receipt> find(String reference) {
        return lines().stream()
                .map(line -> line.split(" ", -1))
                .filter(words -> words[0].equals(reference))
                .map(words -> new Receipt("ch_" + words[1], Long.parseLong(words[2])))
                .findFirst();
    }

    /** The number of charges. */
    public int count() {
        return lines().size();
    }

    private List<String> lines() {
        try {
            return Files.exists(charges) ? Files.readAllLines(charges) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("the bank can't read " + charges, e);
        }
    }
}
