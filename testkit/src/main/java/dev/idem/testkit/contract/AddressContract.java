package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.spi.Claim;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every allowed address has its own entry, whatever its characters. */
abstract class AddressContract extends LedgerCase {
    private static final String ALL_VISIBLE =
            IntStream.rangeClosed(0x21, 0x7E).mapToObj(Character::toString).collect(Collectors.joining());

    static List<Address> odd() {
        return List.of(
                new Address("s", "o", ALL_VISIBLE),
                new Address("s", "o", "k".repeat(255)),
                new Address("s".repeat(255), "o".repeat(255), "k".repeat(255)),
                new Address("🐎".repeat(127), "ž".repeat(255), "k"),
                new Address("שלום עולם", "支払い", "k"),
                new Address(" ", " ", "!"),
                new Address("it's", "\"quoted\"", "`;--'\""),
                new Address("100%", "under_score", "%_"),
                new Address("../../etc", "a/b\\c", "//"),
                new Address("{hash}", "[1]*?", "{a}:b|c"),
                new Address("null", "undefined", "NULL"),
                new Address("\u00a0\u2028\u200b", "\ufeff\uffff", "0"));
    }

    @ParameterizedTest
    @MethodSource("odd")
    void anOddAddressWorksLikeAnyOther(Address address) {
        assertThat(ledger().find(address)).isEmpty();
        var ticket = take(address);
        assertThat(entry(address).address()).isEqualTo(address);
        assertThat(ledger().claim(request(address))).isInstanceOf(Claim.InFlight.class);
        assertThat(ledger().renew(ticket, LEASE)).isTrue();
        ledger().settle(ticket, Settlements.completed("1"));
        assertThat(ledger().claim(request(address))).isInstanceOf(Claim.Replay.class);
        assertThat(ledger().forget(entry(address))).isTrue();
        assertThat(ledger().find(address)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("odd")
    void anOddAddressIsFoundByBrowsing(Address address) {
        Browsable browsable = capability(Browsable.class);
        take(address);
        take(new Address("another", "another", "another"));
        assertThat(browsable
                        .browse(Query.all()
                                .withScope(address.scope())
                                .withOperation(address.operation())
                                .withKey(address.key()))
                        .entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.address()).isEqualTo(address));
    }

    @Test
    void addressesThatLookAlikeAreApart() {
        List<Address> alike = List.of(
                new Address("a/b", "c", "d"),
                new Address("a", "b/c", "d"),
                new Address("a", "b", "c/d"),
                new Address("A", "b", "c/d"),
                new Address("a", "b", "C/d"),
                new Address("a ", "b", "c/d"),
                new Address(" a", "b", "c/d"),
                new Address("a", "b ", "c/d"),
                new Address("\u00e9", "o", "k"),
                new Address("e\u0301", "o", "k"),
                new Address("s", "o", "k".repeat(254) + "1"),
                new Address("s", "o", "k".repeat(254) + "2"),
                new Address("s".repeat(254) + "1", "o", "k"),
                new Address("s".repeat(254) + "2", "o", "k"),
                new Address("1", "o", "1"),
                new Address("1", "o", "01"),
                new Address("1", "o", "1.0"),
                new Address("%", "_", "%"),
                new Address("_", "%", "_"));
        alike.forEach(this::take);
        for (Address address : alike) {
            assertThat(entry(address).address()).isEqualTo(address);
            assertThat(entry(address).attempt()).isEqualTo(1);
        }
    }
}
