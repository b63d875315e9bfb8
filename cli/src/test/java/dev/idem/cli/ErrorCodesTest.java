package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Codes of errors and warnings were words like in_doubt; the public specification wants IN_DOUBT. */
class ErrorCodesTest {
    private static final Pattern GIVEN =
            Pattern.compile("(?:Answer\\.no\\([^,]+,|BadArguments\\.answer\\(|\\bwarn\\(|new ScoreRefused\\()"
                    + "\\s*(?:[\\w.()]+ \\? \"(\\w+)\" : )?\"(\\w+)\"");

    @Test
    void everyCodeInTheSourcesIsInCapitals() throws IOException {
        Set<String> codes = new TreeSet<>();
        for (String module : new String[] {"../cli", "../cli-kit", "../command"}) {
            try (Stream<Path> files = Files.walk(Path.of(module, "src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(file -> collect(file, codes));
            }
        }
        assertThat(codes).hasSizeGreaterThan(30).allMatch(code -> code.matches("[A-Z][A-Z0-9_]+"));
    }

    private static void collect(Path file, Set<String> codes) {
        try {
            Matcher matcher = GIVEN.matcher(Files.readString(file));
            while (matcher.find()) {
                if (matcher.group(1) != null) {
                    codes.add(matcher.group(1));
                }
                codes.add(matcher.group(2));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
