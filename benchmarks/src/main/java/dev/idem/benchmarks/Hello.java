package dev.idem.benchmarks;

/** What the plainest Java program does: the floor of every start. */
public final class Hello {
    private Hello() {}

    /** Says a word. */
    public static void main(String[] args) {
        System.out.println("hello");
    }
}
