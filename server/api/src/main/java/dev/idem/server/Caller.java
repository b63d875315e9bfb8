package dev.idem.server;

import dev.idem.spi.ResolvedBy;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The program at the other end of a connection.
 *
 * @param user who resolves and decides, for the trail
 * @param isOwn whether it is a program of the user that the server runs for, so that the people whom it names are believed
 * @param access what it may do
 * @param stands whether it may still do that: its token was not revoked, and has not expired
 * @param isOpen whether the connection is open
 * @param renewedWhileOpen whether its tickets are renewed while the connection is open, where its process can't be seen
 */
public record Caller(
        String user,
        boolean isOwn,
        Access access,
        BooleanSupplier stands,
        BooleanSupplier isOpen,
        boolean renewedWhileOpen) {
    private static final String TOKEN = "token ";

    /** A program of the user that the server runs for. */
    public static Caller local(String user, BooleanSupplier isOpen, boolean renewedWhileOpen) {
        return new Caller(user, true, Access.ALL, () -> true, isOpen, renewedWhileOpen);
    }

    /** A program, perhaps on another host, that has shown the secret of a token. Each of its requests stands for itself. */
    public static Caller of(Token token, TokenFile tokens) {
        return new Caller(TOKEN + token.name(), false, token.access(), () -> tokens.stands(token), () -> true, false);
    }

    /** The token that has a share of what the server has, also while a person is signed in with it; null for the user's own programs. */
    public @Nullable String client() {
        return isOwn ? null : user.startsWith(TOKEN) ? user : TOKEN + user;
    }

    /** Throws {@link ApiException} unless it may read in all scopes. */
    public void requireReadingAll() {
        access.requireEverywhere(Right.READ);
    }

    /** The decision of a person: the name that the program gives, and the program itself where it is not believed. */
    ResolvedBy decided(@Nullable String named, @Nullable String why, @Nullable String request) {
        return isOwn
                ? new ResolvedBy(named == null ? user : named, why, request, null)
                : new ResolvedBy(named, why, request, user);
    }

    /** Who decides: the person that the program names, and the program itself where that is not known to be the person. */
    String who(@Nullable String named) {
        if (named == null || named.equals(user)) {
            return user;
        }
        return isOwn ? named : named + " (" + user + ")";
    }
}
