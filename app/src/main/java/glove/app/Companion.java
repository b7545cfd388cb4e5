package glove.app;

import glove.journal.AuditException;
import glove.journal.AuditLog;
import glove.sandbox.HomeFile;
import glove.sandbox.LaunchException;
import glove.sandbox.Launcher;
import glove.sandbox.Profile;
import glove.sandbox.Refusal;
import glove.sandbox.StandardStreams;
import glove.sys.ErrnoException;
import glove.sys.UnixPath;

import java.util.List;
import java.util.Optional;

/**
 * What goes along with a contained command: with {@code glove exec} nothing, with {@code glove run}
 * the way to its tools. Asked in the order of its methods. Closed when the run is over, however it
 * ended, while its record is open, and once more. Confined to the run's thread.
 */
interface Companion extends AutoCloseable {
    /**
     * What of Glove's own stands inside.
     *
     * @param programs names of {@link glove.sandbox.GuestPrograms}
     * @param sockets paths where Glove listens
     * @param files in a fresh HOME
     */
    record Inside(List<String> programs, List<UnixPath> sockets, List<HomeFile> files) {
        static final Inside NOTHING = new Inside(List.of(), List.of(), List.of());

        /** Copies the lists. */
        public Inside {
            programs = List.copyOf(programs);
            sockets = List.copyOf(sockets);
            files = List.copyOf(files);
        }
    }

    /**
     * What it has when the run begins.
     *
     * @param launcher borrowed until it is closed
     * @param log borrowed; there when {@link #isRecorded}
     */
    record Start(Launcher launcher, Optional<AuditLog> log, Profile profile, boolean verbose) {}

    /** Which verb this is. */
    String verb();

    /** The text of its help. */
    String help();

    /** Takes an option of its own; false when it knows none of that name. */
    boolean take(OptionWords option) throws Refusal;

    /** All options are read: refuses what can be refused by now. Nothing was started. */
    void check(ExecOptions options, Notices notices) throws Refusal, ErrnoException;

    /** What is to stand inside. */
    Inside inside();

    /** Whether there has to be an audit log. */
    boolean isRecorded();

    /** What it does, in lines for {@code --explain}. */
    List<String> described();

    /** Refuses what does not go with the profile. Nothing was started. */
    void examine(Profile profile) throws Refusal, ErrnoException;

    /** Begins, before the agent is launched. */
    void start(Start start) throws Refusal, LaunchException, AuditException, ErrnoException;

    /** Whether the agent's standard input and output are its business. */
    boolean takesStreams();

    /**
     * The agent's streams.
     *
     * @param callers as they would be without it
     */
    StandardStreams streams(StandardStreams callers) throws ErrnoException;

    /** The agent runs. */
    void attend(RunLoop loop) throws ErrnoException;

    @Override
    void close();
}
