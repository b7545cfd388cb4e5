package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.sandbox.Refusal;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The help texts are the one table of options: what they say, the parsers take, and back. */
@Tag("unit")
final class HelpTest {
    private static final Path SOURCES =
            Path.of(System.getProperty("glove.root"), "app/src/main/java/glove/app");

    /** A second spelling of the limits; the help says so in a sentence. */
    private static final String ALIAS = "--limit-";

    private static HelpPage exec() {
        return HelpPage.parse("exec", ExecHelp.TEXT);
    }

    static List<HelpPage> pages() {
        return Verbs.pages();
    }

    static List<HelpPage.Option> options() {
        return exec().options();
    }

    private static Set<String> taken(String file) throws IOException {
        String source = Files.readString(SOURCES.resolve(file));
        Set<String> taken = new TreeSet<>();
        Matcher labels = Pattern.compile("case (\"-[^>]*\") ->").matcher(source);
        while (labels.find()) {
            for (String label : labels.group(1).split(",", -1)) {
                taken.add(label.strip().replace("\"", ""));
            }
        }
        return taken;
    }

    @Test
    void theHelpOfRunNamesItsOwnOptionsAndItsPageThoseOfExecToo() throws IOException {
        Set<String> own = new TreeSet<>();
        HelpPage.parse("run", RunHelp.TEXT).options().forEach(one -> own.addAll(one.names()));
        Set<String> all = new TreeSet<>();
        Verbs.page("run").options().forEach(one -> all.addAll(one.names()));
        Set<String> both = new TreeSet<>(own);
        exec().options().forEach(one -> both.addAll(one.names()));
        Set<String> expected = new TreeSet<>(taken("RunOptions.java"));
        expected.addAll(List.of("-h", "--help"));

        assertThat(own).hasSizeGreaterThan(15).isEqualTo(expected);
        assertThat(all).isEqualTo(both);
    }

    @Test
    void theHelpNamesEveryOptionTheParserTakes() throws IOException {
        Set<String> taken = taken("ExecOptions.java");
        Set<String> named = new TreeSet<>();
        exec().options().forEach(option -> named.addAll(option.names()));
        Set<String> aliases = new TreeSet<>(taken);
        aliases.removeIf(name -> !name.startsWith(ALIAS));
        taken.removeAll(aliases);

        assertThat(taken).hasSizeGreaterThan(15).isEqualTo(named);
        assertThat(named)
                .containsAll(aliases.stream()
                        .map(alias -> alias.replace(ALIAS, "--"))
                        .toList());
        assertThat(ExecHelp.TEXT).contains(ALIAS);
    }

    @ParameterizedTest
    @MethodSource("options")
    void theParserTakesEveryOptionOfTheHelpAsItIsWritten(HelpPage.Option option) {
        for (String name : option.names()) {
            Refusal alone = refusal(name, "--", "true");
            Refusal attached = refusal(name + "=", "--", "true");

            assertThat(message(alone)).doesNotContain("unknown option");
            if (option.value().isEmpty()) {
                assertThat(message(alone)).doesNotContain("needs a value");
                assertThat(message(attached)).contains("takes no value");
            } else {
                assertThat(message(alone)).contains(name + " needs a value");
                assertThat(message(attached)).doesNotContain("takes no value");
            }
        }
    }

    private static String message(Refusal refusal) {
        return refusal == null ? "" : String.valueOf(refusal.getMessage());
    }

    private static Refusal refusal(String... words) {
        List<byte[]> bytes = new ArrayList<>();
        for (String word : words) {
            bytes.add(word.getBytes(StandardCharsets.UTF_8));
        }
        return catchThrowableOfType(Refusal.class, () -> ExecOptions.parse(bytes));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyVerbsHelpIsShortWithAnExample(HelpPage page) throws IOException {
        String text = page.verb().equals("exec") ? ExecHelp.TEXT : textOf(page.verb());

        assertThat(text.lines().count()).isLessThanOrEqualTo(64);
        assertThat(text.lines()).allMatch(line -> line.length() <= 80, "at most 80 columns");
        assertThat(page.usage()).isNotEmpty().allMatch(line -> line.startsWith("glove "));
        assertThat(page.examples()).isNotEmpty().allMatch(line -> line.startsWith("glove "));
        assertThat(page.options()).anyMatch(option -> option.longName().equals("help"));
    }

    private static String textOf(String verb) {
        return switch (verb) {
            case "run" -> RunHelp.TEXT;
            case "egress" -> EgressVerb.HELP;
            case "doctor" -> DoctorVerb.HELP;
            case "home" -> HomeVerb.HELP;
            case "audit" -> AuditVerb.HELP;
            case "tools" -> ToolsVerb.HELP;
            case "policy" -> PolicyVerb.HELP;
            case "plan" -> PlanVerb.HELP;
            case "receipts" -> ReceiptsVerb.HELP;
            case "init" -> InitVerb.HELP;
            case "exposure" -> ExposureVerb.HELP;
            case "session" -> SessionVerb.HELP;
            case "image" -> ImageVerb.HELP;
            case "completion" -> CompletionVerb.HELP;
            case "man" -> ManPage.HELP;
            default -> throw new AssertionError(verb);
        };
    }

    @Test
    void theProgramKnowsTheVerbsOfTheOverview() throws IOException {
        String source = Files.readString(SOURCES.resolve("Glove.java"));

        assertThat(Verbs.overview().words())
                .isNotEmpty()
                .allMatch(word -> source.contains("case \"" + word.name() + "\" ->"));
    }

    @Test
    void aPageIsTakenApart() {
        HelpPage page = HelpPage.parse("x", """
                usage: glove x [OPTION...]
                       glove x list

                Does it, in
                two lines.

                  list        what there is

                  --read PATH         grant it,
                                      or not (+)
                  --long-flag-here-is  ... so
                  --json              --explain as data
                  -v, --verbose       more

                The end.

                example: glove x --read a
                """);

        assertThat(page.usage()).containsExactly("glove x [OPTION...]", "glove x list");
        assertThat(page.paragraphs()).containsExactly("Does it, in two lines.", "The end.");
        assertThat(page.words()).containsExactly(new HelpPage.Entry("list", "what there is"));
        assertThat(page.options())
                .containsExactly(
                        new HelpPage.Option(List.of("--read"), "PATH", "grant it, or not", true),
                        new HelpPage.Option(List.of("--long-flag-here-is"), "", "... so", false),
                        new HelpPage.Option(List.of("--json"), "", "--explain as data", false),
                        new HelpPage.Option(List.of("-v", "--verbose"), "", "more", false));
        assertThat(page.examples()).containsExactly("glove x --read a");
    }
}
