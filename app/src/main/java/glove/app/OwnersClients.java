package glove.app;

import glove.egress.EgressException;
import glove.egress.Preset;
import glove.egress.Registries;
import glove.egress.RegistryUrl;
import glove.sandbox.AgentReach;
import glove.sandbox.Grant;
import glove.sandbox.HomeFile;
import glove.sandbox.LaunchException;
import glove.sandbox.Launcher;
import glove.sandbox.Profile;
import glove.sandbox.Program;
import glove.sandbox.Refusal;
import glove.sandbox.RunningProgram;
import glove.sandbox.Sandbox;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks the owner's package clients which registries they are set up for. A client is a large
 * program that loads what settings, variables and caches name, so it is asked contained: offline,
 * without a grant to write, in a HOME that holds copies of the settings files it needs and nothing
 * else. Nothing is asked that an agent of this run could change: its answer says what the agent may
 * reach. Confined to one thread.
 */
final class OwnersClients implements Registries {
    private static final String OPTION = "--egress-allow";
    private static final byte[] HOME = "HOME".getBytes(StandardCharsets.US_ASCII);
    private static final int SETTINGS_BYTES_MAX = 1 << 20;

    /** What a client may load and every sandbox shows. */
    private static final List<UnixPath> SHOWN_TO_ALL = List.of(
            UnixPath.of("/usr"), UnixPath.of("/bin"), UnixPath.of("/lib"), UnixPath.of("/etc"));

    private final ProfileSetup.Caller caller;
    private final Linux linux;
    private final List<AgentReach> reaches;
    private final Map<String, String> files = new LinkedHashMap<>();

    /** What was answered in this run: asked again, an agent could have had a say in between. */
    static final class Answers {
        private final Map<String, List<RegistryUrl>> urls = new HashMap<>();
    }

    /**
     * For one profile.
     *
     * @param reaches of all agents that will run
     */
    OwnersClients(ProfileSetup.Caller caller, List<AgentReach> reaches) {
        this.caller = caller;
        this.linux = caller.linux();
        this.reaches = List.copyOf(reaches);
    }

    @Override
    public List<RegistryUrl> urls(Preset.Question question) throws EgressException {
        List<RegistryUrl> urls = caller.answers().urls.get(question.preset());
        if (urls == null) {
            urls = ask(question);
            caller.answers().urls.put(question.preset(), urls);
        }
        remember(question, urls.get(0));
        return urls;
    }

    /** What tells the clients inside the same, below HOME. */
    List<HomeFile> files() {
        List<HomeFile> all = new ArrayList<>();
        for (Map.Entry<String, String> file : files.entrySet()) {
            all.add(new HomeFile(
                    UnixPath.of(file.getKey()), file.getValue().getBytes(StandardCharsets.UTF_8)));
        }
        return all;
    }

    private void remember(Preset.Question question, RegistryUrl url) {
        for (Preset.Setting setting : question.settings()) {
            if (!url.hasSecret()) {
                String line = setting.text().replace("URL", url.text()) + "\n";
                files.merge(setting.place(), line, String::concat);
            }
        }
    }

    private List<RegistryUrl> ask(Preset.Question question) throws EgressException {
        try {
            ExecOptions options = ExecOptions.parse(words(question));
            Companion.Inside inside =
                    new Companion.Inside(List.of(), List.of(), settings(question));
            try (ProfileSetup setup = ProfileSetup.of(caller, options, inside)) {
                refuseReachable(setup.profile(), question);
                ProgramAnswer answer = answer(setup, question.client());
                List<RegistryUrl> urls = RegistryUrl.in(answer.said());
                if (urls.isEmpty()) {
                    throw unanswered(question, "names no registry: " + answer.ended());
                }
                return urls;
            }
        } catch (Refusal | LaunchException | ErrnoException e) {
            throw unanswered(question, "cannot be asked: " + e.getMessage());
        }
    }

