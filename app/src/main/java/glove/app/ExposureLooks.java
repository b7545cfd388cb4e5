package glove.app;

import glove.app.PolicyLook.Kind;
import glove.host.DaemonConfig;
import glove.journal.DurableFileException;
import glove.policy.session.ExposureMode;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.SessionPolicy;
import glove.sandbox.Refusal;
import glove.session.exposure.ExposureCatalogue;
import glove.session.exposure.ExposureRefusedException;
import glove.session.exposure.ExposureState;
import glove.session.exposure.ExposureView;
import glove.session.exposure.RootException;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.Id128;
import glove.wire.U64;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is exposed beside the paths of a session policy: plans of schema 2 may ask for it. Read from
 * the journal itself; the daemon need not run, and is not disturbed. Stateless.
 */
final class ExposureLooks {
    private static final String NOT_LOOKED_AT = "exposures: what is exposed is not known: ";

    private ExposureLooks() {}

    /** All generations of all names, or why that is not known. */
    static List<PolicyLook> of(Linux linux, DaemonConfig config, SessionPolicy policy) {
        if (config.exposures().isEmpty()) {
            return List.of(unknown("exposures: the configuration has no path_exposure_journal: "
                    + "there are none"));
        }
        DaemonConfig.Exposures files = config.exposures().get();
        List<PolicyLook> looks = new ArrayList<>();
        try {
            ExposurePolicy known = ExposureOrder.policy(linux, files.policy());
            UnixPath journal = UnixPath.of(files.journal().text());
            long nowMs = System.currentTimeMillis();
            for (ExposureView view : ExposureCatalogue.read(linux, known, journal, nowMs)) {
                looks.add(look(view, policy));
            }
        } catch (Refusal | RootException | DurableFileException | ExposureRefusedException e) {
            return List.of(unknown(NOT_LOOKED_AT + e.getMessage()));
        }
        return looks.isEmpty() ? List.of(unknown("exposures: none was ever made")) : looks;
    }

    /** Why nothing was looked at, or there is nothing to look at. */
    static PolicyLook unknown(String words) {
        return new PolicyLook(Kind.EXPOSURE, "", "", Optional.empty(), false, List.of(words));
    }

    /** Without a configuration. */
    static PolicyLook unconfigured(String why) {
        return unknown(NOT_LOOKED_AT + why);
    }

    private static PolicyLook look(ExposureView view, SessionPolicy policy) {
        String id = view.exposureId().text();
        String end = view.state() == ExposureState.ACTIVE
                ? " until " + ToldExposure.time(view.expiresAtMs())
                : "";
        List<String> words = new ArrayList<>();
        words.add("exposure '" + id + "', generation " + U64.text(view.generation()) + ": "
                + view.state().word() + end);
        for (Id128 template : view.offer().templates()) {
            String known =
                    policy.template(template).isPresent() ? "" : ", which the policy does not have";
            words.add("  for template '" + template + "'" + known);
        }
        for (ExposureMode mode : view.offer().modes()) {
            words.add("  " + mode);
        }
        boolean active = view.state() == ExposureState.ACTIVE;
        return new PolicyLook(Kind.EXPOSURE, id, "", Optional.empty(), active, words);
    }
}
