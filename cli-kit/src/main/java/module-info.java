/** Idempotency keys, dry runs, effects and one envelope for the commands of a picocli program. */
module dev.idem.clikit {
    requires static org.jspecify;
    requires transitive dev.idem.command;
    requires transitive dev.idem.core;
    requires transitive info.picocli;

    exports dev.idem.clikit;

    // For records that are stored as JSON, and for the command that the kit adds to every program.
    opens dev.idem.clikit to
            dev.idem.core,
            info.picocli;
}
