package dev.idem.cli;

/** The version of this program, from the manifest of its jar. */
final class Version {
    private Version() {}

    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
