package dev.idem.springai;

/** The Spring AI that this adapter needs. */
final class Required {
    private static final String CLASS = "org.springframework.ai.chat.messages.AssistantMessage";

    /** It came with the version below. */
    private static final String METHOD = "builder";

    private static final String VERSION = "1.1.0";

    private Required() {}

    /**
     * Looks for it before anything is called that an older one does in another way, or does not have.
     *
     * @throws IllegalStateException when Spring AI is too old, or not there
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
        return "idem-spring-ai needs Spring AI " + VERSION + " or newer, and " + found
                + ". Set the version of org.springframework.ai:spring-ai-bom to " + VERSION + " or newer";
    }

    private static String jar(ClassLoader loader) {
        String url = String.valueOf(loader.getResource(CLASS.replace('.', '/') + ".class"));
        int end = url.indexOf("!/");
        return end < 0 ? "" : ": " + url.substring(url.lastIndexOf('/', end) + 1, end);
    }
}
