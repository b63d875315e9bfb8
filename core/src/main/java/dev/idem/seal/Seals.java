package dev.idem.seal;

import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals single values with AES-256-GCM and opens them again.
 *
 * <p>A sealed value is one byte for the kind of its {@link Bond}, eight for the fence, twelve for the nonce, then the
 * ciphertext with its tag. The mark, the bond and the field are associated data: changed or moved, it does not open.
 */
final class Seals {
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int NONCE = 12;
    private static final int HEAD = 1 + Long.BYTES + NONCE;
    private static final int TAG = 16;

    /** Created with the first seal: programs that seal nothing do not pay for it. */
    private static final class Nonces {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    private final SealKeys keys;

    Seals(SealKeys keys) {
        this.keys = keys;
    }

    byte[] seal(Bond bond, SealMark mark, Field field, byte[] plain) {
        byte[] nonce = new byte[NONCE];
        Nonces.RANDOM.nextBytes(nonce);
        ByteBuffer sealed = ByteBuffer.allocate(HEAD + plain.length + TAG);
        sealed.put(bond.kind()).putLong(bond.fence()).put(nonce);
        try {
            Cipher cipher = Cipher.getInstance(ALGORITHM);
            cipher.init(Cipher.ENCRYPT_MODE, keys.sealing(), new GCMParameterSpec(8 * TAG, nonce));
            cipher.updateAAD(associated(bond, mark, field));
            cipher.doFinal(plain, 0, plain.length, sealed.array(), HEAD);
            return sealed.array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java can't seal with " + ALGORITHM + ": " + e.getMessage(), e);
        }
    }

    /** Throws {@link LedgerUnreadableException} if the value does not open. */
    byte[] open(Entry entry, @Nullable SealMark mark, Field field, byte[] sealed) {
        String what = "the " + field.word() + " of " + entry.address();
        if (mark == null) {
            throw new LedgerUnreadableException(what + " is sealed, but the mark that names its key is damaged", null);
        }
        if (mark.version() != SealMark.VERSION) {
            throw new LedgerUnreadableException(
                    what + " is sealed with key '" + mark.keyId() + "' in format " + mark.version()
                            + ", and this version of Idem reads format " + SealMark.VERSION + ". Use a newer one",
                    null);
        }
        return opened(entry, mark, field, sealed, key(mark, what), what);
    }

    private SecretKey key(SealMark mark, String what) {
        SecretKey key = keys.find(mark.keyId());
        if (key == null) {
            throw new LedgerUnreadableException(
                    what + " is sealed with key '" + mark.keyId() + "', "
                            + (keys.isEmpty() ? "and no seal keys were given" : "which is not among " + keys.ids())
                            + ". Add that key to the seal keys. If it is lost, so is this; forget the entry only if "
                            + "its key may run again",
                    null);
        }
        return key;
    }

    private static byte[] opened(Entry entry, SealMark mark, Field field, byte[] sealed, SecretKey key, String what) {
        String wrong = what + " is sealed with key '" + mark.keyId() + "', and the seal does not open: ";
        if (sealed.length < HEAD + TAG) {
            throw new LedgerUnreadableException(wrong + "it was cut short", null);
        }
        ByteBuffer head = ByteBuffer.wrap(sealed, 0, HEAD);
        Bond bond = Bond.found(entry, head.get(), head.getLong());
        if (bond == null) {
            throw new LedgerUnreadableException(wrong + "it was made for another attempt or another entry", null);
        }
        byte[] nonce = new byte[NONCE];
        head.get(nonce);
        try {
            Cipher cipher = Cipher.getInstance(ALGORITHM);
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(8 * TAG, nonce));
            cipher.updateAAD(associated(bond, mark, field));
            return cipher.doFinal(sealed, HEAD, sealed.length - HEAD);
        } catch (GeneralSecurityException | ProviderException e) {
            throw new LedgerUnreadableException(
                    wrong + "the key under this id is another one now, or the entry was changed or moved. Put the "
                            + "right key under this id, or restore the entry",
                    e);
        }
    }

    private static byte[] associated(Bond bond, SealMark mark, Field field) {
        List<byte[]> texts = List.of(
                utf8(mark.text()),
                utf8(field.word()),
                utf8(bond.address().scope()),
                utf8(bond.address().operation()),
                utf8(bond.address().key()));
        int length = 1 + 3 * Long.BYTES;
        for (byte[] text : texts) {
            length += Integer.BYTES + text.length;
        }
        ByteBuffer data = ByteBuffer.allocate(length);
        data.put(bond.kind()).putLong(bond.fence());
        data.putLong(bond.attempt().high()).putLong(bond.attempt().low());
        texts.forEach(text -> data.putInt(text.length).put(text));
        return data.array();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The part of an entry that a value is, so that one part can't replace another. */
    enum Field {
        RESULT("result"),
        WHY("reason why there is no result"),
        FAILURE("failure");

        private final String word;

        Field(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }
}
