package dev.idem.server;

import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.internal.codec.Codecs;
import dev.idem.internal.json.Utf8;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;

/** Stored results in answers: JSON as it is stored, other media in base64. */
final class Results {
    private static final String JSON = "application/json";
    /** The codec of a text that a Java program returned: a text in every language. */
    private static final String TEXT = "text";

    private final int largest;

    /** Gives results of at most this many bytes. */
    Results(int largest) {
        this.largest = largest;
    }

    /** Adds the result of a complete entry, or the reason why there is none. It never means that the call may run again. */
    Answer add(Answer answer, Entry entry) {
        if (!(entry.result() instanceof Result.Stored stored)) {
            SealedLedger.requireUnsealed(entry);
            String why = entry.result() instanceof Result.Unavailable unavailable ? unavailable.why() : "it is gone";
            return answer.with("unavailable", why);
        }
        Payload payload;
        try {
            payload = Codecs.decompress(stored.payload());
        } catch (IOException e) {
            return answer.with("unavailable", "it can't be unpacked: " + e.getMessage());
        }
        byte[] bytes = payload.bytes();
        if (bytes.length > largest) {
            return answer.with(
                    "unavailable", "it has " + bytes.length + " bytes, and one answer holds at most " + largest);
        }
        String text = Utf8.textOrNull(bytes);
        if (text != null && payload.mediaType().equals(JSON)) {
            return answer.withResult(oneLine(text));
        } else if (text != null && payload.codec().equals(TEXT)) {
            return answer.withResult(Json.writePlain(text));
        }
        return answer.with(
                "result_bytes",
                Map.of(
                        "media", payload.mediaType(),
                        "codec", payload.codec(),
                        "base64", Base64.getEncoder().encodeToString(bytes)));
    }

    /** In JSON a line break stands only between values, where a space means the same. */
    private static String oneLine(String json) {
        return json.replace('\n', ' ').replace('\r', ' ');
    }
}
