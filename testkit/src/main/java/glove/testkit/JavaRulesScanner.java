package glove.testkit;

import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConstantCaseLabelTree;
import com.sun.source.tree.DefaultCaseLabelTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePathScanner;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.lang.model.element.Modifier;

/**
 * The rules on Java: budgets and banned APIs. Types are not known, so a rule goes by names as they
 * are written; where a name has an innocent twin, the twin is banned too. Confined to one thread.
 */
final class JavaRulesScanner extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private static final Set<String> BROAD = Set.of("Exception", "RuntimeException", "Throwable");
    private static final Set<String> DRAWERS =
            Set.of("util", "utils", "common", "impl", "helper", "helpers", "manager");
    private static final Set<String> DEFAULT_CHARSET =
            Set.of("InputStreamReader", "OutputStreamWriter", "FileReader", "FileWriter");

    /** Packages too slow on first use for the cold path, with what to use. */
    private static final Map<String, String> COLD_IMPORTS = Map.of(
            "java.util.regex.", "a plain loop",
            "java.util.stream.", "a plain loop",
            "java.util.logging.", "a line on stderr",
            "java.lang.foreign.", "glove.sys",
            "java.lang.reflect.", "plain calls",
            "java.nio.file.", "glove.sys.Linux",
            "javax.crypto.", "a module outside the cold path");

    /** Methods too slow on first use for the cold path: by name alone. */
    private static final Set<String> COLD_CALLS =
            Set.of("formatted", "stream", "parallelStream", "replaceAll", "replaceFirst", "split");

    private final JavaRules.Places places;
    private final SourceFile file;
    private final boolean cold;

    JavaRulesScanner(JavaRules.Places places) {
        this.places = places;
        this.file = places.file();
        this.cold = file.isCold() && !Allowed.WARM.containsKey(file.path());
    }

    @Override
    public @Nullable Void visitCompilationUnit(CompilationUnitTree unit, @Nullable Void nothing) {
        ExpressionTree name = unit.getPackageName();
        if (name != null) {
            for (String part : name.toString().split("\\.", -1)) {
                if (DRAWERS.contains(part)) {
                    places.ban(name, "the package name '" + part + "'", "the feature's name");
                }
            }
        }
        return super.visitCompilationUnit(unit, null);
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
        String name = type.getSimpleName().toString();
        for (String end : List.of("Util", "Utils", "Impl", "Helper", "Helpers", "Manager")) {
            if (name.endsWith(end)) {
                places.ban(type, "the type name '" + name + "'", "what it is for");
            }
        }
        return super.visitClass(type, null);
    }

    @Override
    public @Nullable Void visitImport(ImportTree imported, @Nullable Void nothing) {
        coldName(imported, imported.getQualifiedIdentifier().toString());
        return null; // its member selects are no uses
    }

    @Override
    public @Nullable Void visitMemberSelect(MemberSelectTree select, @Nullable Void nothing) {
        coldName(select, select + ".");
        return super.visitMemberSelect(select, null);
    }

    private void coldName(Tree tree, String name) {
        for (var banned : COLD_IMPORTS.entrySet()) {
            boolean whole = tree instanceof ImportTree;
            String prefix = banned.getKey();
            if (cold && (whole ? name.startsWith(prefix) : name.equals(prefix))) {
                places.ban(tree, name + " on the cold path", banned.getValue());
            }
        }
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
        String name = enclosingType().getSimpleName() + "." + method.getName();
        int lines = places.lines(method);
        if (lines > TextRules.METHOD_LINES_MAX) {
            String most = "use at most " + TextRules.METHOD_LINES_WANTED;
            places.add(method, name + " has " + lines + " lines, " + most);
        }
        int parameters = method.getParameters().size();
        // A record's own constructor repeats its components.
        boolean components =
                method.getReturnType() == null && enclosingType().getKind() == Tree.Kind.RECORD;
        if (parameters > TextRules.PARAMETERS_MAX
                && !components
                && !Allowed.LONG_PARAMETER_LISTS.containsKey(name)) {
            places.add(method, name + " has " + parameters + " parameters, use a record");
        }
        if (method.getModifiers().getFlags().contains(Modifier.NATIVE)
                && !file.path().startsWith("sys/")) {
            places.ban(method, "a native method here", "glove.sys");
        }
        return super.visitMethod(method, null);
    }

    /** The innermost type around the place; a method never stands outside one. */
    private ClassTree enclosingType() {
        for (Tree tree : getCurrentPath()) {
            if (tree instanceof ClassTree type) {
                return type;
            }
        }
        throw new IllegalStateException("a method without a type in " + file.path());
    }

    @Override
    public @Nullable Void visitCatch(CatchTree caught, @Nullable Void nothing) {
        String type = caught.getParameter().getType().toString();
        for (String part : type.split("[ |]+", -1)) {
            if (BROAD.contains(part) && !Allowed.BROAD_CATCHES.containsKey(file.path())) {
                places.ban(caught, "catch (" + part + ")", "the types that can be thrown");
            }
        }
        return super.visitCatch(caught, null);
    }

    @Override
    public @Nullable Void visitCase(CaseTree branch, @Nullable Void nothing) {
        for (Tree label : branch.getLabels()) {
            boolean plain =
                    label instanceof ConstantCaseLabelTree || label instanceof DefaultCaseLabelTree;
            if (cold && !plain) {
                places.ban(label, "a pattern switch on the cold path", "a method of the type");
            }
        }
        return super.visitCase(branch, null);
    }

    @Override
    public @Nullable Void visitNewClass(NewClassTree made, @Nullable Void nothing) {
        String type = made.getIdentifier().toString();
        int count = made.getArguments().size();
        if (type.equals("ProcessBuilder") && file.isProduct()) {
            places.ban(made, "ProcessBuilder", "glove.sys, which passes no descriptor by chance");
        } else if (type.equals("Thread") && (count == 0 || count == 1)) {
            places.ban(made, "new Thread without a name", "new Thread(task, name)");
        } else if (DEFAULT_CHARSET.contains(type) && count == 1) {
            places.ban(made, type + " with the default charset", "StandardCharsets.UTF_8");
        } else if (type.equals("String") && count == 1) {
            places.ban(made, "new String(x)", "new String(bytes, UTF_8) or String.valueOf(chars)");
        }
        return super.visitNewClass(made, null);
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void nothing) {
        if (call.getMethodSelect() instanceof MemberSelectTree select) {
            String name = select.getIdentifier().toString();
            String owner = select.getExpression().toString();
            process(call, owner, name);
            defaults(call, owner, name);
            if (cold && (COLD_CALLS.contains(name) || isFormat(owner, name))) {
                places.ban(call, name + "() on the cold path", "a plain loop or concatenation");
            }
            if (owner.equals("Thread") && name.equals("sleep") && !file.isProduct()) {
                places.ban(call, "Thread.sleep in tests", "a bounded wait for the event itself");
            }
        }
        return super.visitMethodInvocation(call, null);
    }

    private void process(Tree call, String owner, String name) {
        boolean runtime = owner.equals("Runtime.getRuntime()");
        boolean exit = owner.equals("System") && name.equals("exit");
        if ((exit || (runtime && (name.equals("halt") || name.equals("exit"))))
                && !Allowed.EXITS.contains(file.path())
                && !file.path().startsWith("scripts/")) {
            places.ban(call, owner + "." + name, "a return up to glove.app.Glove");
        } else if (runtime && name.equals("exec")) {
            places.ban(call, "Runtime.exec", "glove.sys, or testkit's Command in tests");
        }
        boolean load = name.equals("load") || name.equals("loadLibrary");
        if (load && (owner.equals("System") || runtime) && !file.path().startsWith("sys/")) {
            places.ban(call, owner + "." + name, "glove.sys");
        }
    }

    private void defaults(MethodInvocationTree call, String owner, String name) {
        boolean bare = call.getArguments().isEmpty();
        if (bare && name.equals("getBytes")) {
            places.ban(call, "getBytes() with the default charset", "getBytes(UTF_8)");
        } else if (bare && (name.equals("toLowerCase") || name.equals("toUpperCase"))) {
            places.ban(call, name + "() with the default locale", name + "(Locale.ROOT)");
        } else if (isFormat(owner, name)
                && !call.getArguments().getFirst().toString().startsWith("Locale.")) {
            places.ban(call, "String.format with the default locale", "Locale.ROOT");
        }
    }

    private static boolean isFormat(String owner, String name) {
        return owner.equals("String") && name.equals("format");
    }
}
