package glove.session.exposure;

import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRequest;
import glove.sys.Linux;

import java.util.Optional;

/** Looks for what shall be exposed as a registry does, before one is asked to. Stateless. */
public final class ExposureSources {
    private ExposureSources() {}

    /**
     * Why nothing that can be exposed stands there, as the caller sees it; empty when it does.
     *
     * @param asked of a root of the policy
     */
    public static Optional<String> refusal(
            Linux linux, ExposurePolicy policy, ExposureRequest asked) {
        try (PinnedRoots roots = PinnedRoots.open(linux, policy)) {
            roots.locate(asked.rootId(), asked.hostPath().path()).close();
            return Optional.empty();
        } catch (RootException e) {
            return Optional.of(e.getMessage());
        } catch (ExposureRefusedException e) {
            return Optional.of(e.getMessage());
        }
    }
}
