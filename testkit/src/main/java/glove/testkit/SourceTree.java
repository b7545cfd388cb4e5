package glove.testkit;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of the repository, read once. Immutable. */
final class SourceTree {
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea", ".vscode");
    private static final long TEXT_BYTES_MAX = 1 << 20;

    private final Path root;
    private final List<SourceFile> files;

    private SourceTree(Path root, List<SourceFile> files) {
        this.root = root;
        this.files = List.copyOf(files);
    }

    /** The tree around the working directory: the nearest folder with LICENSE. */
    static SourceTree find() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("LICENSE"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IOException("no LICENSE above '" + Path.of("").toAbsolutePath() + "'");
            }
        }
        return read(folder);
    }

    /** All regular files below a folder that hold text; what Git never stores is left out. */
    static SourceTree read(Path root) throws IOException {
        List<SourceFile> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes a) {
                boolean skipped = SKIPPED.contains(String.valueOf(dir.getFileName()));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes a) throws IOException {
                if (a.isRegularFile() && a.size() <= TEXT_BYTES_MAX) {
                    byte[] bytes = Files.readAllBytes(file);
                    if (isText(bytes)) {
                        files.add(SourceFile.of(root.relativize(file).toString(), bytes));
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return new SourceTree(root, files);
    }

    private static boolean isText(byte[] bytes) {
        for (byte b : bytes) {
            if (b == 0) {
                return false;
            }
        }
        return true;
    }

    List<SourceFile> files() {
        return files;
    }

    /** Everything that breaks a rule. */
    List<Finding> check() throws IOException {
        List<Finding> found = new ArrayList<>(TextRules.checkDecisions(files));
        for (SourceFile file : files) {
            found.addAll(TextRules.check(file, path -> Files.exists(root.resolve(path))));
        }
        found.addAll(JavaRules.check(files));
        return found;
    }
}
