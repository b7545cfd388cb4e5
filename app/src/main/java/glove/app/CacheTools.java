package glove.app;

import glove.sandbox.Access;
import glove.sandbox.CacheShare;
import glove.sandbox.Grant;
import glove.sandbox.GrantRequest;
import glove.sandbox.Grants;
import glove.sandbox.Refusal;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where tools keep what they downloaded, as data: what {@code --cache} shares. Only what can be
 * fetched again, never a directory with settings or credentials. Confined to one thread.
 */
final class CacheTools {
    /**
     * One directory of a tool.
     *
     * @param variables of the caller that say where it is, each followed by what to add to its
     *     value; the first one that is set decides
     * @param usual below the caller's HOME, when none is set
     * @param place below HOME inside, where the tool looks when no variable is set
     */
    private record Cache(String tool, List<String> variables, String usual, String place) {}

    private static final Cache[] CACHES = {
        cache(
                "npm",
                ".npm/_cacache",
                "npm_config_cache",
                "/_cacache",
                "NPM_CONFIG_CACHE",
                "/_cacache"),
        cache("pip", ".cache/pip", "PIP_CACHE_DIR", "", "XDG_CACHE_HOME", "/pip"),
        cache("maven", ".m2/repository"),
        cache("gradle", ".gradle/caches", "GRADLE_USER_HOME", "/caches"),
        cache("gradle", ".gradle/wrapper", "GRADLE_USER_HOME", "/wrapper"),
        cache("cargo", ".cargo/registry", "CARGO_HOME", "/registry"),
        cache("cargo", ".cargo/git", "CARGO_HOME", "/git"),
        cache("go", "go/pkg/mod", "GOMODCACHE", "", "GOPATH", "/pkg/mod"),
        cache("go", ".cache/go-build", "GOCACHE", "", "XDG_CACHE_HOME", "/go-build"),
    };

    static final String TOOLS = "npm, pip, maven, gradle, cargo or go";

    private static final String READ_ONLY = ":ro";
    private static final String HOME = "HOME";

    private final Linux linux;
    private final Invocation invocation;
    private final Grants grants;
    private final List<CacheShare> shares = new ArrayList<>();

    /**
     * @param invocation says where the caller keeps them
     */
    CacheTools(Linux linux, Invocation invocation, Grants grants) {
        this.linux = linux;
        this.invocation = invocation;
        this.grants = grants;
    }

    private static Cache cache(String tool, String usual, String... variables) {
        return new Cache(tool, List.of(variables), usual, usual);
    }

    /** Of the tools, each once. */
    static List<String> names() {
        List<String> names = new ArrayList<>();
        for (Cache cache : CACHES) {
            if (!names.contains(cache.tool())) {
                names.add(cache.tool());
            }
        }
        return names;
    }

    /** Adds what one value of {@code --cache} asks for: {@code TOOL} or {@code TOOL:ro}. */
    void add(UnixPath value) throws Refusal {
        String text = value.toString();
        boolean readOnly = text.endsWith(READ_ONLY);
        String tool = readOnly ? text.substring(0, text.length() - READ_ONLY.length()) : text;
        boolean known = false;
        boolean found = false;
        StringBuilder looked = new StringBuilder();
        for (Cache cache : CACHES) {
            if (cache.tool().equals(tool)) {
                known = true;
                UnixPath path = locate(cache);
                looked.append(looked.isEmpty() ? "'" : ", '").append(path).append('\'');
                if (exists(path)) {
                    found = true;
                    share(path, cache, readOnly ? CacheShare.Mode.READ : CacheShare.Mode.COPY);
                }
            }
        }
        if (!known) {
            throw new Refusal("--cache '" + tool + "' is not known", "--cache with " + TOOLS);
        }
        if (!found) {
            throw new Refusal(
                    "--cache " + tool + ": there is no " + looked,
                    "leave it out: " + tool + " has downloaded nothing here");
        }
    }

    /** All of them, in the order they were asked for; each tool has a directory at least. */
    List<CacheShare> shares() {
        return shares;
    }

    private void share(UnixPath path, Cache cache, CacheShare.Mode mode) throws Refusal {
        String option = "--cache " + cache.tool();
        Grant source = Grants.one(linux, new GrantRequest(path, Access.READ, option));
        if (grants.show(source.path())) {
            throw new Refusal(
                    option + ": '" + source.path() + "' is in a granted path already",
                    "leave it out, and point " + cache.tool() + " there by --setenv");
        }
        UnixPath place = UnixPath.of(cache.place());
        for (CacheShare earlier : shares) {
            if (earlier.place().equals(place)) {
                throw new Refusal(option + " is given twice", "keep one");
            }
        }
        shares.add(new CacheShare(source, place, mode));
    }

    private boolean exists(UnixPath path) throws Refusal {
        try {
            return linux.stat(path).isDirectory();
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                return false;
            }
            throw new Refusal("cannot look at cache '" + path + "': " + Errno.words(e.errno()));
        }
    }

    private UnixPath locate(Cache cache) throws Refusal {
        for (int i = 0; i < cache.variables().size(); i += 2) {
            Optional<UnixPath> value = path(cache.variables().get(i));
            if (value.isPresent()) {
                String rest = cache.variables().get(i + 1);
                return rest.isEmpty() ? value.get() : value.get().resolve(rest.substring(1));
            }
        }
        Optional<UnixPath> home = path(HOME);
        if (home.isEmpty()) {
            throw new Refusal(
                    "--cache " + cache.tool() + ": HOME is not set",
                    "HOME=/home/you glove exec ...");
        }
        return home.get().resolve(cache.usual());
    }

    /** An absolute path in a variable; of a list of them, as GOPATH may be, the first. */
    private Optional<UnixPath> path(String name) {
        Optional<byte[]> value = invocation.variable(name.getBytes(StandardCharsets.US_ASCII));
        if (value.isEmpty()) {
            return Optional.empty();
        }
        List<UnixPath> paths = AgentEnvironment.directories(value.get());
        return paths.isEmpty() ? Optional.empty() : Optional.of(paths.get(0));
    }
}
