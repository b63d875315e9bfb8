package dev.idem.cli.syntax;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Ages on the command line: a duration such as {@code 2h}, a day such as {@code 2026-11-15}, or a time of a day. Days
 * and times without a zone are local.
 */
public final class Ages {
    private Ages() {}

    /** The age an option asks for; null when the option is not given. */
    public static @Nullable Duration of(Arguments arguments, Option option, Instant now) {
        if (!arguments.flag(option)) {
            return null;
        }
        String text = arguments.value(option);
        if (!text.matches("[0-9]{4}-.*")) {
            return Durations.positive(arguments, option);
        }
        Duration age = Duration.between(moment(text.strip(), arguments.source(option)), now);
        if (age.isNegative()) {
            throw new UsageException(arguments.source(option) + ": '" + text + "' is in the future");
        }
        return age.compareTo(Durations.LONGEST) > 0 ? Durations.LONGEST : age;
    }

    /** A day or a time of a day. */
    public static Instant moment(String text, String source) {
        String iso = text.replaceFirst(" +", "T");
        try {
            if (iso.matches(".*T.*(Z|[+-][0-9:]+)")) {
                return OffsetDateTime.parse(iso).toInstant();
            }
            LocalDateTime local = iso.contains("T")
                    ? LocalDateTime.parse(iso)
                    : LocalDate.parse(iso).atStartOfDay();
            return local.atZone(ZoneId.systemDefault()).toInstant();
        } catch (DateTimeException e) {
            throw new UsageException(source + ": '" + text
                    + "' is no time; write how long ago, as in 2h or 7d, or a date: 2026-11-15, 2026-11-15T09:30,"
                    + " 2026-11-15T09:30Z");
        }
    }
}
