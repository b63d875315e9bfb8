package dev.idem.benchmarks;

import dev.idem.internal.codec.Codecs;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** How much smaller results are stored when they are compressed, for the JSON that tools typically give. */
final class GzipSavings implements Scenario {
    private static final Codecs PLAIN = new Codecs(List.of(), Integer.MAX_VALUE, Integer.MAX_VALUE);
    private static final Codecs GZIP = new Codecs(List.of(), 0, Integer.MAX_VALUE);

    @Override
    public String name() {
        return "gzip";
    }

    @Override
    public List<Row> run(Effort effort) {
        List<Row> rows = new ArrayList<>();
        typical().forEach((what, value) -> {
            int plain = size(PLAIN, value);
            int gzip = size(GZIP, value);
            String saved = Units.format("%.0f %% saved", 100.0 * (plain - gzip) / plain);
            rows.add(Row.withoutPromise("gzip, " + what, gzip + " bytes", plain + " bytes", saved));
        });
        return rows;
    }

    private static int size(Codecs codecs, Object value) {
        Payload payload = ((Result.Stored) codecs.encode(value, Object.class)).payload();
        return payload.bytes().length;
    }

    /** Names repeat, ids, amounts and words do not: the words are drawn at random, as real texts repeat less. */
    private static Map<String, Object> typical() {
        Random random = new Random(7);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("a receipt", receipt(random));
        all.put(
                "20 search hits",
                IntStream.range(0, 20).mapToObj(i -> hit(random)).toList());
        all.put(
                "50 rows of a table",
                IntStream.range(0, 50).mapToObj(i -> receipt(random)).toList());
        all.put(
                "500 rows of a table",
                IntStream.range(0, 500).mapToObj(i -> receipt(random)).toList());
        all.put("an answer of 800 words", Map.of("role", "assistant", "content", words(random, 800)));
        return all;
    }

    private static Map<String, Object> receipt(Random random) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("id", "ch_" + Long.toString(random.nextLong() >>> 1, 36));
        row.put("object", "charge");
        row.put("amount", 100 + random.nextInt(100_000));
        row.put("currency", random.nextInt(4) == 0 ? "eur" : "usd");
        row.put("customer", "cus_" + Long.toString(random.nextLong() >>> 1, 36));
        row.put("created", 1_770_000_000 + random.nextInt(30_000_000));
        row.put("paid", random.nextInt(10) > 0);
        row.put("status", random.nextInt(10) > 0 ? "succeeded" : "failed");
        row.put("description", words(random, 6));
        return row;
    }

    private static Map<String, Object> hit(Random random) {
        Map<String, Object> hit = new LinkedHashMap<>();
        hit.put("title", words(random, 7));
        hit.put("url", "https://example.com/" + words(random, 3).replace(' ', '-'));
        hit.put("score", random.nextDouble());
        hit.put("snippet", words(random, 40));
        return hit;
    }

    private static String words(Random random, int number) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < number; i++) {
            text.append(i == 0 ? "" : " ").append(WORDS[(int) (WORDS.length * Math.pow(random.nextDouble(), 2))]);
        }
        return text.toString();
    }

    private static final String[] WORDS =
            ("the of and to in is that for it with as was on be by this have from or had not "
                            + "are but at which an they you were her all she there would their we him been has when who will more "
                            + "order customer payment refund invoice shipping address account balance request response error retry "
                            + "search result document article section paragraph summary report weather travel hotel flight train "
                            + "market price stock volume product catalog category review rating color size weight material origin "
                            + "engine battery screen memory storage network protocol server client session token cursor index page "
                            + "history science nature health garden kitchen recipe music painting theatre language grammar letter")
                    .split(" ");
}
