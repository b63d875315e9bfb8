package dev.idem.internal.ledger;

import dev.idem.spi.DurationText;
import java.time.Duration;

/** An option of a ledger URL. */
public record UrlOption(String name, String value) {
    public boolean onOrOff() {
        return switch (value) {
            case "on", "true" -> true;
            case "off", "false" -> false;
            default -> throw new IllegalArgumentException(name + "=" + value + " is neither on nor off");
        };
    }

    public int count(int least, int most) {
        int number = value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : -1;
        if (number < least || number > most) {
            throw new IllegalArgumentException(name + "=" + value + " is not a number from " + least + " to " + most);
        }
        return number;
    }

    public Duration duration(Duration least, Duration most) {
        Duration duration = DurationText.parse(value)
                .orElseThrow(() -> new IllegalArgumentException(
                        name + "=" + value + " is no duration; write for instance 500ms, 10s or 2m"));
        if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + "=" + value + " is not between " + least.toMillis() + " ms and " + most);
        }
        return duration;
    }
}
