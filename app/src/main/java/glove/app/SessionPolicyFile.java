package glove.app;

import glove.host.HostLooks;
import glove.journal.DurableFileException;
import glove.journal.ProtectedFile;
import glove.policy.session.SessionPolicy;
import glove.policy.session.SessionPolicyWarnings;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A session policy of the owner's, with all that is wrong with it. Immutable.
 *
 * @param path as it was given
 * @param policy empty when there are problems
 * @param problems sentences
 */
record SessionPolicyFile(UnixPath path, Optional<SessionPolicy> policy, List<String> problems) {
    private static final int PROBLEMS_MAX = 100;

    /** What it had better not say. */
    List<String> warnings() {
        return policy.map(SessionPolicyWarnings::of).orElse(List.of());
    }

    static SessionPolicyFile read(Linux linux, UnixPath path) {
        byte[] content;
        try {
            content =
                    ProtectedFile.read(linux, "the session policy", path, SessionPolicy.BYTES_MAX);
        } catch (DurableFileException e) {
            return new SessionPolicyFile(path, Optional.empty(), List.of(e.getMessage()));
        }
        JsonProblems problems = JsonProblems.all(PROBLEMS_MAX);
        Optional<SessionPolicy> policy =
                SessionPolicy.parse(content, new HostLooks(linux), problems);
        return new SessionPolicyFile(path, policy, sentences(problems));
    }

    /** Of a document, each in a line. */
    static List<String> sentences(JsonProblems problems) {
        List<String> all = new ArrayList<>();
        for (JsonProblem problem : problems.list()) {
            all.add(problem.toString());
        }
        if (problems.left() > 0) {
            all.add("and " + problems.left() + " more");
        }
        return all;
    }
}
