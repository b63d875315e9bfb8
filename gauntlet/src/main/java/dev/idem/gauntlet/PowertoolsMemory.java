package dev.idem.gauntlet;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.lambda.powertools.idempotency.exceptions.IdempotencyItemAlreadyExistsException;
import software.amazon.lambda.powertools.idempotency.exceptions.IdempotencyItemNotFoundException;
import software.amazon.lambda.powertools.idempotency.persistence.BasePersistenceStore;
import software.amazon.lambda.powertools.idempotency.persistence.DataRecord;

/** A store in memory with the conditions of Powertools' DynamoDB store: atomic, with a time limit in progress. */
final class PowertoolsMemory extends BasePersistenceStore {
    private final Map<String, DataRecord> records = new ConcurrentHashMap<>();

    @Override
    public DataRecord getRecord(String key) {
        DataRecord found = records.get(key);
        if (found == null) {
            throw new IdempotencyItemNotFoundException(key);
        }
        return found;
    }

    @Override
    public void putRecord(DataRecord wanted, Instant now) {
        records.compute(wanted.getIdempotencyKey(), (key, old) -> {
            if (old != null && !isOver(old, now)) {
                throw new IdempotencyItemAlreadyExistsException();
            }
            return wanted;
        });
    }

    private static boolean isOver(DataRecord old, Instant now) {
        return old.getExpiryTimestamp() < now.getEpochSecond()
                || (old.getStatus() == DataRecord.Status.INPROGRESS
                        && old.getInProgressExpiryTimestamp().isPresent()
                        && old.getInProgressExpiryTimestamp().getAsLong() < now.toEpochMilli());
    }

    @Override
    public void updateRecord(DataRecord record) {
        records.put(record.getIdempotencyKey(), record);
    }

    @Override
    public void deleteRecord(String key) {
        records.remove(key);
    }
}
