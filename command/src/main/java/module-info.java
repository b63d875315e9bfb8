/** The envelope, the exit codes, the manifest and the signals of a command line. */
module dev.idem.command {
    requires static org.jspecify;
    requires transitive dev.idem.core;
    // Only sun.misc.Signal reports which signal came.
    requires jdk.unsupported;

    exports dev.idem.command;
    exports dev.idem.command.score;
}
