package glove.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.List;

/** Each rule on Java: one text it must catch, and texts it must leave alone. */
@Tag("unit")
final class JavaRulesTest {
    private static final String COLD = "sandbox/src/main/java/glove/sandbox/A.java";
    private static final String WARM = "wire/src/main/java/glove/wire/A.java";
    private static final String TEST = "wire/src/test/java/glove/wire/ATest.java";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Runtime.getRuntime().exec(words) | Runtime.exec is banned",
                "new ProcessBuilder(words) | ProcessBuilder is banned",
                "new Thread(task) | new Thread without a name is banned",
                "text.getBytes() | getBytes() with the default charset is banned",
                "new String(bytes) | new String(x) is banned",
                "text.toLowerCase() | toLowerCase() with the default locale is banned",
                "new FileReader(x) | FileReader with the default charset is banned",
                "String.format(\"%d\", 1) | String.format with the default locale is banned",
                "System.exit(1) | System.exit is banned",
                "Runtime.getRuntime().halt(1) | Runtime.getRuntime().halt is banned",
                "System.load(path) | System.load is banned",
                "System.loadLibrary(name) | System.loadLibrary is banned",
            })
    void bansExpressionsEverywhereInTheProduct(String expression, String message)
            throws IOException {
        String text = "class A { Object a() { return " + expression + "; } }";

        assertThat(check(WARM, text)).singleElement().asString().contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "list.stream()",
                "text.split(x)",
                "text.replaceAll(x, y)",
                "text.formatted(x)",
                "String.format(Locale.ROOT, x)",
                "java.util.regex.Pattern.compile(x)",
                "java.nio.file.Files.exists(x)",
                "switch (x) { case Integer i -> 1; default -> 2; }",
                "switch (x) { case Point(int a, int b) -> 1; default -> 2; }",
            })
    void bansSlowStartersOnlyOnTheColdPath(String expression) throws IOException {
        String text = "class A { Object a() { return " + expression + "; } }";

        assertThat(check(COLD, text)).singleElement().asString().contains("on the cold path");
        assertThat(check(WARM, text)).isEmpty();
    }

    @Test
    void bansImportsOnTheColdPath() throws IOException {
        String text = "import java.util.regex.Pattern;\nimport java.util.List;\nclass A {}";

        assertThat(check(COLD, text))
                .containsExactly(new Finding(
                        COLD,
                        1,
                        "java.util.regex.Pattern on the cold path is banned,"
                                + " use a plain loop"));
        assertThat(check(WARM, text)).isEmpty();
    }

    @Test
    void leavesPlainSwitchesAlone() throws IOException {
        String text =
                "class A { int a(int x) { return switch (x) { case 1 -> 2; default -> 3; }; } }";

        assertThat(check(COLD, text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"Exception", "Throwable", "RuntimeException", "java.io.IOException + Error"})
    void bansBroadCatches(String type) throws IOException {
        String union = type.replace("+", "|");
        String text = "class A { void a() { try { b(); } catch (" + union + " e) { c(e); } } }";

        List<Finding> found = check(WARM, text);

        assertThat(found).hasSize(type.contains("+") ? 0 : 1);
    }

    @Test
    void bansABroadTypeInAUnion() throws IOException {
        String text = "class A { void a() { try { b(); } catch (Error | Exception e) { c(e); } } }";

        assertThat(check(WARM, text)).singleElement().asString().contains("catch (Exception)");
    }

    @Test
    void bansNativeMethodsOutsideSys() throws IOException {
        String text = "class A { native void a(); }";

        assertThat(check(WARM, text)).singleElement().asString().contains("a native method here");
        assertThat(check("sys/src/main/java/glove/sys/A.java", text)).isEmpty();
    }

    @Test
    void bansSleepInTestsAndAllowsProcessBuilderThere() throws IOException {
        String text = "class A { void a() { Thread.sleep(1); new ProcessBuilder(x); } }";

        assertThat(check(TEST, text)).singleElement().asString().contains("Thread.sleep in tests");
    }

    @Test
    void countsTheLinesOfAMethod() throws IOException {
        String head = "class A {\n  void a() {\n";

        assertThat(check(WARM, head + "    b();\n".repeat(68) + "  }\n}")).isEmpty();
        assertThat(check(WARM, head + "    b();\n".repeat(69) + "  }\n}"))
                .containsExactly(new Finding(WARM, 2, "A.a has 71 lines, use at most 60"));
    }

    @Test
    void countsParametersExceptWhereListed() throws IOException {
        String six = "(int a, int b, int c, int d, int e, int f)";

        assertThat(check(WARM, "class A { void a" + six + " {} }"))
                .singleElement()
                .asString()
                .contains("A.a has 6 parameters, use a record");
        assertThat(check(WARM, "interface Syscalls { void call" + six + "; }")).isEmpty();
        assertThat(check(WARM, "record A" + six + " { A { check(a); } }")).isEmpty();
        assertThat(check(WARM, "record A(int a) { void b" + six + " {} }")).hasSize(1);
    }

    @Test
    void bansDrawers() throws IOException {
        assertThat(check(WARM, "package glove.util; class A {}")).hasSize(1);
        assertThat(check(WARM, "class SandboxHelper {}")).hasSize(1);
    }

    @Test
    void reportsWhatCannotBeParsed() throws IOException {
        assertThat(check(WARM, "class A {\n int a( }")).isNotEmpty();
    }

    private static List<Finding> check(String path, String text) throws IOException {
        return JavaRules.check(List.of(new SourceFile(path, text)));
    }
}
