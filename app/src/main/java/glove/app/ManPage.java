package glove.app;

import java.util.List;

/**
 * {@code glove man}: glove(1) in the man macros of groff_man(7), made from the help texts. Confined
 * to one thread.
 */
final class ManPage {
    static final String HELP = """
            usage: glove man

            Prints the manual page glove(1), made from the help texts.

              -h, --help  this text

            example: glove man > ~/.local/share/man/man1/glove.1
            """;

    private static final int EXIT_USAGE = 2;

    private final StringBuilder out = new StringBuilder();

    private ManPage() {}

    /** Exit status: 0, 1 when not all could be written, 2 for a bad command line. */
    static int run(List<String> words) {
        if (words.isEmpty()) {
            return Output.print(page());
        }
        if (words.get(0).equals("-h") || words.get(0).equals("--help")) {
            return Output.print(HELP);
        }
        Notices notices = new Notices("man");
        notices.say("it takes no words");
        notices.suggest("glove man > ~/.local/share/man/man1/glove.1");
        return EXIT_USAGE;
    }

    /** The page's source. */
    static String page() {
        return new ManPage().write();
    }

    private String write() {
        out.append(".\\\" Made by: glove man\n");
        out.append(".TH GLOVE 1 \"\" \"glove ").append(Glove.VERSION).append("\" \"\"\n");
        out.append(".SH NAME\nglove \\- run a command or coding agent contained\n");
        out.append(".SH SYNOPSIS\n.nf\n");
        List<HelpPage> pages = Verbs.pages();
        for (HelpPage page : pages) {
            for (String usage : page.usage()) {
                line(usage);
            }
        }
        out.append(".fi\n.SH DESCRIPTION\n");
        paragraph("Glove contains a program you would rather not trust by the Linux kernel's "
                + "namespaces, seccomp(2) and landlock(7). Its verbs:");
        for (HelpPage.Entry verb : Verbs.overview().words()) {
            entry(verb.name(), verb.text());
        }
        for (HelpPage page : pages) {
            out.append(".SH GLOVE ").append(upper(page.verb())).append('\n');
            describe(page);
        }
        return out.toString();
    }

    private void describe(HelpPage page) {
        boolean first = true;
        for (String text : page.paragraphs()) {
            paragraph(text);
            if (first) {
                addEntries(page);
                first = false;
            }
        }
        for (String example : page.examples()) {
            out.append(".PP\nExample:\n.PP\n.in +4n\n.EX\n");
            line(example);
            out.append(".EE\n.in\n");
        }
    }

    private void addEntries(HelpPage page) {
        for (HelpPage.Entry word : page.words()) {
            entry(word.name(), word.text());
        }
        for (HelpPage.Option option : page.options()) {
            String value = option.value().isEmpty() ? "" : " " + option.value();
            String names = String.join(", ", option.names());
            entry(names + value, option.text() + (option.repeatable() ? " (+)" : ""));
        }
    }

    private void paragraph(String text) {
        out.append(".PP\n");
        line(text);
    }

    private void entry(String subject, String text) {
        out.append(".TP\n.B ").append(escaped(subject)).append('\n');
        line(text);
    }

    private void line(String text) {
        String escaped = escaped(text);
        // A control line begins with one of these (groff(7)).
        boolean control = escaped.startsWith(".") || escaped.startsWith("'");
        out.append(control ? "\\&" : "").append(escaped).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("'", "\\(aq")
                .replace("~", "\\(ti")
                .replace("^", "\\(ha")
                .replace("`", "\\(ga");
    }

    /** Of ASCII letters. */
    private static String upper(String word) {
        StringBuilder upper = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            upper.append((char) (word.charAt(i) - 'a' + 'A'));
        }
        return upper.toString();
    }
}
