package glove.app;

import java.util.ArrayList;
import java.util.List;

/** The verbs' help pages, for what is made from them. Stateless. */
final class Verbs {
    private Verbs() {}

    /** The page of {@code glove} itself; its words are the verbs. */
    static HelpPage overview() {
        return HelpPage.parse("", Glove.HELP);
    }

    /** The pages of all verbs, as the overview has them. */
    static List<HelpPage> pages() {
        List<HelpPage> pages = new ArrayList<>();
        for (HelpPage.Entry verb : overview().words()) {
            pages.add(page(verb.name()));
        }
        return List.copyOf(pages);
    }

    /** One verb's: all options it takes, its own first. */
    static HelpPage page(String verb) {
        HelpPage page = HelpPage.parse(verb, help(verb));
        return verb.equals("run") ? page.withOptionsOf(page("exec")) : page;
    }

    private static String help(String verb) {
        return switch (verb) {
            case "exec" -> ExecHelp.TEXT;
            case "run" -> RunHelp.TEXT;
            case "egress" -> EgressVerb.HELP;
            case "doctor" -> DoctorVerb.HELP;
            case "home" -> HomeVerb.HELP;
            case "audit" -> AuditVerb.HELP;
            case "tools" -> ToolsVerb.HELP;
            case "policy" -> PolicyVerb.HELP;
            case "plan" -> PlanVerb.HELP;
            case "init" -> InitVerb.HELP;
            case "exposure" -> ExposureVerb.HELP;
            case "session" -> SessionVerb.HELP;
            case "receipts" -> ReceiptsVerb.HELP;
            case "image" -> ImageVerb.HELP;
            case "completion" -> CompletionVerb.HELP;
            case "man" -> ManPage.HELP;
            default -> throw new IllegalStateException("no help of verb " + verb);
        };
    }
}
