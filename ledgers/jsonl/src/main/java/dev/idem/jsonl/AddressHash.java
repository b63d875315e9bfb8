package dev.idem.jsonl;

import dev.idem.entry.Address;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * Makes 128 bits of an address that stand for it in memory: SipHash-2-4 under a secret of this opening. Keys come from
 * outside, and nobody who does not know the secret can make two that fall together; by chance it does not happen.
 */
final class AddressHash {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long k0;
    private final long k1;

    private AddressHash(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    static AddressHash secret() {
        SecureRandom random = new SecureRandom();
        return new AddressHash(random.nextLong(), random.nextLong());
    }

    static AddressHash of(long k0, long k1) {
        return new AddressHash(k0, k1);
    }

    /** What stands for an address. */
    record Value(long high, long low) {}

    Value of(Address address) {
        // No part can hold a zero character.
        String text = address.scope() + '\0' + address.operation() + '\0' + address.key();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return of(bytes, bytes.length);
    }

    Value of(byte[] bytes, int length) {
        long v0 = k0 ^ 0x736f6d6570736575L;
        long v1 = k1 ^ 0x646f72616e646f6dL ^ 0xee;
        long v2 = k0 ^ 0x6c7967656e657261L;
        long v3 = k1 ^ 0x7465646279746573L;
        int whole = length & ~7;
        for (int at = 0; at <= whole; at += 8) {
            long m = at < whole ? (long) LONG.get(bytes, at) : rest(bytes, whole, length);
            v3 ^= m;
            for (int round = 0; round < 2; round++) {
                v0 += v1;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v3;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 += v3;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 += v1;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= m;
        }
        v2 ^= 0xee;
        long first = 0;
        for (int round = 0; round < 8; round++) {
            if (round == 4) {
                first = v0 ^ v1 ^ v2 ^ v3;
                v1 ^= 0xdd;
            }
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
        return new Value(v0 ^ v1 ^ v2 ^ v3, first);
    }

    private static long rest(byte[] bytes, int from, int length) {
        long last = (long) length << 56;
        for (int i = from; i < length; i++) {
            last |= (bytes[i] & 0xFFL) << (8 * (i - from));
        }
        return last;
    }
}
