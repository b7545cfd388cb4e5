package glove.app;

import glove.testkit.Command;
import glove.testkit.Identity;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ground on which one identity attacks: three directories, targets that live meanwhile, and the
 * results of all attacks inside the sandbox and of the same attacks outside. Owns a process.
 */
final class AttackRange {
    /**
     * How the attacks inside are run.
     *
     * @param around the command before theirs
     */
    record Setting(List<String> options, List<String> around) {
        static final Setting PLAIN = new Setting(List.of(), List.of());

        /** As root of all the namespaces that --allow-userns lets the agent make. */
        static final Setting NESTED =
                new Setting(List.of("--allow-userns"), List.of("unshare", "-Urinu"));

        /** With a way out, to a destination that is none of the attacks'. */
        static final Setting ONLINE =
                new Setting(List.of("--egress-allow", "allowed.example"), List.of());

        /** With both, in the network namespace it found: its root is another's. */
        static final Setting ONLINE_NESTED = new Setting(
                List.of("--egress-allow", "allowed.example", "--allow-userns"),
                List.of("unshare", "-Uriu"));
    }

    /** One directory with everything that is guarded, and as many copies as attacks destroy. */
    private static final String GUARDED = """
            repository() {
                mkdir -p $1/objects $1/refs $1/hooks
                echo 'ref: refs/heads/main' > $1/HEAD
                dd if=/dev/zero of=$1/config bs=8192 count=1 status=none
            }
            mkdir -p w/guards/1 && cd w/guards/1
            mkdir -p .git sub .vscode files myhooks secrets other below/er second .git/worktrees/w
            repository .git; repository .git/modules/sub; repository bare
            repository below/er/.git; repository second/.git
            printf '[core]\n\thooksPath = myhooks\n' > .git/modules/sub/config
            printf '[core]\n\tbare = false\n\thooksPath = myhooks # ours\n' > .git/config
            echo 'gitdir: ../.git/modules/sub' > sub/.git
            echo 'ref: x' > .git/worktrees/w/HEAD; echo ../.. > .git/worktrees/w/commondir
            : > .git/worktrees/w/config.worktree
            : > .envrc; : > files/profile; : > file; : > named; ln -s files/profile .profile
            echo secret > key.pem; echo secret > secrets/one; echo secret > files/k.pem
            cd ..; for i in $(seq 2 29); do cp -a 1 $i; done; cd ../..
            echo secret > r/key.pem
            """;

    private final Identity identity;
    private final Path base;
    private final Process targets;
    private final Map<String, String> inside = new HashMap<>();
    private final Map<Attacks.Control, Map<String, String>> outside = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();

    private AttackRange(Identity identity, Path base, Process targets) {
        this.identity = identity;
        this.base = base;
        this.targets = targets;
    }

    /** Prepares it; nothing is attacked yet. */
    static AttackRange open(Identity identity, Path base, Path program)
            throws IOException, InterruptedException {
        prepare(identity, base, program);
        Map<String, String> environment =
                new HashMap<>(Map.of("H", base + "/ungranted", "PATH", "/usr/bin:/bin"));
        Process targets = new Command(identity.command(List.of(base + "/w/attacks", "--serve")))
                .withOnly(environment)
                .start();
        AttackRange range = new AttackRange(identity, base, targets);
        range.readTargets();
        return range;
    }

    Identity identity() {
        return identity;
    }

    String inside(Attacks.Attack attack) {
        return inside.getOrDefault(attack.name(), "no result");
    }

    String outside(Attacks.Attack attack) {
        return outside.getOrDefault(attack.control(), Map.of())
                .getOrDefault(attack.name(), "no result");
    }

    void close() throws IOException, InterruptedException {
        targets.getOutputStream().close();
        targets.waitFor();
    }

