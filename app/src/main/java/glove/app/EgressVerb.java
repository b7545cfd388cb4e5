package glove.app;

import glove.egress.Preset;

import java.util.List;

/** {@code glove egress}: what {@code --egress-allow @PRESET} stands for. Stateless. */
final class EgressVerb {
    static final String HELP = """
            usage: glove egress presets

            Shows what each @PRESET of 'glove exec --egress-allow' stands for: the rules,
            each with what is fetched there. A rule without a port means 443.

              presets     list them all

              -h, --help  this text

            example: glove egress presets
            """;

    private static final int EXIT_USAGE = 2;

    private EgressVerb() {}

    /** Exit status: 0, 1 when not all could be written, 2 for a bad command line. */
    static int run(List<String> words) {
        if (words.equals(List.of("presets"))) {
            return Output.print(presets());
        }
        if (words.equals(List.of("--help")) || words.equals(List.of("-h"))) {
            return Output.print(HELP);
        }
        Notices notices = new Notices("egress");
        notices.say("'presets' is wanted, and nothing else");
        notices.suggest("glove egress presets");
        return EXIT_USAGE;
    }

    private static String presets() {
        StringBuilder out = new StringBuilder();
        for (Preset preset : Preset.all()) {
            out.append(preset.name()).append("  ").append(preset.purpose()).append('\n');
            if (preset.entries().isEmpty()) {
                out.append("  no host: allow the one your client is set up for\n");
            }
            for (Preset.Entry entry : preset.entries()) {
                out.append("  ").append(entry.rule());
                for (int i = entry.rule().length(); i < 36; i++) {
                    out.append(' ');
                }
                out.append(' ').append(entry.purpose()).append('\n');
            }
        }
        return out.toString();
    }
}
