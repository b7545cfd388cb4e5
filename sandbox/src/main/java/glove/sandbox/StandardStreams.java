package glove.sandbox;

import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;

/** The agent's three standard streams, lent for the launch. */
public record StandardStreams(Fd stdin, Fd stdout, Fd stderr) {
    private static final byte[] PIPE = "pipe:[".getBytes(StandardCharsets.US_ASCII);
    private static final int OTHERS_READ = 04;
    private static final int OTHERS_WRITE = 02;
    private static final int PERMISSIONS = 07777;

    /** This process's own: bytes pass untouched. */
    public static StandardStreams inherited() {
        return new StandardStreams(BorrowedFd.STDIN, BorrowedFd.STDOUT, BorrowedFd.STDERR);
    }

    /**
     * Refuses what would be a way out: a directory, below which the agent could change the mode and
     * times of the host's files; and a file that a grant inside a writable one protects, because by
     * its descriptor it can be opened for writing as well.
     */
    void refuseWaysOut(Linux linux, Profile profile) throws Refusal {
        refuseWayOut(linux, profile, stdin, "standard input");
        refuseWayOut(linux, profile, stdout, "standard output");
        refuseWayOut(linux, profile, stderr, "standard error");
    }

    private static void refuseWayOut(Linux linux, Profile profile, Fd stream, String name)
            throws Refusal {
        try {
            Stat stat = linux.fstat(stream);
            if (stat.isDirectory()) {
                throw new Refusal(
                        name + " is a directory: a way to the host's files",
                        "redirect it from or to a file, or /dev/null");
            }
            if (stat.isRegularFile() && linux.accessMode(stream) == OpenFlags.O_RDONLY) {
                UnixPath path = linux.pathOf(stream);
                if (profile.grants().protectInsideWritable(path)) {
                    throw new Refusal(
                            name + " '" + path + "' lies in a read-only grant inside a writable "
                                    + "one: its descriptor could be opened for writing",
                            "cat " + ShellWord.operand(path) + " | glove exec ...");
                }
                if (profile.guards().over(path).isPresent()) {
                    throw new Refusal(
                            name + " '" + path + "' is protected or hidden in a writable grant: its"
                                    + " descriptor could be opened for writing",
                            "cat " + ShellWord.operand(path) + " | glove exec ...");
                }
            }
        } catch (ErrnoException e) {
            Trouble.refuse("cannot look at " + name, e);
            throw new Refusal(
                    "cannot look at " + name + ": " + e.getMessage(), "redirect it to /dev/null");
        }
    }

    /**
     * An agent of another user than the caller may open its pipes by name, for what it has them
     * anyway: scripts write to /dev/stderr. Nobody else gains: a pipe without a name can only be
     * opened through a process that holds it.
     */
    void letAgentOpenPipes(Linux linux) {
        letAgentOpen(linux, stdin);
        letAgentOpen(linux, stdout);
        letAgentOpen(linux, stderr);
    }

    private static void letAgentOpen(Linux linux, Fd stream) {
        try {
            if (isPipe(linux.pathOf(stream))) {
                int access = linux.accessMode(stream);
                int added = (access == OpenFlags.O_WRONLY ? 0 : OTHERS_READ)
                        | (access == OpenFlags.O_RDONLY ? 0 : OTHERS_WRITE);
                int mode = linux.fstat(stream).mode() & PERMISSIONS;
                if ((mode & added) != added) {
                    linux.fchmod(stream, mode | added);
                }
            }
        } catch (ErrnoException e) {
            // A closed stream, or a pipe of somebody this user has no power over: the descriptor
            // still works as it is, only its name does not.
        }
    }

    private static boolean isPipe(UnixPath path) {
        byte[] bytes = path.bytes();
        for (int i = 0; i < PIPE.length; i++) {
            if (i >= bytes.length || bytes[i] != PIPE[i]) {
                return false;
            }
        }
        return true;
    }
}
