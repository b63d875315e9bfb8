package dev.idem.cli.demo;

/** The two runs. */
enum Side {
    WITHOUT("without Idem", "Without Idem: failed calls are retried, and a restart begins at the top"),
    WITH("with Idem", "With Idem: the same agent, services and kill; tools are called in a session");

    final String title;
    final String heading;

    Side(String title, String heading) {
        this.title = title;
        this.heading = heading;
    }
}
