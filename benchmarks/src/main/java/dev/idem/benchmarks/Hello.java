package dev.idem.benchmarks;

/** The simplest Java program: the floor of every start. */
public final class Hello {
    private Hello() {}

    /** Says a word. */
    public static void main(String[] args) {
        System.out.println("hello");
    }
}
