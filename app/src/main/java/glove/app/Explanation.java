package glove.app;

import glove.sandbox.Access;
import glove.sandbox.CacheShare;
import glove.sandbox.Grant;
import glove.sandbox.Guard;
import glove.sandbox.Nesting;
import glove.sandbox.Profile;
import glove.sandbox.Protection;
import glove.sys.UnixPath;
import glove.wire.JsonWriter;

import java.util.List;
import java.util.Optional;

/** A profile in words, or as data: what would be visible, writable, set and denied. */
final class Explanation {
    private static final int SCHEMA_VERSION = 1;
    private static final long MIB = 1L << 20;

    private final Profile profile;
    private final ExecOptions options;
    private final EgressSetup egress;
    private final String limits;
    private final List<String> beside;

    /**
     * Of a run.
     *
     * @param limits one line, each with what holds it
     * @param beside what goes along with it, in lines
     */
    Explanation(
            Profile profile,
            ExecOptions options,
            EgressSetup egress,
            String limits,
            List<String> beside) {
        this.beside = List.copyOf(beside);
        this.egress = egress;
        this.limits = limits;
        this.profile = profile;
        this.options = options;
    }

    /** The line {@code --verbose} prints. */
    static String summary(Profile profile) {
        return "readable=" + names(profile, Access.READ) + " writable="
                + names(profile, Access.WRITE) + " environment="
                + profile.environment().size()
                + guards(profile)
                + " landlock=" + profile.host().landlockAbi();
    }

    /** How many names are guarded, of each kind there is. */
    private static String guards(Profile profile) {
        StringBuilder out = new StringBuilder();
        for (Guard.Kind kind : Guard.Kind.values()) {
            int count = profile.guards().count(kind);
            if (count > 0) {
                out.append(' ').append(kind.words()).append('=').append(count);
            }
        }
        return out.toString();
    }

    private static String names(Profile profile, Access access) {
        StringBuilder out = new StringBuilder("[");
        for (Grant grant : profile.grants().list()) {
            if (grant.access() == access) {
                out.append(out.length() > 1 ? ", " : "").append(grant.path());
            }
        }
        return out.append(']').toString();
    }

    String text() {
        StringBuilder out = new StringBuilder();
        out.append("would run ").append(words(options.command)).append('\n');
        line(out, "program", program().toString());
        line(out, "start in", profile.workingDirectory().toString());
        line(
                out,
                "as",
                "agent (1000:1000), on the host " + profile.ids().agentId() + ":"
                        + profile.ids().agentGid() + "; no capability, none to be gained");
        out.append("\nwritable\n");
        addGrants(out, Access.WRITE);
        for (UnixPath path : profile.privateDirectories()) {
            boolean home = path.equals(profile.directories().home());
            line(out, path.toString(), home ? home() : "private, empty");
        }
        addCaches(out, CacheShare.Mode.COPY, "a private copy of your ");
        line(
                out,
                "",
                "private directories: " + profile.scratch().bytes() / MIB
                        + " MiB of memory together, gone at the end");
        out.append("\nreadable\n");
        addGrants(out, Access.READ);
        addCaches(out, CacheShare.Mode.READ, "your ");
        StringBuilder system = new StringBuilder();
        for (UnixPath path : profile.host().systemPaths()) {
            system.append(system.isEmpty() ? "" : " ").append(path);
        }
        wrap(out, system.toString());
        addGuards(out);
        addNetwork(out);
        if (!beside.isEmpty()) {
            out.append("\ntools, through the gateway\n");
        }
        for (String line : beside) {
            out.append("  ").append(line).append('\n');
        }
        out.append('\n').append(limits).append("\n\nenvironment\n");
        for (byte[] entry : profile.environment()) {
            out.append("  ").append(UnixPath.of(entry)).append('\n');
        }
        out.append("\ndenied, by what, and what backs it\n");
        for (Protection protection : Protection.of(profile)) {
            out.append("  ").append(protection.subject()).append('\n');
            out.append("      ").append(protection.mechanism());
            out.append("; ").append(protection.second()).append('\n');
        }
        out.append("\nNothing was run.\n");
        return out.toString();
    }

    private String home() {
        Optional<Grant> kept = profile.home().kept();
        if (kept.isPresent()) {
            return "kept in " + kept.get().path();
        }
        return options.homeOptions.name.isPresent()
                ? "to be kept as '" + options.homeOptions.name.get() + "', new"
                : "private, fresh";
    }

    private void addCaches(StringBuilder out, CacheShare.Mode mode, String text) {
        for (CacheShare cache : profile.home().caches()) {
            if (cache.mode() == mode) {
                UnixPath path = profile.directories().home().resolve(cache.place());
                line(out, path.toString(), text + cache.source().path());
            }
        }
    }

    private UnixPath program() {
        return profile.workingDirectory().resolve(profile.program().path()).normalize();
    }

    private void addGuards(StringBuilder out) {
        if (profile.guards().list().isEmpty()) {
            return;
        }
        out.append("\nprotected, hidden and masked inside the grants, as they are now\n");
        for (Guard guard : profile.guards().list()) {
            line(out, guard.path().toString(), guard.kind().words() + ": " + guard.why());
        }
    }

