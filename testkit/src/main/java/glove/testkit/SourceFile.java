package glove.testkit;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A text file of the tree as the rules see it. Immutable.
 *
 * @param path relative to the root of the tree, with slashes
 * @param text all of it
 */
record SourceFile(String path, String text) {
    static SourceFile of(String path, byte[] bytes) {
        return new SourceFile(path, new String(bytes, StandardCharsets.UTF_8));
    }

    List<String> lines() {
        return text.lines().toList();
    }

    boolean isJava() {
        return path.endsWith(".java");
    }

    boolean isMarkdown() {
        return path.endsWith(".md");
    }

    /** Whether the product runs it, as against tests and their kit. */
    boolean isProduct() {
        return path.contains("/src/main/") && !path.startsWith("testkit/");
    }

    /** Whether {@code glove exec} loads classes of its module while a person waits. */
    boolean isCold() {
        return isProduct()
                && (path.startsWith("sys/")
                        || path.startsWith("sandbox/")
                        || path.startsWith("app/"));
    }

    /** The last part of the path. */
    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
