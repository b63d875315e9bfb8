package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the scripts that a quick build finds, although it asks the rules elsewhere. */
@Tag("proof")
class PlantedFaultsTest {
    record Case(String name, PlantedFault fault, Class<?> tests, String test) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Case> cases() {
        return List.of(
                new Case(
                        "a settle does not compare the version",
                        new PlantedFault("dev/idem/redis/write.lua", "if version ~= ARGV[1] then", "if false then"),
                        RedisStoreTest.class,
                        "anotherVersionIsNotReplaced"),
                new Case(
                        "a settle does not compare the lease",
                        new PlantedFault(
                                "dev/idem/redis/write.lua", "if from + length ~= ARGV[2] + 0 then", "if false then"),
                        RedisStoreTest.class,
                        "aRenewedLeaseIsReplacedByItsOwnerOnly"),
                new Case(
                        "a take-over has the fence of the one before",
                        new PlantedFault(
                                "dev/idem/redis/write.lua",
                                "if ARGV[5] == 'yes' then",
                                "if ARGV[5] == 'yes' and fence == '' then"),
                        RedisStoreTest.class,
                        "fencesGrowWithEveryGrant"),
                new Case(
                        "a fence follows a clock that steps back",
                        new PlantedFault(
                                "dev/idem/redis/write.lua",
                                "f > fence and f or string.format('%016.0f', fence + 1)",
                                "f"),
                        LifetimeTest.class,
                        "fencesGrowWhenTheServersClockStepsBack"),
                new Case(
                        "a renewal does not compare the fence",
                        new PlantedFault(
                                "dev/idem/redis/renew.lua",
                                "'^(in_progress ' .. ARGV[1] .. ' %S+ %S+) %S+'",
                                "'^(in_progress %S+ %S+ %S+) %S+'"),
                        RedisStoreTest.class,
                        "aRenewalNeedsTheFence"),
                new Case(
                        "a row goes without a tombstone for its fence",
                        new PlantedFault(
                                "dev/idem/redis/delete.lua",
                                "redis.call('SET', KEYS[1], 'removed ' .. fence .. ' - - - - - - 0\\n', 'PX', ARGV[2])",
                                "redis.call('DEL', KEYS[1])"),
                        LifetimeTest.class,
                        "fencesGrowWhenTheServersClockStepsBack"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isFoundByAQuickBuild(Case each) throws IOException {
        assertThat(each.fault().caughtBy(each.tests())).contains(each.test());
    }
}
