package glove.app;

import glove.sandbox.Refusal;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options of {@code glove exec} about the agent's HOME, as given. Confined to one thread. */
final class HomeOptions {
    Optional<UnixPath> name = Optional.empty();
    boolean shared;

    /** Values of --cache: {@code TOOL} or {@code TOOL:ro}. */
    final List<UnixPath> caches = new ArrayList<>();

    void setName(UnixPath given) throws Refusal {
        HomeStore.checkName(given, "--home");
        name = Optional.of(given);
    }

    /** What can be said without looking at the machine. */
    void check() throws Refusal {
        if (shared && name.isEmpty()) {
            throw new Refusal("--home-shared goes with --home", "--home NAME --home-shared");
        }
    }

    HomeLock.Sharing sharing() {
        return shared ? HomeLock.Sharing.SHARED : HomeLock.Sharing.ALONE;
    }
}
