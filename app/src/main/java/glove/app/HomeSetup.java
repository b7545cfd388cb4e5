package glove.app;

import glove.sandbox.AgentHome;
import glove.sandbox.CacheShare;
import glove.sandbox.Grant;
import glove.sandbox.Grants;
import glove.sandbox.HomeFile;
import glove.sandbox.Refusal;
import glove.sandbox.Trouble;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.List;
import java.util.Optional;

/**
 * The agent's HOME for one run: made, filled and locked, or only looked at for {@code --explain}.
 * Owns the lock, so it is closed after the run. Confined to one thread.
 */
final class HomeSetup implements AutoCloseable {
    private final Optional<KeptHome> kept;
    private final AgentHome home;

    private HomeSetup(Optional<KeptHome> kept, AgentHome home) {
        this.kept = kept;
        this.home = home;
    }

    /**
     * Opens or makes it.
     *
     * @param files for a HOME that has none of that name yet
     */
    static HomeSetup of(
            Linux linux,
            Invocation invocation,
            ExecOptions options,
            Grants grants,
            List<HomeFile> files)
            throws Refusal, ErrnoException {
        Optional<UnixPath> name = options.homeOptions.name;
        try {
            return open(linux, invocation, options, grants, files);
        } catch (ErrnoException e) {
            if (name.isEmpty()) {
                throw e;
            }
            throw Trouble.refusal("cannot open the home of --home '" + name.get() + "'", e);
        }
    }

    private static HomeSetup open(
            Linux linux,
            Invocation invocation,
            ExecOptions options,
            Grants grants,
            List<HomeFile> files)
            throws Refusal, ErrnoException {
        List<CacheShare> caches = List.of();
        if (!options.homeOptions.caches.isEmpty()) {
            CacheTools tools = new CacheTools(linux, invocation, grants);
            for (UnixPath value : options.homeOptions.caches) {
                tools.add(value);
            }
            caches = tools.shares();
        }
        Optional<UnixPath> name = options.homeOptions.name;
        if (name.isEmpty()) {
            return new HomeSetup(Optional.empty(), new AgentHome(Optional.empty(), caches, files));
        }
        if (options.explain) {
            Optional<Grant> existing = existing(linux, invocation, name.get(), grants);
            return new HomeSetup(Optional.empty(), new AgentHome(existing, caches, files));
        }
        try (HomeStore store = HomeStore.open(linux, invocation)) {
            KeptHome.refuseOverlap(name.get(), store.path().resolve(name.get()), grants);
            KeptHome kept = KeptHome.open(store, linux, name.get(), options.homeOptions.sharing());
            HomeSetup setup = null;
            try {
                Grant grant = kept.grant();
                for (CacheShare cache : caches) {
                    kept.makePlace(cache.place());
                }
                for (HomeFile file : files) {
                    kept.addFile(file);
                }
                setup = new HomeSetup(
                        Optional.of(kept), new AgentHome(Optional.of(grant), caches, List.of()));
                return setup;
            } finally {
                if (setup == null) {
                    kept.close();
                }
            }
        }
    }

    private static Optional<Grant> existing(
            Linux linux, Invocation invocation, UnixPath name, Grants grants)
            throws Refusal, ErrnoException {
        Optional<HomeStore> found = HomeStore.openIfPresent(linux, invocation);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (HomeStore store = found.get()) {
            Optional<OwnedFd> directory = store.home(name, false);
            if (directory.isEmpty()) {
                return Optional.empty();
            }
            try (OwnedFd open = directory.get()) {
                KeptHome.refuseOverlap(name, linux.pathOf(open), grants);
                return Optional.of(KeptHome.grant(linux, open));
            }
        }
    }

    AgentHome home() {
        return home;
    }

    @Override
    public void close() {
        if (kept.isPresent()) {
            kept.get().close();
        }
    }
}
