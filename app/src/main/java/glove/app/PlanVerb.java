package glove.app;

import glove.host.HostLooks;
import glove.policy.session.ExposureGrants;
import glove.policy.session.PlanRules;
import glove.policy.session.SessionPlan;
import glove.sandbox.Refusal;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code glove plan}: what gloved would say to a plan, without asking it. */
final class PlanVerb {
    static final String HELP = """
            usage: glove plan validate FILE [--policy FILE] [--json]

            A session plan, as controllers send it to gloved. Tells all that is wrong with
            it, each with its place (a JSON Pointer); of a good one its digest.

              validate  checks the form alone, or with --policy also whether that policy
                        allows it now; exposures of schema 2 are known to gloved alone

              --policy FILE  a session policy, absolute and yours with mode 600
              --json         print the answer as data
              -h, --help     this text

            Exit status 0 for a good plan, 1 for another, 2 for a bad command line.

            example: glove plan validate plan.json --policy /etc/glove/session-policy.json
            """;

    private static final String SEE_HELP = "glove plan --help";
    private static final int SCHEMA_VERSION = 1;
    private static final int PROBLEMS_MAX = 100;

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices = new Notices("plan");

    PlanVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Does it all and returns the exit status. */
    int run() {
        try {
            VerbWords words = VerbWords.of(invocation, List.of("--policy"));
            if (words.help()) {
                return Output.print(HELP);
            }
            if (words.rest().size() != 2 || !words.rest().get(0).equals("validate")) {
                throw new Refusal("'validate' and one file are wanted", SEE_HELP);
            }
            byte[] json = content(UnixPath.of(words.rest().get(1)));
            List<String> problems = new ArrayList<>();
            Optional<SessionPlan> plan = admit(json, words.value("--policy"), problems);
            return tell(plan, problems, words.json());
        } catch (Refusal e) {
            DaemonPlace.refuse(notices, e);
            return Refusal.EXIT_USAGE;
        }
    }

    private byte[] content(UnixPath file) throws Refusal {
        try {
            return linux.readFile(file, JsonLimits.FILE.bytesMax());
        } catch (ErrnoException e) {
            throw new Refusal("cannot read the plan: " + e.getMessage(), SEE_HELP);
        }
    }

    private Optional<SessionPlan> admit(
            byte[] json, Optional<UnixPath> policy, List<String> problems) throws Refusal {
        JsonProblems found = JsonProblems.all(PROBLEMS_MAX);
        Optional<SessionPlan> plan;
        if (policy.isEmpty()) {
            plan = SessionPlan.parse(json, found);
        } else {
            SessionPolicyFile read = SessionPolicyFile.read(linux, policy.get());
            if (read.policy().isEmpty()) {
                throw new Refusal(
                        "the policy is not valid: " + read.problems().get(0),
                        "glove policy validate --file " + policy.get());
            }
            PlanRules rules =
                    new PlanRules(read.policy().get(), new HostLooks(linux), ExposureGrants.NONE);
            plan = rules.admit(json, System.currentTimeMillis(), found);
        }
        problems.addAll(SessionPolicyFile.sentences(found));
        return plan;
    }

    private int tell(Optional<SessionPlan> plan, List<String> problems, boolean json) {
        Optional<Digest> digest = plan.map(SessionPlan::contentDigest);
        if (json) {
            JsonWriter data = new JsonWriter().beginObject();
            data.member("schema_version", SCHEMA_VERSION).member("valid", plan.isPresent());
            digest.ifPresent(value -> data.member("plan_content_digest", value.hex()));
            data.name("problems").beginArray();
            problems.forEach(data::value);
            int printed = Output.printJson(data.endArray().endObject().toJson());
            return plan.isPresent() ? printed : 1;
        }
        if (digest.isPresent()) {
            return Output.print("a good plan: plan_content_digest " + digest.get() + "\n");
        }
        problems.forEach(problem -> notices.say(TerminalText.of(problem)));
        return 1;
    }
}