    /** The command line of {@code exec} that asks. */
    private List<byte[]> words(Preset.Question question) throws EgressException {
        Preset.Sight sight = question.sight();
        List<byte[]> words = new ArrayList<>(List.of(word("--no-git")));
        for (String tool : sight.tools()) {
            words.add(word("--tool"));
            words.add(word(tool));
        }
        for (String name : sight.variables()) {
            if (caller.invocation().variable(word(name)).isPresent()) {
                words.add(word("--env"));
                words.add(word(name));
            }
        }
        for (String path : sight.shown()) {
            if (exists(UnixPath.of(path))) {
                words.add(word("--read"));
                words.add(word(path));
            }
        }
        for (String directory : sight.starts()) {
            UnixPath path = home().resolve(directory);
            if (!exists(path)) {
                throw unanswered(question, "has not fetched anything yet: no '" + path + "'");
            }
            for (String option : new String[] {"--read", "--cwd"}) {
                words.add(word(option));
                words.add(path.bytes());
            }
        }
        words.add(word("--"));
        for (String argument : question.command()) {
            words.add(word(argument));
        }
        return words;
    }

    private boolean exists(UnixPath path) {
        try {
            linux.stat(path);
            return true;
        } catch (ErrnoException e) {
            return false;
        }
    }

    private static byte[] word(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private UnixPath home() {
        return UnixPath.of(caller.invocation().variable(HOME).orElse(new byte[] {'/'}));
    }

    /** Copies of the owner's files. */
    private List<HomeFile> settings(Preset.Question question)
            throws EgressException, ErrnoException {
        List<HomeFile> copies = new ArrayList<>();
        for (String place : question.sight().settings()) {
            UnixPath path = home().resolve(place);
            refuseReachable(path, question);
            int flags = OpenFlags.O_RDONLY | OpenFlags.O_NONBLOCK;
            try (OwnedFd file = linux.open(path, flags, 0)) {
                if (linux.fstat(file).isRegularFile()) {
                    copies.add(new HomeFile(
                            UnixPath.of(place), linux.readAll(file, SETTINGS_BYTES_MAX)));
                }
            } catch (ErrnoException e) {
                if (e.errno() != Errno.ENOENT && e.errno() != Errno.ENOTDIR) {
                    throw e;
                }
            }
        }
        return copies;
    }

    /** Neither its program nor anything it is shown. */
    private void refuseReachable(Profile asked, Preset.Question question)
            throws EgressException, ErrnoException {
        refuseReachable(asked.workingDirectory().resolve(asked.program().path()), question);
        for (Program.Interpreter interpreter : asked.program().interpreters()) {
            refuseReachable(asked.workingDirectory().resolve(interpreter.path()), question);
        }
        for (Grant grant : asked.grants().list()) {
            refuseReachable(grant.path(), question);
        }
        for (UnixPath directory : SHOWN_TO_ALL) {
            refuseReachable(directory, question);
        }
    }

    private void refuseReachable(UnixPath path, Preset.Question question)
            throws EgressException, ErrnoException {
        for (AgentReach reach : reaches) {
            if (reach.reaching(path).isPresent()) {
                throw unanswered(
                        question,
                        "cannot be trusted: '" + path + "' lies inside a writable grant, or holds "
                                + "one, so the agent could choose the answer");
            }
        }
    }

    private static EgressException unanswered(Preset.Question question, String why) {
        return new EgressException(
                OPTION + " " + question.preset() + ": your " + question.client()
                        + ", which knows your registry, " + TerminalText.of(why),
                OPTION + " HOST of that registry",
                "leave it out: what is refused is told at the end, each with its option");
    }

    private ProgramAnswer answer(ProfileSetup setup, String client)
            throws Refusal, LaunchException, ErrnoException {
        try (Launcher launcher = Launcher.open(linux, BuiltFiles.launcher())) {
            Sandbox sandbox = new Sandbox(linux, launcher);
            try (RunningProgram running =
                    sandbox.launchWithPipes(setup.profile(), client, Optional.empty())) {
                return ProgramAnswer.of(linux, running);
            }
        }
    }
}
