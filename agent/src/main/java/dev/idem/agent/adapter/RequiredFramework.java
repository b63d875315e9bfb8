package dev.idem.agent.adapter;

/**
 * The framework that an adapter needs.
 *
 * @param adapter the artifact that needs it
 * @param framework its name
 * @param artifact whose version a user sets
 * @param version the oldest one that fits
 * @param type the class with a method that came with this version
 * @param method the method, without parameters
 */
public record RequiredFramework(
        String adapter, String framework, String artifact, String version, String type, String method) {
    /**
     * Looks for it before anything is called that an older one does in another way, or does not have.
     *
     * @throws IllegalStateException if the framework is too old, or not there
     */
    public void check(ClassLoader loader) {
        try {
            Class.forName(type, false, loader).getMethod(method);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(needed("there is none on the class path"), e);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(needed("the one on the class path is older" + jar(loader)), e);
        }
    }

    private String needed(String found) {
        return adapter + " needs " + framework + " " + version + " or newer, and " + found + ". Set the version of "
                + artifact + " to " + version + " or newer";
    }

    private String jar(ClassLoader loader) {
        String url = String.valueOf(loader.getResource(type.replace('.', '/') + ".class"));
        int end = url.indexOf("!/");
        return end < 0 ? "" : ": " + url.substring(url.lastIndexOf('/', end) + 1, end);
    }
}