    /** Fresh before every round: attacks that work outside destroy things. */
    private static void prepare(Identity identity, Path base, Path program)
            throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder(
                "set -e\nrm -rf w r\nmkdir -p w/ro w/deep/er/ro w/other r ungranted\n"
                        + "echo secret > ungranted/secret\n"
                        + "dd if=/dev/zero of=r/file bs=8192 count=1 status=none\n"
                        + "echo x > w/ro/file\n"
                        + "for i in 1 2 3 4; do echo x > r/victim$i; done\n"
                        + "ln -s \"$PWD/ungranted/secret\" w/link-to-secret\ncp '" + program
                        + "' w/attacks\n" + GUARDED);
        if (Identity.isRoot()) {
            script.append("chown -R ").append(identity.owner()).append(" .\n");
            script.append("mknod w/planted-zero c 1 5\nchmod 666 w/planted-zero\n");
            script.append("cp '" + program + "' w/planted-setuid\n");
            // Another user than the attacker, so that a change of identity shows.
            script.append("chown 1234:1234 w/planted-setuid\nchmod 6755 w/planted-setuid\n");
        }
        Files.createDirectories(base);
        Command.Result result =
                Command.of("sh", "-c", script.toString()).in(base).run();
        if (result.status() != 0) {
            throw new IOException("cannot prepare " + base + ": " + result);
        }
    }

    private void readTargets() throws IOException {
        variables.put("W", base + "/w");
        variables.put("R", base + "/r");
        variables.put("H", base + "/ungranted");
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(targets.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int equals = line.indexOf('=');
            variables.put(line.substring(0, equals), line.substring(equals + 1));
        }
        if (!variables.containsKey("MQ")) {
            throw new IOException("the targets did not start");
        }
    }

    void attackInside(Setting setting) throws IOException, InterruptedException {
        inside.putAll(attack(setting));
    }

    /** The results by name. */
    Map<String, String> attack(Setting setting) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of(
                "--workspace", base + "/w", "--read", base + "/w/ro", "--read", base + "/r"));
        options.addAll(List.of("--read", base + "/w/deep/er/ro"));
        options.addAll(List.of("--write", base + "/w/guards/1/second", "--hide", "*.pem"));
        options.addAll(List.of("--protect", base + "/w/guards/1/named", "--hide", "**/secrets/"));
        options.addAll(setting.options);
        List<String> command = new ArrayList<>(setting.around);
        command.addAll(command(Attacks.ALL));
        variables.forEach((name, value) -> options.addAll(List.of("--setenv", name + "=" + value)));
        Command program = new Command(
                leaking(GloveProgram.exec(identity, options, command).words()));
        // Decisions about the network are recorded there.
        Command.Result result = onTerminal(program.with("XDG_STATE_HOME", base + "/state"));
        Map<String, String> results = new HashMap<>();
        read(result, results);
        return results;
    }

    void attackOutside(Path program) throws IOException, InterruptedException {
        for (Attacks.Control control : Attacks.Control.values()) {
            Map<String, String> results = new HashMap<>();
            outside.put(control, results);
            List<Attacks.Attack> attacks = Attacks.ALL.stream()
                    .filter(attack -> attack.control() == control)
                    .toList();
            if (control == Attacks.Control.ROOT && !Identity.isRoot()) {
                continue;
            }
            prepare(identity, base, program);
            Command command = new Command(control.command(identity, leaking(command(attacks))));
            variables.forEach(command::with);
            command.with("HOME", base + "/w");
            read(
                    control == Attacks.Control.TERMINAL ? onTerminal(command) : command.run(),
                    results);
        }
    }

    /** A descriptor left open by the caller, which nobody inside may find. */
    private static List<String> leaking(List<String> command) {
        List<String> words =
                new ArrayList<>(List.of("sh", "-c", "exec 9</dev/null; exec \"$@\"", "sh"));
        words.addAll(command);
        return words;
    }

    private List<String> command(List<Attacks.Attack> attacks) {
        List<String> words = new ArrayList<>(List.of(base + "/w/attacks"));
        attacks.forEach(attack -> words.add(attack.name()));
        return words;
    }

    /** script(1) makes a terminal and gives it to the command as its standard streams. */
    private Command.Result onTerminal(Command command) throws IOException, InterruptedException {
        return command.onTerminal().in(base.resolve("w")).run();
    }

    private static void read(Command.Result result, Map<String, String> results) {
        for (String line : result.out().split("\r?\n")) {
            String[] words = line.split(" ");
            if (words.length == 2) {
                results.put(words[0], words[1]);
            }
        }
        if (results.isEmpty()) {
            throw new AssertionError("no attack ran: " + result);
        }
    }
}
