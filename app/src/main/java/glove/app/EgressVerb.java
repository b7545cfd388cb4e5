package glove.app;

import glove.egress.EgressException;
import glove.egress.Preset;
import glove.egress.RegistryUrl;
import glove.sys.Linux;

import java.util.List;

/** {@code glove egress}: what {@code --egress-allow @PRESET} stands for. Confined to one thread. */
final class EgressVerb {
    static final String HELP = """
            usage: glove egress presets

            Shows what each @PRESET of 'glove exec --egress-allow' stands for: the rules,
            each with what is fetched there. A rule without a port means 443. Where packages
            come from, your own package clients are asked: npm, pip, mvn, cargo, go, apt.

              presets     list them all

              -h, --help  this text

            example: glove egress presets
            """;

    private static final int EXIT_USAGE = 2;

    private static final int RULE_COLUMNS = 36;

    private final Linux linux;
    private final Invocation invocation;

    EgressVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Exit status: 0, 1 when not all could be written, 2 for a bad command line. */
    int run() {
        List<String> words = invocation.words();
        if (words.equals(List.of("--help")) || words.equals(List.of("-h"))) {
            return Output.print(HELP);
        }
        Notices notices = new Notices("egress");
        if (!words.equals(List.of("presets"))) {
            notices.say("'presets' is wanted, and nothing else");
            notices.suggest("glove egress presets");
            return EXIT_USAGE;
        }
        ProfileSetup.Caller caller = ProfileSetup.Caller.ofAgent(linux, invocation, notices);
        return Output.print(presets(new OwnersClients(caller, List.of())));
    }

    private static String presets(OwnersClients clients) {
        StringBuilder out = new StringBuilder();
        for (Preset preset : Preset.all()) {
            out.append(preset.name()).append("  ").append(preset.purpose()).append('\n');
            for (Preset.Entry entry : preset.entries()) {
                add(out, entry.rule(), entry.purpose());
            }
            if (preset.question().isPresent()) {
                add(out, preset.question().get(), clients);
            }
        }
        return out.toString();
    }

    private static void add(StringBuilder out, Preset.Question question, OwnersClients clients) {
        try {
            for (RegistryUrl url : clients.urls(question)) {
                add(out, url.rule(), "as your " + question.client() + " says");
            }
        } catch (EgressException e) {
            out.append("  unknown: ").append(e.getMessage()).append('\n');
        }
    }

    private static void add(StringBuilder out, String rule, String purpose) {
        out.append("  ").append(rule);
        for (int i = rule.length(); i < RULE_COLUMNS; i++) {
            out.append(' ');
        }
        out.append(' ').append(purpose).append('\n');
    }
}
