package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The index agrees with a map, through growth and removals, also where addresses crowd. */
class IndexTest {
    @Test
    void agrees_with_a_map() {
        for (int bits : new int[] {3, 8, 60}) {
            Random random = new Random(bits);
            Index index = new Index(0);
            Map<AddressHash.Value, Change> expected = new HashMap<>();
            for (int i = 1; i <= 20_000; i++) {
                // Few different low halves make long runs of neighbours.
                AddressHash.Value hash = new AddressHash.Value(random.nextInt(500), random.nextLong() >>> (64 - bits));
                boolean remove = random.nextInt(5) < 2;
                Change change = new Change(
                        hash.high(),
                        hash.low(),
                        remove ? LineHead.Kind.FORGOTTEN : LineHead.Kind.COMPLETE,
                        i,
                        i % 1000 + 1,
                        i,
                        i % 7 == 0 ? i : LineHead.NEVER,
                        i % 5);
                index.apply(List.of(change));
                if (remove) {
                    expected.remove(hash);
                } else {
                    expected.put(hash, change);
                }
            }
            assertThat(index.size()).isEqualTo(expected.size());
            assertThat(index.liveBytes())
                    .isEqualTo(
                            expected.values().stream().mapToLong(Change::length).sum());
            expected.forEach((hash, change) -> assertThat(index.find(hash))
                    .isEqualTo(new Index.Place(
                            change.offset(),
                            change.length(),
                            change.fence(),
                            change.kind(),
                            change.due(),
                            change.replays())));
            assertThat(index.offsets())
                    .containsExactlyInAnyOrder(
                            expected.values().stream().mapToLong(Change::offset).toArray());
            assertThat(index.due(10_000, Integer.MAX_VALUE)).hasSize((int) expected.values().stream()
                    .filter(change -> change.due() <= 10_000)
                    .count());
        }
    }

    /** The published example: the key 00 01 … 0f, and no message. */
    @Test
    void hashes_as_published() {
        AddressHash hashes = AddressHash.of(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
        assertThat(hashes.of(new byte[0], 0))
                .isEqualTo(new AddressHash.Value(0x930255c71472f66dL, 0xe6a825ba047f81a3L));
    }

    @Test
    void two_openings_hash_differently() {
        assertThat(AddressHash.secret().of(Fixtures.address("k")))
                .isNotEqualTo(AddressHash.secret().of(Fixtures.address("k")));
    }
}
