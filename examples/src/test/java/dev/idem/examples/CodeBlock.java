package dev.idem.examples;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A fenced block of a page.
 *
 * @param line where its code starts, counted from 1
 * @param info what stands behind the opening fence: {@code java}, {@code java no-run}, {@code console} …
 */
record CodeBlock(String page, int line, String info, List<String> code) {
    private static final String FENCE = "```";

    /** All blocks of a page. */
    static List<CodeBlock> of(Path page) {
        return parse(Pages.name(page), Pages.text(page));
    }

    static List<CodeBlock> parse(String page, String text) {
        List<CodeBlock> blocks = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).startsWith(FENCE)) {
                continue;
            }
            int end = i + 1;
            while (end < lines.size() && !lines.get(end).equals(FENCE)) {
                end++;
            }
            if (end == lines.size()) {
                throw new IllegalStateException(page + ":" + (i + 1) + ": a block that does not end");
            }
            String info = lines.get(i).substring(FENCE.length()).strip();
            blocks.add(new CodeBlock(page, i + 2, info, lines.subList(i + 1, end)));
            i = end;
        }
        return blocks;
    }

    boolean isJava() {
        return info.equals("java") || info.startsWith("java ");
    }

    /** The words behind the language: how a block of Java is meant. */
    String kind() {
        return info.substring("java".length()).strip();
    }

    /** Whether it holds whole types, and not statements. */
    boolean holdsTypes() {
        return kind().equals("class") || kind().equals("test");
    }

    /** Whether it is a module-info.java. */
    boolean isModule() {
        return kind().equals("module");
    }

    @Override
    public String toString() {
        return page + ":" + line;
    }
}
