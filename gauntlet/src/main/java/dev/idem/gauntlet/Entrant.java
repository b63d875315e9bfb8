package dev.idem.gauntlet;

import java.nio.file.Path;

/** Opens a contender on a new store, or on the one that lies in the folder. */
@FunctionalInterface
interface Entrant {
    Contender enter(Path folder) throws Exception;
}
