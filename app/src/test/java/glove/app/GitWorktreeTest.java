package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;

/** A workspace that is a linked worktree, and files that only say so. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class GitWorktreeTest {
    private static final String SETTING = """
            export HOME=$PWD/caller XDG_CONFIG_HOME=
            mkdir -p caller/.ssh; echo key > caller/.ssh/id
            git config --global user.name Caller; git config --global user.email c@example.org
            git config --global init.defaultBranch main
            """;

    private static final String REPOSITORY = SETTING + """
            git init -q main; cd main
            for i in 1 2 3; do echo $i > f$i; git add .; git commit -q -m "commit $i"; done
            git worktree add -q ../other -b other; rmdir ../work
            git worktree add -q ../work -b topic; cd ..
            inside() { "$GLOVE" exec --workspace work "$@"; }
            """;

    private final WorkRoom room;

    GitWorktreeTest(Identity identity) throws IOException, InterruptedException {
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

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(REPOSITORY + script).run();
    }

    private String prints(String script) throws IOException, InterruptedException {
        return room.outside(REPOSITORY + script);
    }

    @Test
    void gitCommitsRebasesStashesAndCollectsInALinkedWorktree() throws Exception {
        Command.Result result = run("""
                inside -- bash -euc '
                    git status --porcelain
                    echo a > f1; git commit -q -a -m inside; git log -1 --format=%s:%an:%ae
                    git checkout -q -b second HEAD~1; echo b > f2; git commit -q -a -m second
                    git rebase -q topic; git log --format=%s -2
                    echo c > f3; git stash -q; git stash pop -q; git checkout -q f3
                    git checkout -q topic; git merge -q second
                    git pack-refs --all; git gc -q --prune=now; git fsck
                    git worktree add -q ./nested -b n; git worktree remove nested
                    git tag v1; git status --short; git diff HEAD --stat'
                cd main; git log -1 --format=%s topic; git fsck; git status --porcelain
                git worktree list | wc -l; cd ../other; git status --porcelain
                """);

        // The worktree made inside is told while it exists, and not at the end: it is gone.
        assertThat(result.err().lines()).allMatch(line -> line.contains("nested"));
        assertThat(result.out())
                .isEqualTo("inside:Caller:c@example.org\nsecond\ninside\nsecond\n3\n");
    }

    @Test
    void nothingAppearsInTheHostsTreesThatGitDidNotMake() throws Exception {
        String out = prints("""
                snapshot() { find main other work caller | grep -v /objects/ | sort; }
                snapshot > before; inside -- git status --porcelain; snapshot > after
                diff before after && echo same
                """);

        assertThat(out).isEqualTo("same\n");
    }

    @Test
    void whatWouldMakeTheHostRunSomethingStaysAsItIs() throws Exception {
        Command.Result result = run("""
                git -C main config extensions.worktreeConfig true
                git -C work config --worktree core.bare false
                inside -- sh -c '
                    cd ../main/.git
                    echo x > hooks/post-commit || echo refused 1
                    git config core.fsmonitor /bin/sh || echo refused 2
                    mv hooks gone || echo refused 3
                    echo x >> worktrees/work/config.worktree || echo refused 4
                    echo x > worktrees/work/gitdir || echo refused 5
                    echo x > worktrees/other/commondir || echo refused 6
                    mv worktrees/other worktrees/gone || echo refused 7
                    mv worktrees gone || echo refused 8
                    echo x > HEAD || echo refused 9
                    rm -f config || echo refused 10
                    cat ../f1 ../../caller/.ssh/id || echo absent'
                git -C main config core.fsmonitor || echo unset
                """);

        assertThat(result.out().lines())
                .as("%s", result)
                .contains("refused 1", "refused 2", "refused 3", "refused 4", "refused 5")
                .contains("refused 6", "refused 7", "refused 8", "refused 9", "refused 10")
                .contains("absent", "unset");
    }

    @Test
    void aFileThatLeadsGitElsewhereEndsTheRun() throws Exception {
        Command.Result result = run("""
                mkdir -p work/nested/.git/objects
                for git in ../main/.git nested/.git; do
                    inside -- sh -c "echo evil > $git/commondir; sleep 100; echo went on" ||
                        echo $?
                done
                """);

        assertThat(result.out()).as("%s", result).isEqualTo("125\n125\n");
        assertThat(result.err())
                .contains("main/.git/commondir' was created, which no repository has")
                .contains("nested/.git/commondir' was created, which no repository has");
    }

    /** git also takes a branch's settings out of the configuration, which is protected. */
    @Test
    void deletingABranchWorksAndSaysThatItsSettingsStay() throws Exception {
        Command.Result result = run("""
                inside -- sh -euc 'git branch gone; git branch -D gone; ls ../main/.git | grep lock' \
                    || git -C main branch
                """);

        assertThat(result.out()).doesNotContain("  gone").contains("Deleted branch gone");
        assertThat(result.err()).contains("Update of config-file failed");
    }

    @Test
    void withoutGitTheRepositoryStaysOutside() throws Exception {
        Command.Result result = run("inside --no-git -- sh -c 'ls ..; git status 2>&1 | head -1'");

        assertThat(result.out()).startsWith("work\nfatal: not a git repository");
    }

    @Test
    void theReasonOfTheGrantIsExplained() throws Exception {
        assertThat(prints("inside --explain -- true"))
                .contains(room.path() + "/main/.git granted by linked git worktree")
                .contains(room.path() + "/main/.git/hooks granted by linked git worktree");
    }

    @Test
    void aForgedFileGrantsNothing() throws Exception {
        for (String named :
                List.of("$PWD/caller/.ssh", "../caller/.ssh", "$PWD/caller", "/", "$PWD/absent")) {
            Command.Result result = room.shell(SETTING + "rm -f work/.git; echo \"gitdir: " + named
                            + "\" > work/.git; \"$GLOVE\" exec --workspace work --"
                            + " sh -c 'ls -A ..; cat ../caller/.ssh/id'")
                    .run();

            assertThat(result.out()).as("%s", result).isEqualTo("work\n");
            assertThat(result.err()).contains("git will not work in", "is not granted");
        }
    }

    @Test
    void aRepositoryThatNamesAnotherWorktreeProvesNothing() throws Exception {
        Command.Result result = run("""
                mkdir evil; cp work/.git evil/.git
                "$GLOVE" exec --workspace evil -- ls -A ..
                """);

        assertThat(result.out()).isEqualTo("evil\n");
        assertThat(result.err()).contains("does not name it back");
    }

    @Test
    void aProofThatIsForgedWhereAnAgentCanWriteLeadsNowhereElse() throws Exception {
        Command.Result result = run("""
                mkdir -p fake/worktrees/w fake2; echo "gitdir: $PWD/fake/worktrees/w" > other/x
                mv other/x other/.git; echo "$PWD/other/.git" > fake/worktrees/w/gitdir
                echo "$PWD/caller" > fake/worktrees/w/commondir
                "$GLOVE" exec --workspace other -- ls -A ..
                echo ../.. > fake/worktrees/w/commondir
                mkdir fake/refs fake/hooks; touch fake/HEAD fake/config
                ln -s "$PWD/caller/.ssh" fake/objects
                "$GLOVE" exec --workspace other -- ls -A ..
                """);

        assertThat(result.out()).isEqualTo("other\nother\n");
        assertThat(result.err())
                .contains("whose commondir is not the repository")
                .contains("no directory 'objects' of yours");
    }

    @Test
    void aRepositoryWithoutHooksToProtectIsGrantedOnceItHasThem() throws Exception {
        Command.Result result = run("""
                rm -r main/.git/hooks; inside -- ls -A ..; mkdir main/.git/hooks; inside -- ls -A ..
                """);

        assertThat(result.out()).isEqualTo("work\nmain\nwork\n");
        assertThat(result.err()).contains("/main/.git/hooks' to protect (mkdir it");
    }

    @Test
    void aLinkInPlaceOfTheGitFileIsNotFollowed() throws Exception {
        Command.Result result = run("""
                mkdir evil; ln -s ../work/.git evil/.git
                "$GLOVE" exec --workspace evil -- ls -A ..
                """);

        assertThat(result.out()).as("%s", result).isEqualTo("evil\n");
    }

    @Test
    void aWorktreeInsideWhatIsGrantedNeedsNothing() throws Exception {
        Command.Result result = run("""
                "$GLOVE" exec --write main --workspace work -- git status --porcelain
                git -C main -c protocol.file.allow=always submodule --quiet add "$PWD/other" sub
                "$GLOVE" exec --workspace main -- sh -c 'git submodule status | wc -l
                    cd sub; echo x > new; git add new; git commit -q -m sub; git status --short'
                """);

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo("1\n");
    }

    @Test
    void aCallersDecisionAboutTheRepositoryStands() throws Exception {
        Command.Result result = run("""
                inside --read main -- sh -c 'git log -1 --format=%s; git commit --allow-empty -m x'
                """);

        assertThat(result.out()).startsWith("commit 3\n");
        assertThat(result.err()).contains("Read-only file system");
    }
}
