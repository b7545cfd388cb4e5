package glove.app;

import glove.host.ClientException;
import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sys.Arch;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.Digest;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The probes of {@code glove doctor} that contain nothing. Stateless but for what it is given. */
final class HostProbes {
    private static final String RUNTIME = "runtime_directory";
    private static final String TEMPORARY = "temporary_directory";
    private static final UnixPath INSTALLED = UnixPath.of("/usr/libexec/glove/launcher");
    private static final int PROGRAM_BYTES_MAX = 4 << 20;
    private static final int DIGITS_SHOWN = 16;
    private static final int OTHERS = 077;
    private static final int OTHERS_WRITE = 022;
    private static final int STICKY = 01000;
    private static final int PERMISSIONS = 07777;
    private static final int JAVA_LEAST = 25;

    private final Linux linux;
    private final Invocation invocation;
    private final Remedies remedies;

    HostProbes(Linux linux, Invocation invocation, Remedies remedies) {
        this.linux = linux;
        this.invocation = invocation;
        this.remedies = remedies;
    }

    List<Probe> all() {
        return List.of(
                new Probe("kernel", deadline -> kernel()),
                new Probe("java", deadline -> java()),
                new Probe("launcher", deadline -> launcher()),
                new Probe("locale", deadline -> locale()),
                new Probe("open_files", deadline -> openFiles()),
                new Probe(TEMPORARY, deadline -> temporary()),
                new Probe(
                        StateProbe.STATE,
                        deadline -> StateProbe.ofKept(linux, invocation).look()),
                new Probe(
                        StateProbe.AUDIT,
                        deadline -> StateProbe.ofAudit(linux, invocation).look()),
                new Probe(RUNTIME, deadline -> runtime()),
                new Probe("gloved", deadline -> gloved()));
    }

    private Check kernel() throws ErrnoException {
        String release = linux.release();
        String host = HostFamily.name(linux);
        String words = "Linux " + release + " on " + Arch.host().name().toLowerCase(Locale.ROOT)
                + (host.isEmpty() ? "" : ", " + host)
                + (remedies.inContainer() ? ", in a container" : "");
        return atLeast(release, 5, 12)
                ? Check.ok("kernel", words)
                : Check.failed(
                        "kernel",
                        words + ": Linux 5.12 or newer is needed",
                        List.of(remedies.family().install("linux-image-amd64", "kernel", "linux")));
    }

    /** Whether a release such as {@code 6.18.4-arch1} is a version or newer. */
    static boolean atLeast(String release, int major, int minor) {
        int dot = release.indexOf('.');
        int first = number(dot < 0 ? release : release.substring(0, dot));
        int second = number(dot < 0 ? "" : release.substring(dot + 1));
        return first > major || (first == major && second >= minor);
    }

