package glove.session;

import glove.journal.AppendSnapshot;
import glove.journal.DurableFileException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.List;

/**
 * What a session store holds, for its owner to look at while a daemon has it. All records are
 * checked as the daemon checks them. Stateless.
 */
public final class SessionSnapshot {
    private SessionSnapshot() {}

    /**
     * All sessions, by name, as the last whole record of each left it.
     *
     * @throws DurableFileException when the file cannot be read, is not the caller's alone, or
     *     holds anything that does not follow
     */
    public static List<SessionRecord> read(Linux linux, UnixPath path) throws DurableFileException {
        RegistryMemory memory = new RegistryMemory();
        AppendSnapshot.read(
                linux,
                path,
                SessionRegistry.Store.at(path).layout(),
                new SessionRegistry.RegistryReplay(memory));
        return memory.sorted();
    }
}
