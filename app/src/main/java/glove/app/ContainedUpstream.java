package glove.app;

import glove.sandbox.AgentReach;
import glove.sandbox.AgentSocket;
import glove.sandbox.Exit;
import glove.sandbox.Grant;
import glove.sandbox.Grants;
import glove.sandbox.LaunchException;
import glove.sandbox.Profile;
import glove.sandbox.Program;
import glove.sandbox.Refusal;
import glove.sandbox.RunningProgram;
import glove.sandbox.Sandbox;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

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
    private @Nullable Profile first; // what every launch is held to; null until made
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
            ProfileSetup setup = made.make();
            made.setup = setup;
            made.first = setup.profile();
        } catch (Refusal e) {
            throw about(options, e);
        }
        return made;
    }

    private static Refusal about(UpstreamOptions options, Refusal e) {
        return new Refusal(
                Refusal.EXIT_USAGE, options.subject() + ": " + e.getMessage(), e.hints());
    }

    /** What one with these options may write, without looking at anything else they name. */
    static AgentReach reach(Linux linux, UpstreamOptions options) throws Refusal {
        try {
            return AgentReach.of(linux, Grants.of(linux, parse(options).grants));
        } catch (Refusal e) {
            throw about(options, e);
        }
    }

    private ProfileSetup make() throws Refusal, ErrnoException {
        return ProfileSetup.of(caller, parse(options), Companion.Inside.NOTHING);
    }

    private static ExecOptions parse(UpstreamOptions options) throws Refusal {
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
        return ExecOptions.parse(words);
    }

    private static byte[] word(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** What it may do. */
    Profile profile() {
        if (first == null) {
            throw new IllegalStateException("asked before it was made");
        }
        return first;
    }

    /**
     * Refuses grants, sockets and programs that the agent could put others in place of; the root of
     * one of its grants it could not.
     */
    @Override
    public void refuseWritable(AgentReach reach, Notices notices) throws Refusal, ErrnoException {
        Profile mine = profile();
        List<UnixPath> shown = new ArrayList<>(setup == null ? List.of() : setup.asked());
        for (Grant grant : mine.grants().list()) {
            shown.add(grant.path());
        }
        for (UnixPath path : shown) {
            Optional<UnixPath> place = reach.replacing(path);
            if (place.isPresent()) {
                throw new Refusal(
                        options.subject() + ": what it is granted, '" + path
                                + "', lies inside a writable grant of the agent, by '"
                                + place.get() + "': the agent could lead it anywhere",
                        "grant it the root of that grant, or a path outside every writable one");
            }
        }
        refuseChanging(reach, mine.workingDirectory().resolve(mine.program().path()));
        for (Program.Interpreter interpreter : mine.program().interpreters()) {
            refuseChanging(reach, mine.workingDirectory().resolve(interpreter.path()));
        }
        UpstreamArguments.warn(reach, options, mine.workingDirectory(), notices);
    }

    private void refuseChanging(AgentReach reach, UnixPath file) throws Refusal, ErrnoException {
        Optional<UnixPath> place = reach.changing(file);
        if (place.isPresent()) {
            throw new Refusal(
                    options.subject() + ": '" + file + "' lies inside a writable grant of the "
                            + "agent, by '" + place.get() + "': the agent could put anything "
                            + "there, and it would run with all that this upstream may do",
                    "name a program outside every writable grant");
        }
    }

    /**
     * A profile serves one launch. The next is made anew, and must show and run the very files of
     * the first.
     */
    private ProfileSetup again() throws Refusal, ErrnoException {
        ProfileSetup next = make();
        boolean same = false;
        try {
            refuseOther(next.profile());
            same = true;
            return next;
        } finally {
            if (!same) {
                next.close();
            }
        }
    }

    private void refuseOther(Profile next) throws Refusal {
        Profile was = profile();
        List<Grant> grants = was.grants().list();
        List<Grant> now = next.grants().list();
        if (!grants.equals(now)) {
            UnixPath different = UnixPath.of("");
            for (int i = 0; i < now.size() && different.length() == 0; i++) {
                if (i >= grants.size() || !grants.get(i).equals(now.get(i))) {
                    different = now.get(i).path();
                }
            }
            throw replaced("what it is granted, '" + different + "',");
        }
        if (!was.program().equals(next.program())) {
            throw replaced("its program '" + was.program().path() + "'");
        }
        if (!was.workingDirectory().equals(next.workingDirectory())) {
            throw replaced("its working directory '" + was.workingDirectory() + "'");
        }
        if (!places(was).equals(places(next))) {
            throw replaced("a socket it may talk to");
        }
    }

    /** Where its sockets are; a service that is started again makes another one there. */
    private static List<UnixPath> places(Profile profile) {
        List<UnixPath> places = new ArrayList<>();
        for (AgentSocket socket : profile.sockets()) {
            places.add(socket.path());
            if (socket.service().isPresent()) {
                places.add(socket.service().get().path());
            }
        }
        return places;
    }

    private Refusal replaced(String what) {
        return new Refusal(
                options.subject() + ": " + what + " was replaced since the run began",
                "start the run again");
    }

    /** The first launch takes what was looked at; each later one the same again. */
    @Override
    public RunningProgram launch(Launching launching)
            throws Refusal, LaunchException, ErrnoException {
        ProfileSetup used = setup == null ? again() : setup;
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
            Optional<GuardWatch> made = used.watch(sandbox, program.sandbox(), launching.run());
            if (made.isPresent()) {
                names = made.get();
                attendants.add(made.get());
            }
            if (used.egress().letsOut()) {
                EgressAuditOfRun audit = new EgressAuditOfRun(
                        launching.log(), caller.notices(), false, options.name);
                EgressWatch watch = used.egress().watch(program.sandbox(), launching.run(), audit);
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
