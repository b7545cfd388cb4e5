package glove.testkit;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Parses Java files, without attributing them, and hands each to the rules. Stateless. */
final class JavaRules {
    private JavaRules() {}

    /** Of all files; those that are not Java are passed over. */
    static List<Finding> check(List<SourceFile> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Finding> found = new ArrayList<>();
        for (SourceFile file : files) {
            if (!file.isJava()) {
                continue;
            }
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    null,
                    broken -> found.add(unparsable(file, broken)),
                    List.of("-proc:none"),
                    null,
                    List.of(new InMemory(file)));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                Places places = new Places(file, unit, positions, found);
                new JavaRulesScanner(places).scan(unit, null);
            }
        }
        return found;
    }

    private static Finding unparsable(
            SourceFile file, javax.tools.Diagnostic<? extends javax.tools.JavaFileObject> broken) {
        return new Finding(
                file.path(), (int) broken.getLineNumber(), broken.getMessage(Locale.ROOT));
    }

    /** Turns trees of one file into findings. Confined to one thread. */
    static final class Places {
        private final SourceFile file;
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<Finding> found;

        Places(
                SourceFile file,
                CompilationUnitTree unit,
                SourcePositions positions,
                List<Finding> found) {
            this.file = file;
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        SourceFile file() {
            return file;
        }

        /** How many lines the source of a tree covers. */
        int lines(Tree tree) {
            LineMap map = unit.getLineMap();
            long first = map.getLineNumber(positions.getStartPosition(unit, tree));
            return (int) (map.getLineNumber(positions.getEndPosition(unit, tree)) - first) + 1;
        }

        void add(Tree tree, String message) {
            long line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
            found.add(new Finding(file.path(), (int) line, message));
        }

        void ban(Tree tree, String what, String instead) {
            add(tree, what + " is banned, use " + instead);
        }
    }

    /** A source that needs no file. */
    private static final class InMemory extends SimpleJavaFileObject {
        private final String text;

        InMemory(SourceFile file) {
            super(URI.create("memory:/" + file.path()), Kind.SOURCE);
            text = file.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
