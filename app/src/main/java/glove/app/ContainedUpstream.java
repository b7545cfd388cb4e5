package glove.app;

import glove.sandbox.Exit;
import glove.sandbox.LaunchException;
import glove.sandbox.Profile;
import glove.sandbox.Refusal;
import glove.sandbox.RunningProgram;
import glove.sandbox.Sandbox;
import glove.sys.ErrnoException;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An upstream in a sandbox of its own, with its own grants and its own way out. Owns what its
 * profile needs. Confined to the run's thread.
 */
final class ContainedUpstream implements UpstreamProgram {
    private static final int SIGKILL = 9;

    private final ProfileSetup.Caller caller;
    private final UpstreamOptions options;
    private final List<Attendant> attendants = new ArrayList<>();
    private @Nullable ProfileSetup setup; // null when the last was used up
    private @Nullable GuardWatch names; // null when there is nothing to watch
    private @Nullable EgressWatch egress; // null when nothing is let out

    private ContainedUpstream(ProfileSetup.Caller caller, UpstreamOptions options) {
        this.caller = caller;
        this.options = options;
    }

    /** Looks at everything its options name. */
    static ContainedUpstream of(ProfileSetup.Caller caller, UpstreamOptions options)
            throws Refusal, ErrnoException {
        ContainedUpstream made = new ContainedUpstream(caller, options);
        try {
            made.setup = made.make();
        } catch (Refusal e) {
            throw new Refusal(
                    Refusal.EXIT_USAGE, options.subject() + ": " + e.getMessage(), e.hints());
        }
        return made;
    }

    private ProfileSetup make() throws Refusal, ErrnoException {
        List<byte[]> words = new ArrayList<>(options.sandbox.orElseThrow());
        for (byte[] name : options.copiedVariables) {
            words.add(word("--env"));
            words.add(name);
        }
        for (byte[] entry : options.setVariables) {
            words.add(word("--setenv"));
            words.add(entry);
        }
        if (options.workingDirectory.isPresent()) {
            words.add(word("--cwd"));
            words.add(options.workingDirectory.get().bytes());
        }
        words.add(word("--"));
        words.addAll(options.argv);
        return ProfileSetup.of(caller, ExecOptions.parse(words), Companion.Inside.NOTHING);
    }

    private static byte[] word(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** What it may do. */
    Profile profile() {
        if (setup == null) {
            throw new IllegalStateException("asked after it was used up");
        }
        return setup.profile();
    }

    /** A profile serves one launch: the next looks at everything anew. */
    @Override
    public RunningProgram launch(Launching launching)
            throws Refusal, LaunchException, ErrnoException {
        ProfileSetup used = setup == null ? make() : setup;
        setup = used;
        used.egress().descriptorsEach(0);
        Sandbox sandbox = new Sandbox(caller.linux(), launching.launcher());
        RunningProgram program =
                sandbox.launchWithPipes(used.profile(), options.subject(), Optional.empty());
        boolean attended = false;
        try {
            for (String sentence : sandbox.notices()) {
                caller.notices().say(options.name + ": " + sentence);
            }
            Optional<GuardWatch> names = used.watch(sandbox, program.sandbox(), launching.run());
            if (names.isPresent()) {
                attendants.add(names.get());
            }
            if (used.egress().letsOut()) {
                EgressJournalOfRun journal = new EgressJournalOfRun(
                        launching.log(), caller.notices(), false, options.name);
                EgressWatch watch =
                        used.egress().watch(program.sandbox(), launching.run(), journal);
                egress = watch;
                attendants.add(watch);
            }
            attended = true;
            return program;
        } finally {
            if (!attended) {
                program.close();
                close();
            }
        }
    }

    @Override
    public List<Attendant> attendants() {
        return attendants;
    }

    @Override
    public void close() {
        attendants.clear();
        if (names != null) {
            try {
                names.ended(new Exit.Signaled(SIGKILL));
            } catch (ErrnoException e) {
                caller.notices().say(options.name + ": " + e.getMessage());
            }
            names = null;
        }
        if (egress != null) {
            egress.cut(); // others are not to wait for what it still sends
            egress.close();
            egress = null;
        }
        if (setup != null) {
            setup.close();
            setup = null;
        }
    }
}