    private static int number(String text) {
        int value = 0;
        for (int i = 0; i < text.length() && i < 5; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                break;
            }
            value = 10 * value + c - '0';
        }
        return value;
    }

    private Check java() {
        int feature = Runtime.version().feature();
        String words =
                "Java " + Runtime.version() + " in '" + System.getProperty("java.home") + "'";
        return feature >= JAVA_LEAST
                ? Check.ok("java", words)
                : Check.failed(
                        "java",
                        words + ": " + JAVA_LEAST + " or newer is needed",
                        List.of(remedies.family()
                                .install(
                                        "openjdk-25-jdk-headless",
                                        "java-25-openjdk-devel",
                                        "a JDK 25")));
    }

    /** An installed launcher must be the build's: both read the same plans. */
    private Check launcher() throws ErrnoException {
        UnixPath built = BuiltFiles.launcher();
        String ours = digest(built);
        Optional<Stat> installed = linux.lstatIfPresent(INSTALLED);
        if (installed.isEmpty()) {
            return Check.ok("launcher", "sha256 " + shown(ours) + ", run from a sealed copy");
        }
        if (!installed.get().isRegularFile()
                || installed.get().uid() != 0
                || (installed.get().mode() & OTHERS_WRITE) != 0) {
            return Check.failed(
                    "launcher",
                    "'" + INSTALLED + "' is not root's alone to write: it is passed over",
                    remedies.ofLauncher());
        }
        String theirs = digest(INSTALLED);
        return theirs.equals(ours)
                ? Check.ok("launcher", "sha256 " + shown(ours) + ", run from '" + INSTALLED + "'")
                : Check.failed(
                        "launcher",
                        "'" + INSTALLED + "' is of another build (sha256 " + shown(theirs)
                                + ", this one's is " + shown(ours) + ")",
                        remedies.ofLauncher());
    }

    private String digest(UnixPath file) throws ErrnoException {
        return Digest.sha256(linux.readFile(file, PROGRAM_BYTES_MAX)).hex();
    }

    private static String shown(String digest) {
        return digest.substring(0, Math.min(DIGITS_SHOWN, digest.length()));
    }

    /** Names pass byte for byte whatever it is; what is shown of them may not. */
    private Check locale() {
        String encoding = System.getProperty("sun.jnu.encoding", "");
        String asked = "";
        for (String name : List.of("LC_ALL", "LC_CTYPE", "LANG")) {
            if (asked.isEmpty()) {
                asked = text(name);
            }
        }
        boolean utf8 = encoding.equalsIgnoreCase("UTF-8");
        return utf8
                ? Check.ok("locale", "UTF-8")
                : Check.missing(
                        "locale",
                        "'" + (asked.isEmpty() ? "POSIX" : asked) + "' is taken as " + encoding
                                + ": names pass byte for byte, lists may show them otherwise",
                        List.of("export LC_ALL=C.UTF-8"));
    }

    private Check openFiles() throws ErrnoException {
        long hard = linux.openFileLimit().hard();
        try {
            OpenFiles.each(hard, 1);
            return Check.ok("open_files", hard < 0 ? "no limit" : hard + " at once");
        } catch (Refusal e) {
            return Check.missing("open_files", e.getMessage(), e.hints());
        }
    }

    private String text(String name) {
        byte[] value =
                invocation.variable(name.getBytes(StandardCharsets.US_ASCII)).orElse(new byte[0]);
        return new String(value, StandardCharsets.UTF_8);
    }

    /** Where others put temporary files, too. */
    static UnixPath temporary(Invocation invocation) {
        byte[] named = invocation
                .variable("TMPDIR".getBytes(StandardCharsets.US_ASCII))
                .orElse(new byte[0]);
        return named.length > 0 && named[0] == '/' ? UnixPath.of(named) : UnixPath.of("/tmp");
    }

    private Check temporary() {
        UnixPath path = temporary(invocation);
        try (OwnedFd directory = linux.open(path, OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY, 0)) {
            int mode = linux.fstat(directory).mode() & PERMISSIONS;
            if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
                return Check.failed(
                        TEMPORARY,
                        "in '" + path + "' everybody can replace everybody's files",
                        List.of("sudo chmod +t " + ShellWord.operand(path)));
            }
            StateProbe.tryToWrite(linux, directory);
            return Check.ok(TEMPORARY, "'" + path + "' can be written");
        } catch (ErrnoException e) {
            return Check.missing(
                    TEMPORARY,
                    "'" + path + "': " + e.getMessage()
                            + "; exec needs none, an agent's is its own",
                    StateProbe.remedy(e, path, "export TMPDIR=/a/directory/of/yours"));
        }
    }

    private Check runtime() {
        String named = text("XDG_RUNTIME_DIR");
        if (named.isEmpty()) {
            return Check.ok(RUNTIME, "none is named; only systemd's scopes are found by it");
        }
        try (OwnedFd directory =
                linux.open(UnixPath.of(named), OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY, 0)) {
            Stat stat = linux.fstat(directory);
            if (stat.uid() != linux.geteuid() || (stat.mode() & OTHERS) != 0) {
                return Check.failed(
                        RUNTIME,
                        "'" + named + "' is not this user's alone",
                        List.of("unset XDG_RUNTIME_DIR, or log in as this user (su -l, "
                                + "machinectl shell)"));
            }
            StateProbe.tryToWrite(linux, directory);
            return Check.ok(RUNTIME, "'" + named + "' is this user's alone");
        } catch (ErrnoException e) {
            return Check.missing(
                    RUNTIME,
                    "'" + named + "': " + e.getMessage(),
                    StateProbe.remedy(e, UnixPath.of(named), "unset XDG_RUNTIME_DIR"));
        }
    }

    private Check gloved() {
        List<String> start = List.of("gloved --config FILE");
        DaemonPlace place;
        try {
            Optional<DaemonPlace> configured = DaemonPlace.ifConfigured(linux, invocation);
            if (configured.isEmpty()) {
                return Check.ok("gloved", "none is configured; exec and run need none");
            }
            place = configured.get();
            place.client(linux).ask("capabilities");
            return Check.ok("gloved", "it answers in '" + place.runtime() + "'");
        } catch (Refusal e) {
            return Check.failed("gloved", e.getMessage(), e.hints());
        } catch (ErrnoException e) {
            return Check.failed("gloved", String.valueOf(e.getMessage()), List.of());
        } catch (ClientException e) {
            String words = TerminalText.of(e.getMessage());
            return e.kind() == ClientException.Kind.NOT_RUNNING
                    ? Check.missing("gloved", "it is configured and does not run: " + words, start)
                    : Check.failed("gloved", words, start);
        }
    }
}
