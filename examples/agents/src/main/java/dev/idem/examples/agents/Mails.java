package dev.idem.examples.agents;

import java.io.IOException;

/** A mail service of others. It knows no keys, and sends whatever it is given. */
@FunctionalInterface
public interface Mails {
    /** Sends a mail, and gives its id. */
    String send(String to, String body) throws IOException;
}
