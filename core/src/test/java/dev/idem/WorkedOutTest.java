package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.internal.key.Content;
import dev.idem.internal.key.Identity;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An identity or content that was worked out before is the same as its fields. */
class WorkedOutTest {
    private static final Map<String, Object> FIELDS = Map.of("order", "ord_1", "cents", 4200);
    private static final Map<String, Object> BODY = Map.of("text", "thank you");

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    @Test
    void aDuplicateByTheFieldsIsReplayed() {
        Operation<String> charge = charge().identity(Identity.of(FIELDS)).content(Content.of(BODY));
        charge.run(call -> "first");

        Outcome.Valued<String> replay =
                (Outcome.Valued<String>) charge().identity(FIELDS).content(BODY).attempt(call -> "second");

        assertThat(replay.value()).isEqualTo("first");
        assertThat(replay.provenance().warnings()).isEmpty();
    }

    @Test
    void rewordedContentIsStillSeen() {
        charge().identity(FIELDS).content(BODY).run(call -> "first");
        Content reworded = Content.of(Map.of("text", "many thanks"));

        Outcome.Valued<String> replay = (Outcome.Valued<String>)
                charge().identity(Identity.of(FIELDS)).content(reworded).attempt(call -> "second");

        assertThat(replay.value()).isEqualTo("first");
        assertThat(replay.provenance().warnings()).extracting(Warning::code).containsExactly(Warning.Code.REWORDED);
    }

    /** A key that was derived for one scope, operation or occurrence must not be used for another. */
    @Test
    void oneIdentityServesManyOperations() {
        Identity identity = Identity.of(FIELDS);
        for (String scope : new String[] {"a", "b"}) {
            for (int occurrence = 1; occurrence <= 2; occurrence++) {
                Operation<String> one = charge().scope(scope).occurrence(occurrence);
                String value = scope + occurrence;
                one.identity(identity).run(call -> value);

                assertThat(one.identity(FIELDS).run(call -> "again")).isEqualTo(value);
            }
        }
        assertThat(idem.operation("refund")
                        .identity(identity)
                        .returning(String.class)
                        .run(call -> "refunded"))
                .isEqualTo("refunded");
    }

    @Test
    void aGivenKeyIsGuardedByContentThatWasWorkedOut() {
        charge().key("k").content(BODY).run(call -> "first");
        Operation<String> same = charge().key("k").content(Content.of(BODY));
        Operation<String> other = charge().key("k").content(Content.of(FIELDS));

        assertThat(same.run(call -> "second")).isEqualTo("first");
        assertThatThrownBy(() -> other.run(call -> "second")).isInstanceOf(ConflictException.class);
    }

    private Operation<String> charge() {
        return idem.operation("charge").returning(String.class);
    }
}
