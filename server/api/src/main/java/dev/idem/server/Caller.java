package dev.idem.server;

import java.util.function.BooleanSupplier;

/**
 * The program at the other end of a connection.
 *
 * @param user who resolves and decides, for the trail
 * @param isOpen whether the connection is open
 * @param renewedWhileOpen whether its tickets are renewed while the connection is open, where its process can't be seen
 */
public record Caller(String user, BooleanSupplier isOpen, boolean renewedWhileOpen) {}
