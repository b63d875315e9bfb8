/** Idempotency keys, dry runs, effects and one envelope for the commands of a picocli program. */
module dev.idem.clikit {
    requires static org.jspecify;
    requires transitive dev.idem.command;
    requires transitive dev.idem.core;
    requires transitive info.picocli;

    exports dev.idem.clikit;

    // For the record that is stored as JSON.
    opens dev.idem.clikit.call to
            dev.idem.core;
    // For the command that the kit adds to every program.
    opens dev.idem.clikit.program to
            info.picocli;
}
