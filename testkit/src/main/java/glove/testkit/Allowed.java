package glove.testkit;

import java.util.Map;
import java.util.Set;

/**
 * The exceptions from the rules, each with its reason. A name that no longer needs its exception is
 * to be removed. Immutable.
 */
final class Allowed {
    /** The programs' only ways out. */
    static final Set<String> EXITS = Set.of(
            "app/src/main/java/glove/app/Glove.java",
            "host/src/main/java/glove/host/Gloved.java",
            "testkit/src/main/java/glove/testkit/FaultFindings.java");

    /** Files that may catch what no program expects, and go on. */
    static final Map<String, String> BROAD_CATCHES = Map.of(
            "host/src/main/java/glove/host/Isolated.java",
            "a bug met while serving one client must not end the daemon for all");

    /** Methods that may have more than {@link TextRules#PARAMETERS_MAX} parameters. */
    static final Map<String, String> LONG_PARAMETER_LISTS = Map.ofEntries(
            Map.entry("Syscalls.call", "the raw system call: a number and six words"),
            Map.entry("NativeSyscalls.call", "the raw system call"),
            Map.entry("NativeSyscalls.syscall", "the raw system call"),
            Map.entry("FaultySyscalls.call", "the raw system call"),
            Map.entry("FaultyCalls.call", "the raw system call"),
            Map.entry("Trap.call", "the raw system call"),
            Map.entry("Hierarchy.call", "the raw system call"),
            Map.entry("Crashing.call", "the raw system call"),
            Map.entry("DyingSyscalls.call", "the raw system call"),
            Map.entry("Linux.checked", "the raw system call"),
            Map.entry("SeccompProgram.decide", "older than the rule: to get a record"),
            Map.entry("ExecAudit.append", "older than the rule: to get a record"));

    /** Product files outside the cold path of {@code glove exec}, though in a cold module. */
    static final Map<String, String> WARM = Map.of(
            "app/src/main/java/glove/app/HostFamily.java", "doctor's alone",
            "app/src/main/java/glove/app/Threats.java", "doctor's alone");

    private Allowed() {}
}
