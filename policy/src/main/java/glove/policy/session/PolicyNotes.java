package glove.policy.session;

import java.util.List;

/**
 * What somebody sees of the machine a policy is for, where the policy points: added to what {@link
 * SessionPolicyReview} says. Each note is a line of printable text.
 */
public interface PolicyNotes {
    /** On the command of a template. */
    List<String> onLaunch(RuntimeTemplate template);

    /** On the source of a path. */
    List<String> onSource(PathAlias alias);

    /** On the file of a secret. */
    List<String> onSecret(SecretMount mount);
}
