package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;

/** What people do with git, inside. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class GitWorkloadTest {
    private static final String CONFIG = """
            git config --global user.name Agent
            git config --global user.email agent@example.org
            git config --global init.defaultBranch main
            """;

    private static final String REPOSITORY = CONFIG + """
            git init -q repo && cd repo
            for i in 1 2 3; do echo $i > f$i; git add .; git commit -q -m "commit $i"; done
            """;

    private final WorkRoom room;

    GitWorkloadTest(Identity identity) throws IOException, InterruptedException {
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

    @Test
    void gitMakesARepositoryThatWorksOutsideToo() throws Exception {
        String inside = room.prints(REPOSITORY + "git log --format=%s:%an; git status --porcelain");
        String outside = room.outside("cd work/repo && git log --format=%s:%an && git fsck");

        assertThat(inside).isEqualTo("commit 3:Agent\ncommit 2:Agent\ncommit 1:Agent\n");
        assertThat(outside).isEqualTo(inside);
    }

    @Test
    void gitCommitsInARepositoryMadeOutside() throws Exception {
        room.outside("HOME=$PWD; cd work;" + REPOSITORY);

        String inside = room.prints(CONFIG + "cd repo; echo new > f1; git commit -q -a -m inside");

        assertThat(inside).isEmpty();
        assertThat(room.outside("cd work/repo; git log -1 --format=%s; git status --porcelain"))
                .isEqualTo("inside\n");
    }

    @Test
    void gitBranchesMergesAndRebases() throws Exception {
        String out = room.prints(REPOSITORY + """
                git checkout -q -b topic HEAD~1; echo t > topic; git add .; git commit -q -m topic
                git rebase -q main
                git checkout -q main; git merge -q --no-ff -m merge topic
                echo u > topic; git commit -q -a -m second
                GIT_SEQUENCE_EDITOR='sed -i 2s/pick/fixup/' git rebase -q -i HEAD~2
                git tag -a -m one v1
                git log --format=%s; git describe
                """);

        assertThat(out).isEqualTo("topic\ncommit 3\ncommit 2\ncommit 1\nv1\n");
    }

    @Test
    void gitStashesAndAppliesAPatch() throws Exception {
        String out = room.prints(REPOSITORY + """
                echo changed > f1; git stash -q; cat f1; git stash pop -q; cat f1
                git diff > ../p; git checkout -q f1; git apply ../p; cat f1
                printf 'y\\n' | git add -p f1 >/dev/null; git diff --cached --name-only
                """);

        assertThat(out).isEqualTo("1\nchanged\nchanged\nf1\n");
    }

    @Test
    void gitCollectsGarbageAndChecksItself() throws Exception {
        String out = room.prints(REPOSITORY + """
                git gc -q --aggressive --prune=now; git repack -q -a -d; git fsck --strict 2>&1
                git count-objects -v | grep in-pack
                """);

        assertThat(out).isEqualTo("in-pack: 9\n");
    }

    @Test
    void gitAddsAndRemovesAWorktreeInsideTheWorkspace() throws Exception {
        String out = room.prints(REPOSITORY + """
                git worktree add -q ../tree -b other; cd ../tree; test -f .git
                echo w > w; git add w; git commit -q -m worktree; git log -1 --format=%s
                cd ../repo; git worktree remove ../tree; git worktree list | wc -l; git branch -D -q other
                """);

        assertThat(out).isEqualTo("worktree\n1\n");
    }

    @Test
    void gitCommitsInALinkedWorktreeWhenTheMainRepositoryIsGranted() throws Exception {
        room.outside("HOME=$PWD;" + REPOSITORY + "git worktree add -q ../work/tree -b topic");

        String out = room.prints(
                List.of("--write", room.path() + "/repo", "--cwd", room.work() + "/tree"),
                CONFIG + "echo w > w; git add w; git commit -q -m linked; git log -1 --format=%s");

        assertThat(out).isEqualTo("linked\n");
        assertThat(room.outside("cd repo; git log -1 --format=%s topic")).isEqualTo("linked\n");
    }

    @Test
    void gitClonesPushesAndFetchesLocally() throws Exception {
        String out = room.prints(REPOSITORY + """
                cd ..; git clone -q --bare repo bare.git; git clone -q bare.git copy; cd copy
                echo c > c; git add c; git commit -q -m cloned; git push -q origin main
                cd ../repo; git remote add origin ../bare.git; git pull -q --rebase origin main
                git log -1 --format=%s
                git clone -q --no-local --depth 1 "file://$PWD" ../shallow
                git -C ../shallow rev-list --count HEAD
                """);

        assertThat(out).isEqualTo("cloned\n1\n");
    }

    @Test
    void gitClonesARepositoryGrantedReadOnly() throws Exception {
        room.outside("HOME=$PWD;" + REPOSITORY);

        String out = room.prints(
                List.of("--read", room.path() + "/repo"),
                CONFIG + "git clone -q ../repo copy; git -C copy log -1 --format=%s");

        assertThat(out).isEqualTo("commit 3\n");
    }

    @Test
    void gitRunsHooksAndSubmodules() throws Exception {
        String out = room.prints(REPOSITORY + """
                printf '#!/bin/sh\\necho hooked\\n' > .git/hooks/pre-commit
                chmod +x .git/hooks/pre-commit
                echo h > h; git add h; git commit -q -m hook 2>&1
                git init -q ../super; cd ../super
                git -c protocol.file.allow=always submodule --quiet add ../repo sub
                git commit -q -m sub; git submodule status | wc -l
                git config core.bare; mkdir d; echo d > d/f; git add d; git commit -q -m d
                git sparse-checkout set --no-cone /sub; ls -A
                """);

        assertThat(out).isEqualTo("hooked\n1\nfalse\n.git\nsub\n");
    }

    @Test
    void gitKeepsModesLinksAndOddNames() throws Exception {
        String out = room.prints(CONFIG + """
                git init -q repo; cd repo
                echo x > x; chmod +x x; ln -s x link; touch "a b" $'new\\nline' ü
                git add -A; git commit -q -m odd; rm -f -- *; git checkout -q .
                git ls-files -s | cut -c1-6 | sort | uniq -c | tr -s ' '; ls | wc -l; readlink link
                """);

        assertThat(out).isEqualTo(" 3 100644\n 1 100755\n 1 120000\n6\nx\n");
    }
}
