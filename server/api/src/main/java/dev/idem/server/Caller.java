package dev.idem.server;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The program at the other end of a connection.
 *
 * @param user who resolves and decides, for the trail
 * @param isOwn whether it is a program of the user that the server runs for, so that the people whom it names are believed
 * @param access what it may do
 * @param isOpen whether the connection is open
 * @param renewedWhileOpen whether its tickets are renewed while the connection is open, where its process can't be seen
 */
public record Caller(String user, boolean isOwn, Access access, BooleanSupplier isOpen, boolean renewedWhileOpen) {
    /** A program of the user that the server runs for. */
    public static Caller local(String user, BooleanSupplier isOpen, boolean renewedWhileOpen) {
        return new Caller(user, true, Access.ALL, isOpen, renewedWhileOpen);
    }

    /** Who decides: the person that the program names, and the program itself where that is not known to be the person. */
    String who(@Nullable String named) {
        if (named == null || named.equals(user)) {
            return user;
        }
        return isOwn ? named : named + " (" + user + ")";
    }
}
