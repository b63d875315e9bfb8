package dev.idem.cli.entry;

import dev.idem.Entry;
import dev.idem.cli.recorded.CommandCodec;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.Recorded;
import dev.idem.cli.recorded.Results;
import dev.idem.cli.recorded.Text;
import dev.idem.cli.syntax.Options;
import dev.idem.command.Answer;
import dev.idem.command.Printable;
import dev.idem.internal.codec.Codecs;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The recorded result of an entry, for {@code idem show --result}. */
final class ShownResult {
    private ShownResult() {}

    /** Adds the result to the fields and to the text; warns where there is none that can be shown. */
    static Answer added(Answer answer, Entry entry) {
        Result result = entry.result();
        Optional<String> keyId = result == null ? Optional.empty() : SealedLedger.keyIdOf(entry);
        if (keyId.isPresent()) {
            return answer.warn(
                    "SEALED", "the result is sealed with key '" + keyId.get() + "'; give " + Options.SEAL_KEYS.name());
        }
        if (!(result instanceof Result.Stored stored)) {
            return answer.warn(
                    "NO_RESULT", result == null ? "it has no result" : "its result can't be shown: see 'result'");
        }
        CommandResult command = command(stored.payload());
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder(answer.text());
        if (command == null) {
            Results.add(fields, stored);
            text.append('\n').append(shown(Results.plain(stored.payload())));
        } else {
            EntryFields.addResult(fields, command);
            Recorded output = command.output();
            if (output.whole()) {
                text.append("\nstdout:\n").append(shown(output.stdout()));
                text.append("\nstderr:\n").append(shown(output.stderr()));
            }
        }
        fields.forEach(answer::with);
        return answer.text(text.toString());
    }

    /** Text for a terminal, which must not obey what a command once wrote. */
    private static String shown(byte[] bytes) {
        String text = Text.orNull(bytes);
        if (text == null) {
            return "(" + bytes.length + " bytes that are no text; --json gives them in base64)\n";
        }
        return Printable.text(text.isEmpty() || text.endsWith("\n") ? text : text + "\n");
    }

    @SuppressWarnings("CatchingUnchecked") // a damaged recording is shown as the bytes that it is
    private static @Nullable CommandResult command(Payload payload) {
        if (!payload.codec().equals(CommandCodec.NAME)) {
            return null;
        }
        try {
            Object value = new Codecs(List.of(new CommandCodec()), Integer.MAX_VALUE, Integer.MAX_VALUE)
                    .decode(payload, CommandResult.class);
            return value instanceof CommandResult command ? command : null;
        } catch (Exception e) {
            return null;
        }
    }
}
