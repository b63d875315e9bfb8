package dev.idem.redis;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the scripts that a quick build finds, although it asks the rules elsewhere. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "a settle does not compare the version",
                        "dev/idem/redis/write.lua",
                        "if version ~= ARGV[1] then",
                        "if false then",
                        RedisStoreTest.class,
                        "anotherVersionIsNotReplaced"),
                new PlantedFault(
                        "a settle does not compare the lease",
                        "dev/idem/redis/write.lua",
                        "if from + length ~= ARGV[2] + 0 then",
                        "if false then",
                        RedisStoreTest.class,
                        "aRenewedLeaseIsReplacedByItsOwnerOnly"),
                new PlantedFault(
                        "a take-over has the fence of the one before",
                        "dev/idem/redis/write.lua",
                        "if ARGV[5] == 'yes' then",
                        "if ARGV[5] == 'yes' and fence == '' then",
                        RedisStoreTest.class,
                        "fencesGrowWithEveryGrant"),
                new PlantedFault(
                        "a fence follows a clock that steps back",
                        "dev/idem/redis/write.lua",
                        "f > fence and f or string.format('%016.0f', fence + 1)",
                        "f",
                        LifetimeTest.class,
                        "fencesGrowWhenTheServersClockStepsBack"),
                new PlantedFault(
                        "a renewal does not compare the fence",
                        "dev/idem/redis/renew.lua",
                        "'^(in_progress ' .. ARGV[1] .. ' %S+ %S+) %S+'",
                        "'^(in_progress %S+ %S+ %S+) %S+'",
                        RedisStoreTest.class,
                        "aRenewalNeedsTheFence"),
                new PlantedFault(
                        "a row goes without a tombstone for its fence",
                        "dev/idem/redis/delete.lua",
                        "redis.call('SET', KEYS[1], 'removed ' .. fence .. ' - - - - - - 0\\n', 'PX', ARGV[2])",
                        "redis.call('DEL', KEYS[1])",
                        LifetimeTest.class,
                        "fencesGrowWhenTheServersClockStepsBack"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
