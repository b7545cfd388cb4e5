package glove.policy.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** What is to contain a session. */
public enum SandboxBackend implements WireWord {
    /** This machine: namespaces, cgroups and quotas of Linux. */
    LINUX_PRODUCTION("linux_production"),

    /** A Linux machine that is reached over the network. */
    REMOTE_LINUX_CONTAINER("remote_linux_container"),

    /** A virtual machine of Apple Container. */
    APPLE_CONTAINER("apple_container"),

    /** Seatbelt of macOS, for local probes: no daemon runs it. */
    MACOS_EXPERIMENTAL("macos_experimental");

    /** How formats write it. */
    public static final WordClass<SandboxBackend> CLASS = WordClass.of(values());

    private final String word;

    SandboxBackend(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}
