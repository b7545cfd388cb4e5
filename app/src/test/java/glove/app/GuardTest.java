package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Protected and hidden names, masked sockets: the options, and what still works beside them. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class GuardTest {
    private static final String CONFIG = """
            git config --global user.name Agent
            git config --global user.email agent@example.org
            git config --global init.defaultBranch main
            """;

    private static final String REPOSITORY = "HOME=$PWD; cd work\n" + CONFIG + """
            git init -q .
            for i in 1 2 3; do echo $i > f$i; git add f$i; git commit -q -m "commit $i"; done
            """;

    private final WorkRoom room;

    GuardTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @BeforeEach
    void requireGit() {
        Lanes.require("e2e", WorkRoom.isInstalled("git"), "git is not installed");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(List<String> options, String script)
            throws IOException, InterruptedException {
        return room.bash(options, script).run();
    }

    @Test
    void gitWorksInAProtectedCheckout() throws Exception {
        room.outside(REPOSITORY);

        String out = room.prints(CONFIG + """
                echo a > f1; git commit -q -a -m inside; git commit -q --amend -m amended
                git checkout -q -b topic HEAD~1; echo t > topic; git add topic; git commit -q -m topic
                git rebase -q main; git checkout -q main; git merge -q --no-ff -m merge topic
                echo b > f2; git stash -q; git stash pop -q; git checkout -q f2
                git tag -a -m one v1; git branch -d -q topic; git gc -q; git fsck --strict 2>/dev/null >&2
                git worktree add -q tree -b other; (cd tree; echo w > w; git add w; git commit -q -m w)
                git worktree remove tree; git log --format=%s -1; git status --porcelain
                """);

        assertThat(out).isEqualTo("merge\n");
        assertThat(room.outside("cd work; git log --format=%s -1")).isEqualTo("merge\n");
    }

    @Test
    void whatWouldChangeGitsSettingsFailsUnlessLifted() throws Exception {
        room.outside(REPOSITORY);

        Command.Result refused = run(List.of(), "git remote add o ../o");
        Command.Result lifted =
                run(List.of("--no-protect", room.work() + "/.git/config"), "git remote add o ../o");

        assertThat(refused.status()).isNotZero();
        assertThat(refused.err()).contains("could not write config file");
        assertThat(lifted.status()).as("%s", lifted).isZero();
        assertThat(run(
                                List.of("--no-protect", room.work() + "/.git/config"),
                                "echo x > .git/hooks/pre-commit")
                        .err())
                .contains("Read-only file system");
    }

    /** As systemd makes them. In a mount namespace of its own, which ends with the shell. */
    @Test
    void nothingStaysMountedOnAHostWhoseMountsAreShared() throws Exception {
        assumeTrue(room.identity() == Identity.ROOT, "others' namespaces only follow the host's");
        room.outside(REPOSITORY);
        String script = "\"$0\" exec --workspace \"$1\" -- sh -c 'echo x > .git/hooks/x || true';"
                + " grep 'glove.040work' /proc/self/mountinfo; echo end";

        String[] words = {"unshare", "-m", "--propagation", "shared", "sh", "-c", script};
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of(GloveProgram.script(room.identity()), room.work().toString()));
        Command.Result result = Command.of(all.toArray(new String[0])).run();

        assertThat(result.err()).contains("Read-only file system");
        assertThat(result.out()).isEqualTo("end\n");
    }

    @Test
    void filesCanStillBeMovedAndLinkedBelowWhatIsHeld() throws Exception {
        room.outside("cd work; mkdir -p a/b/.vscode c; echo x > f");

        String out = room.prints("mv -n f a/b/g; ln a/b/g c/h; mv a/b/g c/f; stat -c %h c/f;"
                + " mv a z || echo held; mkdir a/new; rmdir a/new");

        assertThat(out).isEqualTo("2\nheld\n");
        assertThat(room.outside("find work | sort")).contains("work/c/h").contains("a/b/.vscode");
    }

    @Test
    void theDefaultsCanBeLifted() throws Exception {
        room.outside(REPOSITORY + "touch .envrc .bashrc");

        assertThat(run(List.of("--no-default-protect"), "echo x > .envrc; echo x > .git/hooks/x"))
                .satisfies(
                        result -> assertThat(result.status()).as("%s", result).isZero());
        assertThat(run(List.of("--no-protect", room.work() + "/.envrc"), "echo x > .envrc"))
                .satisfies(
                        result -> assertThat(result.status()).as("%s", result).isZero());
        assertThat(run(List.of("--no-protect", room.work() + "/.envrc"), "echo x > .bashrc")
                        .err())
                .contains("Read-only file system");
    }

    @Test
    void nothingOfWhatAProtectedNameIsCalledAppearsOnTheHost() throws Exception {
        room.outside(REPOSITORY);
        String before = room.outside("find . -printf '%p %i %m %s\\n' | sort");

        run(List.of("--protect", room.work() + "/missing", "--hide", "*.pem"), "ls -A >/dev/null");
        Process killed = room.bash(
                        List.of("--protect", room.work() + "/gone"), "echo runs; sleep 60")
                .start();
        assertThat(killed.getInputStream().read()).as("it runs").isEqualTo('r');
        killed.destroyForcibly().waitFor();

        assertThat(room.outside("find . -printf '%p %i %m %s\\n' | sort")).isEqualTo(before);
    }

    @Test
    void packagesEditorSettingsDoNotKeepFromInstalling() throws Exception {
        room.outside("cd work; mkdir -p node_modules/p/.vscode; touch node_modules/p/.envrc");

        String out = room.prints("mv node_modules/p node_modules/.p-old; rm -r node_modules/.p-old;"
                + " mkdir -p node_modules/p/.vscode; ls -A node_modules/p");

        assertThat(out).isEqualTo(".vscode\n");
    }

    @Test
    void hiddenNamesAreAbsentAtAnyDepthAndInReadOnlyGrants() throws Exception {
        room.outside(
                "mkdir -p work/a/b r/x; for d in work work/a/b r r/x; do echo s > $d/.env; done;"
                        + " mkdir work/keys; echo s > work/keys/k; echo s > work/plain");

        String out = room.prints(
                List.of(
                        "--read",
                        room.path() + "/r",
                        "--hide",
                        "**/.env",
                        "--hide",
                        room.work() + "/keys/",
                        "--hide",
                        room.work() + "/plain"),
                "cat .env a/b/.env ../r/.env ../r/x/.env plain 2>/dev/null || ls -A keys;"
                        + " test ! -e .env && test ! -e ../r/x/.env && echo absent");

        assertThat(out).isEqualTo("absent\n");
        assertThat(room.prints("cat .env a/b/.env keys/k plain")).isEqualTo("s\ns\ns\ns\n");
    }

    @Test
    void aHiddenLinkHidesWhatItLeadsTo() throws Exception {
        room.outside("cd work; echo s > real; ln -s real link");

        Command.Result result =
                run(List.of("--hide", room.work() + "/link"), "cat link || cat real || true");

        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("link").contains("real");
    }

    @Test
    void hidingBeatsProtecting() throws Exception {
        room.outside("cd work; echo s > .envrc");

        Command.Result result = run(
                List.of("--protect", room.work() + "/.envrc", "--hide", room.work() + "/.envrc"),
                "cat .envrc");

        assertThat(result.err()).contains("No such file or directory");
    }

    @Test
    void aHiddenFileWithASecondNameIsWarnedAbout() throws Exception {
        room.outside("cd work; echo s > one; ln one two");

        Command.Result result = run(List.of("--hide", room.work() + "/one"), "cat two");

        assertThat(result.out()).isEqualTo("s\n");
        assertThat(result.err())
                .contains("'" + room.work() + "/one' is hidden, but it has 2 names");
    }

    @Test
    void whatCannotBeMeantIsRefusedWithAHint() throws Exception {
        room.outside("cd work; mkdir d; touch d/f .envrc; mkdir ../r; touch ../r/f");
        String work = room.work().toString();

        for (List<String> options : List.of(
                List.of("--hide", work + "/none"),
                List.of("--hide", room.path() + "/r/f"),
                List.of("--hide", work + "/d/f/"),
                List.of("--hide", work),
                List.of("--hide", "*.[a"),
                List.of("--protect", room.path() + "/r/f"),
                List.of("--protect", work),
                List.of("--protect", work + "/.envrc", "--no-protect", work + "/.envrc"),
                List.of("--no-protect", work + "/d/f"),
                List.of("--strict-protect", "--no-default-protect"))) {
            Command.Result result = run(options, "true");

            assertThat(result.status()).as("%s: %s", options, result).isEqualTo(2);
            assertThat(result.err()).contains("Try: ");
        }
    }

    @Test
    void aProtectedFileCannotBeHandedOverAsInput() throws Exception {
        room.outside("cd work; echo x > .envrc");

        Command.Result result = room.shell("\"$GLOVE\" exec --workspace work -- cat < work/.envrc")
                .run();

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("protected or hidden");
    }

    @Test
    void socketsOfTheHostInsideGrantsAreMasked() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("python3"), "python3 is not installed");
        String script = """
                mkdir r
                cat > serve.py <<'PY'
                import socket, sys
                held = []
                for p in sys.argv[1:]:
                    s = socket.socket(socket.AF_UNIX); s.bind(p); s.listen(); held.append(s)
                print("up", flush=True); sys.stdin.read()
                PY
                cat > work/try.py <<'PY'
                import socket, sys
                for p in sys.argv[1:]:
                    s = socket.socket(socket.AF_UNIX)
                    try: s.connect(p); print("in")
                    except OSError as e: print(e.strerror)
                PY
                mkfifo in; exec 8<>in
                python3 serve.py "$PWD/work/w.sock" "$PWD/r/r.sock" < in > up & p=$!
                while ! grep -qs up up; do sleep 0.05; done
                python3 work/try.py "$PWD/work/w.sock" "$PWD/r/r.sock"
                "$GLOVE" exec --workspace work --read r -- python3 try.py "$PWD/work/w.sock" "$PWD/r/r.sock"
                "$GLOVE" exec --workspace work --read r --socket "$PWD/work/w.sock" -- \\
                    python3 try.py "$PWD/work/w.sock" "$PWD/r/r.sock"
                kill $p
                """;

        assertThat(room.outside(script))
                .isEqualTo("in\nin\n" + "No such file or directory\nNo such file or directory\n"
                        + "in\nNo such file or directory\n");
    }

    @Test
    void explainListsWhatIsGuardedAndWhy() throws Exception {
        room.outside("cd work; mkdir .vscode; echo s > k.pem");

        String out =
                room.exec(List.of("--hide", "*.pem", "--explain"), "true").run().out();
        String json = room.exec(List.of("--hide", "*.pem", "--explain", "--json"), "true")
                .run()
                .out();

        assertThat(out).contains(room.work() + "/.vscode").contains("--hide '*.pem'");
        assertThat(json)
                .contains("\"path\":\"" + room.work() + "/.vscode\",\"kind\":\"protected\"")
                .contains("\"path\":\"" + room.work() + "/k.pem\",\"kind\":\"hidden\"");
    }
}