    private void addNetwork(StringBuilder out) {
        if (profile.loopback().isEmpty()) {
            return;
        }
        out.append("\nnetwork: the sandbox's own loopback");
        out.append(egress.letsOut() ? ", and through the proxy\n" : " only\n");
        for (String rule : egress.described()) {
            out.append("  ").append(rule).append('\n');
        }
        for (EgressOptions.Published ports : options.egress.published) {
            line(
                    out,
                    "127.0.0.1:" + ports.outside(),
                    "of this machine leads to port " + ports.inside() + " inside");
        }
    }

    private void addGrants(StringBuilder out, Access access) {
        for (Grant grant : profile.grants().list()) {
            if (grant.access() == access) {
                line(out, grant.path().toString(), "granted by " + grant.reason());
            }
        }
    }

    private static void line(StringBuilder out, String subject, String text) {
        out.append("  ").append(subject);
        for (int i = subject.length(); i < 16; i++) {
            out.append(' ');
        }
        out.append(' ').append(text).append('\n');
    }

    /** Words of a list, in lines of at most 80 columns. */
    private static void wrap(StringBuilder out, String words) {
        int column = 0;
        int start = 0;
        while (start < words.length()) {
            int end = words.indexOf(' ', start);
            end = end < 0 ? words.length() : end;
            if (column == 0 || column + end - start + 1 > 78) {
                out.append(column == 0 ? "  " : "\n  ");
                column = 2;
            } else {
                out.append(' ');
                column++;
            }
            out.append(words, start, end);
            column += end - start;
            start = end + 1;
        }
        out.append('\n');
    }

    private static String words(List<byte[]> command) {
        StringBuilder out = new StringBuilder();
        for (byte[] word : command) {
            out.append(out.isEmpty() ? "" : " ").append(UnixPath.of(word));
        }
        return out.toString();
    }

    String json() {
        JsonWriter json = new JsonWriter().beginObject();
        json.member("schema_version", SCHEMA_VERSION);
        json.name("command").beginArray();
        for (byte[] word : options.command) {
            json.value(UnixPath.of(word).toString());
        }
        json.endArray();
        json.member("program", program().toString())
                .member("working_directory", profile.workingDirectory().toString())
                .member("host_uid", profile.ids().agentId())
                .member("host_gid", profile.ids().agentGid());
        json.name("grants").beginArray();
        for (Grant grant : profile.grants().list()) {
            json.beginObject()
                    .member("path", grant.path().toString())
                    .member("access", grant.access() == Access.WRITE ? "write" : "read")
                    .member("reason", grant.reason())
                    .endObject();
        }
        json.endArray();
        addHome(json);
        paths(json, "private", profile.privateDirectories());
        json.member("private_bytes", profile.scratch().bytes());
        paths(json, "system", profile.host().systemPaths());
        json.name("environment").beginArray();
        for (byte[] entry : profile.environment()) {
            json.value(UnixPath.of(entry).toString());
        }
        json.endArray();
        json.member("limits", limits);
        json.name("guards").beginArray();
        for (Guard guard : profile.guards().list()) {
            json.beginObject()
                    .member("path", guard.path().toString())
                    .member("kind", guard.kind().words())
                    .member("why", guard.why())
                    .endObject();
        }
        json.endArray();
        addNetwork(json);
        json.member("landlock_abi", profile.host().landlockAbi());
        json.member("nesting", nesting(profile.nesting()));
        json.name("denied").beginArray();
        for (Protection protection : Protection.of(profile)) {
            json.beginObject()
                    .member("subject", protection.subject())
                    .member("mechanism", protection.mechanism())
                    .member("second", protection.second())
                    .endObject();
        }
        return json.endArray().endObject().toJson() + "\n";
    }

    private void addNetwork(JsonWriter json) {
        json.name("network").beginObject();
        json.member("loopback", profile.loopback().isPresent());
        json.name("egress").beginArray();
        for (String rule : egress.described()) {
            json.value(rule);
        }
        json.endArray();
        json.name("published").beginArray();
        for (EgressOptions.Published ports : options.egress.published) {
            json.beginObject()
                    .member("outside", ports.outside())
                    .member("inside", ports.inside())
                    .endObject();
        }
        json.endArray().endObject();
        json.name("tools").beginArray();
        for (String line : beside) {
            json.value(line);
        }
        json.endArray();
    }

    private void addHome(JsonWriter json) {
        Optional<Grant> kept = profile.home().kept();
        json.name("home").beginObject();
        json.member("path", profile.directories().home().toString());
        json.member("kept_in", kept.isPresent() ? kept.get().path().toString() : "");
        json.name("caches").beginArray();
        for (CacheShare cache : profile.home().caches()) {
            json.beginObject()
                    .member("path", cache.place().toString())
                    .member("source", cache.source().path().toString())
                    .member("mode", cache.mode() == CacheShare.Mode.COPY ? "copy" : "read")
                    .endObject();
        }
        json.endArray().endObject();
    }

    private static void paths(JsonWriter json, String name, List<UnixPath> paths) {
        json.name(name).beginArray();
        for (UnixPath path : paths) {
            json.value(path.toString());
        }
        json.endArray();
    }

    private static String nesting(Nesting nesting) {
        return switch (nesting) {
            case NONE -> "none";
            case USER_NAMESPACES -> "user_namespaces";
            case MOUNT_NAMESPACES -> "mount_namespaces";
        };
    }
}
