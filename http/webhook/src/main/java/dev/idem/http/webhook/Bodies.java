package dev.idem.http.webhook;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads the bodies of requests. */
final class Bodies {
    private Bodies() {}

    /**
     * Reads a body up to one byte more than is allowed. The rest of a longer one is skipped, since many clients read the
     * answer only after they have sent everything.
     *
     * @param announced the length that the client has announced; negative if it has not
     * @throws IOException if the client vanished in the middle. Some servers show that as the end of the body
     */
    static byte[] read(InputStream in, long announced, int largest) throws IOException {
        byte[] body = in.readNBytes(largest + 1);
        if (body.length > largest) {
            byte[] skipped = new byte[8192];
            long left = largest;
            int read = 0;
            while (left > 0 && read >= 0) {
                read = in.read(skipped);
                left -= read;
            }
        } else if (body.length < announced) {
            throw new EOFException("the client sent " + body.length + " of " + announced + " bytes");
        }
        return body;
    }
}
