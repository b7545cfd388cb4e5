package glove.app;

import glove.policy.PolicyException;
import glove.policy.ToolPolicy;
import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.JsonLimits;

/**
 * Where the policy for tools is read from: a file that nobody but the caller can have written.
 * Stateless.
 */
final class PolicySource {
    private static final int OTHERS_WRITE = 022;

    private PolicySource() {}

    /**
     * Reads a policy file through one descriptor, so that what was checked is what is read.
     *
     * @throws Refusal when it is no regular file of the caller's, others can write it, or it is no
     *     policy
     */
    static ToolPolicy read(Linux linux, UnixPath path) throws Refusal {
        byte[] content;
        try (OwnedFd file = linux.open(path, OpenFlags.O_RDONLY | OpenFlags.O_NONBLOCK, 0)) {
            check(linux, path, linux.fstat(file));
            content = linux.readAll(file, JsonLimits.FILE.bytesMax());
        } catch (ErrnoException e) {
            throw new Refusal(
                    "cannot read the policy '" + path + "': " + e.getMessage(),
                    "ls -l " + ShellWord.operand(path));
        }
        try {
            return ToolPolicy.ofFile(content, path.toString());
        } catch (PolicyException e) {
            throw refusal(e);
        }
    }

    private static void check(Linux linux, UnixPath path, Stat stat) throws Refusal {
        if (!stat.isRegularFile()) {
            throw new Refusal("the policy '" + path + "' is no regular file");
        }
        if (stat.uid() != linux.geteuid()) {
            throw new Refusal(
                    "the policy '" + path + "' belongs to the user " + stat.uid() + ", not to you ("
                            + linux.geteuid() + ")",
                    "cp " + ShellWord.operand(path) + " a file of your own, and look at it");
        }
        if ((stat.mode() & OTHERS_WRITE) != 0) {
            throw new Refusal(
                    "the policy '" + path + "' can be written by others",
                    "chmod go-w " + ShellWord.operand(path));
        }
        if (stat.size() > JsonLimits.FILE.bytesMax()) {
            throw new Refusal("the policy '" + path + "' has " + stat.size() + " bytes, at most "
                    + JsonLimits.FILE.bytesMax() + " are taken");
        }
    }

    /** The same in the words of the command line. */
    static Refusal refusal(PolicyException e) {
        return new Refusal(e.getMessage(), e.hints().toArray(new String[0]));
    }
}
