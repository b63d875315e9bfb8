/** The files of the console, the page for people. */
module dev.idem.server.console {
    requires static org.jspecify;

    exports dev.idem.server.console;
}
