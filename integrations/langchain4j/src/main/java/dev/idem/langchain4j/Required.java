package dev.idem.langchain4j;

/** The LangChain4j that this adapter needs. */
final class Required {
    /** The newest thing that is called here; it came with the version below. */
    private static final String CLASS = "dev.langchain4j.service.tool.DefaultToolExecutor";

    private static final String METHOD = "originalMethod";
    private static final String VERSION = "1.17.0";

    private Required() {}

    /**
     * Looks for it before anything is called that would end in a {@code NoSuchMethodError}.
     *
     * @throws IllegalStateException when LangChain4j is too old, or not there
     */
    static void check(ClassLoader loader) {
        try {
            Class.forName(CLASS, false, loader).getMethod(METHOD);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(needed("there is none on the class path"), e);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(needed("the one on the class path is older" + jar(loader)), e);
        }
    }

    private static String needed(String found) {
        return "idem-langchain4j needs LangChain4j " + VERSION + " or newer, and " + found
                + ". Set the version of dev.langchain4j:langchain4j to " + VERSION + " or newer";
    }

    private static String jar(ClassLoader loader) {
        String url = String.valueOf(loader.getResource(CLASS.replace('.', '/') + ".class"));
        int end = url.indexOf("!/");
        return end < 0 ? "" : ": " + url.substring(url.lastIndexOf('/', end) + 1, end);
    }
}
