package dev.idem.agent.batch;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.Probe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A batch in a process of its own: {@code BatchMain LEDGER EFFECTS ITEMS probe|halt}. The effect of an item is its line
 * in the file of effects, written in one step past all buffers, so that it outlives a kill.
 */
final class BatchMain {
    private BatchMain() {}

    public static void main(String[] arguments) throws IOException {
        Path effects = Path.of(arguments[1]);
        List<Integer> items =
                IntStream.range(0, Integer.parseInt(arguments[2])).boxed().toList();
        // The work of earlier processes. They are dead, so it does not grow any more.
        Set<String> seen = Files.exists(effects) ? new HashSet<>(Files.readAllLines(effects)) : Set.of();
        try (Idem idem = Idem.builder().ledger("sqlite:" + arguments[0]).quiet().open();
                FileChannel out = FileChannel.open(
                        effects, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            Batch<Object> batch = Batch.of(idem, "job-7")
                    .concurrency(64)
                    .each(op -> op.policy(Policy.unset().timeLimit(Duration.ofSeconds(2))));
            if (arguments[3].equals("probe")) {
                batch = batch.each(op ->
                        op.probe(doubted -> seen.contains(doubted.address().key())
                                ? Probe.Verdict.happened(null)
                                : Probe.Verdict.notExecuted()));
            }
            BatchReport report = batch.perform(
                    items,
                    String::valueOf,
                    (item, call) -> out.write(ByteBuffer.wrap((item + "\n").getBytes(StandardCharsets.UTF_8))));
            System.out.println(BatchReport.numbers(report.counts()));
            System.out.println(report.complete() ? "complete" : "not complete");
        }
    }
}
