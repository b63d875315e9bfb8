package dev.idem.conformance;

/**
 * One situation that a client has to master.
 *
 * @param duty the part of docs/protocol.md that a failure breaks
 */
record Scenario(String name, String duty, Body body) {
    interface Body {
        void run(World world) throws Exception;
    }

    static String duty(int number) {
        return "duty " + number;
    }
}
