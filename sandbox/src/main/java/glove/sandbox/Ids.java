package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;

/**
 * Who the sandbox is to the kernel. Process 1 is root of the first user namespace, the agent is
 * {@value #AGENT} in the second; neither is host root.
 *
 * <p>An ordinary user has one id to give: both namespaces map to it. Real root gives each run two
 * ids of its own from a high range, so that the agent and process 1 differ and neither owns
 * anything on the host (user_namespaces(7)).
 *
 * @param initId kernel id of process 1
 * @param agentId kernel id of the agent
 * @param initGid kernel group id of process 1
 * @param agentGid kernel group id of the agent
 */
public record Ids(int initId, int agentId, int initGid, int agentGid) {
    /** The agent's user and group id inside. */
    static final int AGENT = 1000;

    /**
     * First of the ids handed out when Glove runs as root: above what systems give to users,
     * containers and subordinate ranges, below 2^31, where some filesystems stop.
     */
    private static final int HIGH_BASE = 0x6000_0000;

    private static final int RUNS_PER_PROCESS = 64;

    /**
     * The ids of a sandbox of this process. Root of a user namespace that has no high ids is no
     * real root: like an ordinary user it has its own id to give.
     *
     * @param run counts the launches of this process
     */
    public static Ids ofThisProcess(Linux linux, int run) throws ErrnoException {
        int uid = linux.geteuid();
        if (uid == 0) {
            Ids high = highRange(linux.getpid(), run);
            if (IdMap.has(linux, high.initId()) && IdMap.has(linux, high.agentId())) {
                return high;
            }
        }
        return ofCaller(uid, linux.getegid());
    }

    /** The ids of an ordinary user's sandbox. */
    static Ids ofCaller(int uid, int gid) {
        return new Ids(uid, uid, gid, gid);
    }

    /**
     * Two ids no other live run of this pid namespace has.
     *
     * @param pid of this process (below 2^22, proc(5) pid_max)
     * @param run counts the launches of this process
     */
    static Ids highRange(int pid, int run) {
        int first = HIGH_BASE + (pid * RUNS_PER_PROCESS + run % RUNS_PER_PROCESS) * 2;
        return new Ids(first, first + 1, first, first + 1);
    }

    /** Whether process 1 and the agent are different to the kernel. */
    boolean separate() {
        return initId != agentId;
    }

    /** Only one id mapped by an unprivileged process: the kernel then demands "deny". */
    boolean deniesSetgroups() {
        return !separate();
    }

    /** The agent's id as process 1's namespace counts. */
    int agentInFirst() {
        return separate() ? AGENT : 0;
    }

    String initUidMap() {
        return map(initId, agentId);
    }

    String initGidMap() {
        return map(initGid, agentGid);
    }

    private String map(int init, int agent) {
        String root = "0 " + init + " 1\n";
        return separate() ? root + AGENT + " " + agent + " 1\n" : root;
    }

    /** The agent's own map, written by itself. */
    String agentMap() {
        return AGENT + " " + agentInFirst() + " 1\n";
    }

    /** What proc shows for the map of the first namespace, seen from inside it. */
    String initUidMapShown() {
        return separate() ? shown(0, initId) + shown(AGENT, agentId) : shown(0, initId);
    }

    String initGidMapShown() {
        return separate() ? shown(0, initGid) + shown(AGENT, agentGid) : shown(0, initGid);
    }

    String agentMapShown() {
        return shown(AGENT, agentInFirst());
    }

    /** One line of /proc/PID/uid_map: three columns of ten. */
    private static String shown(int inside, int outside) {
        return column(inside) + " " + column(outside) + " " + column(1) + "\n";
    }

    private static String column(int value) {
        String digits = Integer.toString(value);
        return "          ".substring(digits.length()) + digits;
    }
}
