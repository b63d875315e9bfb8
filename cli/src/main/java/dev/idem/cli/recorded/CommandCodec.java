package dev.idem.cli.recorded;

import dev.idem.Codec;
import dev.idem.Json;
import dev.idem.spi.Payload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results of commands as JSON: {@code {"exit_code":0,"stdout":"...","stderr":"..."}}. Streams that are not UTF-8 text
 * are in {@code stdout_base64} and {@code stderr_base64} instead. For output that is too large or was lost, only the
 * size is kept, in {@code output_bytes}. {@code folder} is where the command ran.
 */
public final class CommandCodec implements Codec {
    public static final String NAME = "command";

    private static final String AROUND = "it could not be serialised: ";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean handles(Type type) {
        return type == CommandResult.class;
    }

    @Override
    public Payload encode(Object value, Type type) throws IOException {
        CommandResult result = (CommandResult) value;
        Recorded output = result.output();
        if (!output.whole()) {
            var small = new ByteArrayOutputStream(64);
            append(small, "{\"exit_code\":" + result.exitCode() + ",\"output_bytes\":" + output.total());
            return ended(small, result);
        }
        // Written as bytes without strings, because memory may be short.
        var out = new ByteArrayOutputStream(64 + (int) output.total());
        append(out, "{\"exit_code\":" + result.exitCode());
        stream(out, "stdout", output.stdout());
        stream(out, "stderr", output.stderr());
        append(out, result.resolved() ? ",\"resolved\":true" : "");
        return ended(out, result);
    }

    private static Payload ended(ByteArrayOutputStream out, CommandResult result) {
        if (result.folder() != null) {
            stream(out, "folder", result.folder().getBytes(StandardCharsets.UTF_8));
        }
        out.write('}');
        return Payload.of(out.toByteArray(), "application/json", NAME);
    }

    private static void stream(ByteArrayOutputStream out, String name, byte[] bytes) {
        if (Text.isUtf8(bytes)) {
            append(out, ",\"" + name + "\":\"");
            escape(out, bytes);
        } else {
            append(out, ",\"" + name + "_base64\":\"");
            out.writeBytes(Base64.getEncoder().encode(bytes));
        }
        out.write('"');
    }

    /** In UTF-8 every byte below 128 is a whole character, so text can be escaped byte by byte. */
    private static void escape(ByteArrayOutputStream out, byte[] utf8) {
        int written = 0;
        for (int i = 0; i < utf8.length; i++) {
            byte b = utf8[i];
            if (b < 0 || (b >= ' ' && b != '"' && b != '\\')) {
                continue;
            }
            out.write(utf8, written, i - written);
            written = i + 1;
            if (b == '\n') {
                append(out, "\\n");
            } else if (b >= ' ') {
                out.write('\\');
                out.write(b);
            } else {
                append(out, "\\u00" + (b < 16 ? "0" : "") + Integer.toHexString(b));
            }
        }
        out.write(utf8, written, utf8.length - written);
    }

    private static void append(ByteArrayOutputStream out, String ascii) {
        out.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public Object decode(Payload payload, Type type) throws IOException {
        if (!(Json.parse(payload.bytes()) instanceof Map<?, ?> fields)
                || !(fields.get("exit_code") instanceof Long exitCode)) {
            throw new IOException("it is no recorded command");
        }
        Recorded output = fields.get("output_bytes") instanceof Long total
                ? Recorded.notKept(total)
                : Recorded.of(stream(fields, "stdout"), stream(fields, "stderr"));
        return new CommandResult(
                exitCode.intValue(),
                output,
                Boolean.TRUE.equals(fields.get("resolved")),
                fields.get("folder") instanceof String folder ? folder : null);
    }

    private static byte[] stream(Map<?, ?> fields, String name) throws IOException {
        @Nullable Object text = fields.get(name);
        @Nullable Object base64 = fields.get(name + "_base64");
        if (text instanceof String string) {
            return string.getBytes(StandardCharsets.UTF_8);
        } else if (base64 instanceof String string) {
            return Base64.getDecoder().decode(string);
        }
        throw new IOException("the recorded command has no " + name);
    }

    /** The reason of this codec for a missing result, without the text around it. */
    public static String reason(String why) {
        return why.replace(AROUND, "");
    }
}
