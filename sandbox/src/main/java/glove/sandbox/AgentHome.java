package glove.sandbox;

import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What stands in the agent's HOME when it starts. Immutable. */
public final class AgentHome {
    /** Empty and in memory. */
    public static final AgentHome FRESH = new AgentHome(Optional.empty(), List.of(), List.of());

    private final Optional<Grant> kept;
    private final List<CacheShare> caches;
    private final List<HomeFile> files;

    /**
     * Copies the lists.
     *
     * @param kept the host directory that serves as HOME; a fresh one in memory when there is none
     * @param caches tool caches of the host; where HOME is kept, the directories they are mounted
     *     on exist in it
     * @param files for a fresh HOME
     */
    public AgentHome(Optional<Grant> kept, List<CacheShare> caches, List<HomeFile> files) {
        this.kept = kept;
        this.caches = List.copyOf(caches);
        this.files = List.copyOf(files);
    }

    /** The host directory that serves as HOME, if there is one. */
    public Optional<Grant> kept() {
        return kept;
    }

    /** Tool caches of the host, in the order they are mounted. */
    public List<CacheShare> caches() {
        return caches;
    }

    List<HomeFile> files() {
        return files;
    }

    /** What is mounted from the host: the kept directory first, then the caches in their order. */
    List<Grant> sources() {
        List<Grant> all = new ArrayList<>();
        if (kept.isPresent()) {
            all.add(kept.get());
        }
        for (CacheShare cache : caches) {
            all.add(cache.source());
        }
        return all;
    }

    boolean isKeptIn(UnixPath path) {
        return kept.isPresent() && kept.get().path().equals(path);
    }

    /** Whether the agent can see a canonical host path here. */
    public boolean shows(UnixPath canonical) {
        for (Grant source : sources()) {
            if (canonical.startsWith(source.path())) {
                return true;
            }
        }
        return false;
    }

    /** Whether some cache is a private copy. */
    boolean copiesCaches() {
        for (CacheShare cache : caches) {
            if (cache.mode() == CacheShare.Mode.COPY) {
                return true;
            }
        }
        return false;
    }

    /** The same with every cache read-only. */
    AgentHome withReadOnlyCaches() {
        List<CacheShare> all = new ArrayList<>();
        for (CacheShare cache : caches) {
            all.add(new CacheShare(cache.source(), cache.place(), CacheShare.Mode.READ));
        }
        return new AgentHome(kept, all, files);
    }
}
