package glove.app;

import glove.egress.EgressException;
import glove.egress.Preset;
import glove.egress.Registries;
import glove.egress.RegistryUrl;
import glove.sandbox.AgentReach;
import glove.sandbox.HomeFile;
import glove.sandbox.HostProgram;
import glove.sandbox.HostProgramLookup;
import glove.sandbox.LaunchException;
import glove.sandbox.Launcher;
import glove.sandbox.Program;
import glove.sandbox.Refusal;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks the package clients of the owner, run as the owner runs them, which registries they are set
 * up for. They start in {@code /}, so no file of a project has a say (decision 30), and none is
 * asked that the agent could put another program or settings file in place of. Confined to one
 * thread.
 */
final class OwnersClients implements Registries {
    private static final byte[] PATH = "PATH".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HOME = "HOME".getBytes(StandardCharsets.US_ASCII);
    private static final String OPTION = "--egress-allow";
    private static final UnixPath START = UnixPath.of("/");

    private final Linux linux;
    private final Invocation invocation;
    private final AgentReach reach;
    private final Map<String, String> files = new LinkedHashMap<>();

    /**
     * For one run.
     *
     * @param reach of the agent that will run
     */
    OwnersClients(Linux linux, Invocation invocation, AgentReach reach) {
        this.linux = linux;
        this.invocation = invocation;
        this.reach = reach;
    }

    @Override
    public List<RegistryUrl> urls(Preset.Question question) throws EgressException {
        try {
            HostProgram client = client(question);
            refuseReachable(client, question);
            HostAnswer answer = ask(client);
            List<RegistryUrl> urls = RegistryUrl.in(answer.said());
            if (urls.isEmpty()) {
                throw unanswered(question, "named no registry: " + answer.ended());
            }
            remember(question, urls.get(0));
            return urls;
        } catch (Refusal | LaunchException | ErrnoException e) {
            throw unanswered(question, "cannot be asked: " + e.getMessage());
        }
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

    private HostProgram client(Preset.Question question) throws Refusal {
        List<byte[]> argv = new ArrayList<>();
        for (String word : question.command()) {
            argv.add(word.getBytes(StandardCharsets.UTF_8));
        }
        List<UnixPath> path =
                AgentEnvironment.directories(invocation.variable(PATH).orElse(new byte[0]));
        return new HostProgramLookup(linux, path)
                .find(question.client(), argv, invocation.environment(), START);
    }

    /** What an agent could change says what the agent wants. */
    private void refuseReachable(HostProgram client, Preset.Question question)
            throws EgressException, ErrnoException {
        List<UnixPath> all = new ArrayList<>(client.origin().searched());
        all.add(client.program().path());
        for (Program.Interpreter interpreter : client.program().interpreters()) {
            all.add(interpreter.path());
        }
        UnixPath home = UnixPath.of(invocation.variable(HOME).orElse(new byte[] {'/'}));
        for (String file : question.reads()) {
            all.add(file.startsWith("~/") ? home.resolve(file.substring(2)) : UnixPath.of(file));
        }
        for (UnixPath file : all) {
            if (reach.changing(file).isPresent()) {
                throw unanswered(
                        question,
                        "cannot be trusted: '" + file + "' lies inside a writable grant, so the "
                                + "agent could choose the answer");
            }
        }
    }

    private static EgressException unanswered(Preset.Question question, String why) {
        return new EgressException(
                OPTION + " " + question.preset() + ": your " + question.client()
                        + ", which knows your registry, " + why,
                OPTION + " HOST of that registry",
                "leave it out: what is refused is told at the end, each with its option");
    }

    private HostAnswer ask(HostProgram client) throws Refusal, LaunchException, ErrnoException {
        UnixPath built = UnixPath.of(System.getProperty("glove.native") + "/launcher");
        try (Launcher launcher = Launcher.open(linux, built)) {
            return HostAnswer.of(linux, launcher, client);
        }
    }

    private void remember(Preset.Question question, RegistryUrl url) {
        if (url.hasSecret()) {
            return; // not the agent's
        }
        for (Preset.Setting setting : question.settings()) {
            String line = setting.text().replace("URL", url.text()) + "\n";
            files.merge(setting.place(), line, String::concat);
        }
    }
}
