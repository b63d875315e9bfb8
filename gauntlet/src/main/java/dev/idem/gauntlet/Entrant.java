package dev.idem.gauntlet;

import java.nio.file.Path;

/** Opens a contender on a new store, or on the store in the folder. */
@FunctionalInterface
interface Entrant {
    Contender enter(Path folder) throws Exception;
}
