package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;

/** Tools that move, pack, store and lock files, and large calls, inside. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class WorkloadTest {
    private final WorkRoom room;

    WorkloadTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    @Test
    void tarPacksAndUnpacksFiveThousandFiles() throws Exception {
        String out = room.prints("""
                mkdir tree; cd tree; for d in $(seq 50); do mkdir $d; done
                seq 5000 | while read -r n; do echo $n > $((n % 50 + 1))/$n; done; cd ..
                for how in --gzip --no-auto-compress; do
                    tar -c $how -f t tree; rm -rf copy; mkdir copy; tar -xf t -C copy
                    diff -r tree copy/tree && find copy -type f | wc -l
                done
                """);

        assertThat(out).isEqualTo("5000\n5000\n");
        assertThat(room.outside("find work/tree -type f -uid $(id -u) | wc -l"))
                .isEqualTo("5000\n");
    }

    @Test
    void rsyncCopiesFiveThousandFilesAndKeepsTheirAttributes() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("rsync"), "rsync is not installed");
        room.outside(
                "mkdir tree; seq 5000 | (cd tree; split -l 1 -a 4 -); ln tree/xaaaa tree/hard;"
                        + " ln -s xaaaa tree/soft; touch -d @99 tree/soft tree/xaaaa; chmod 751 tree/xaaab");

        String out = room.prints(List.of("--read", room.path() + "/tree"), """
                rsync -aH ../tree/ copy/; rsync -aHin --delete ../tree/ copy/ | wc -l
                find copy -type f | wc -l; stat -c '%h %a %Y' copy/xaaaa copy/xaaab | cut -d' ' -f1,2
                stat -c %Y copy/xaaaa; readlink copy/soft; rm copy/xaaac; rsync -ai ../tree/ copy/
                """);

        assertThat(out).startsWith("0\n5001\n2 644\n1 751\n99\nxaaaa\n").endsWith(" xaaac\n");
    }

    @Test
    void zipAndCompressorsWork() throws Exception {
        String out = room.prints("""
                seq 10000 > n; for c in gzip xz; do $c -k n; $c -dc n.* | cmp - n && echo $c; rm n.*; done
                sha256sum n > sums; sha256sum -c sums; split -n 3 n; cat x?? | cmp - n; od -An -c -N2 n
                """);

        assertThat(out).isEqualTo("gzip\nxz\nn: OK\n   1  \\n\n");
    }

    @Test
    void sqliteKeepsADatabase() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("sqlite3"), "sqlite3 is not installed");

        String out = room.prints("""
                sqlite3 db 'pragma journal_mode=wal; create table t(n); begin; insert into t values(1);' commit
                sqlite3 db 'insert into t select value from generate_series(2, 1000); select sum(n) from t;'
                sqlite3 db .dump | sqlite3 copy; sqlite3 copy 'select count(*) from t; pragma integrity_check'
                """.replace("' commit", " commit;'"));

        assertThat(out).isEqualTo("wal\n500500\n1000\nok\n");
    }

    @Test
    void renameAndLinkWorkAcrossDirectories() throws Exception {
        String out = room.prints("""
                mkdir -p a/b c/d; echo x > a/b/f
                python=/usr/bin/python3
                $python -c 'import os; os.rename("a/b/f", "c/d/f"); os.link("c/d/f", "a/g")'
                $python -c 'import os; os.rename("c/d", "a/d"); os.replace("a/g", "f"); os.rename("a", "e")'
                mkdir s; echo y > s/f; $python - <<'END'
                import ctypes
                libc = ctypes.CDLL(None, use_errno=True)
                print(libc.renameat2(-100, b"f", -100, b"s/f", 2), ctypes.get_errno())
                END
                cat f s/f; stat -c %h s/f; find e | sort | tr '\\n' ' '
                """);

        assertThat(out).isEqualTo("0 0\ny\nx\n2\ne e/b e/d e/d/f ");
    }

    @Test
    void renameWorksInHomeAndTheTemporaryDirectory() throws Exception {
        String out = room.prints("""
                for d in ~ "$TMPDIR" /dev/shm; do
                    cd $d; mkdir -p a b; echo x > a/f
                    /usr/bin/python3 -c 'import os; os.rename("a/f", "b/f"); os.link("b/f", "a/f")'
                    cat a/f; mv b/f "$OLDPWD/moved"; cat "$OLDPWD/moved"; cd "$OLDPWD"
                done
                """);

        assertThat(out).isEqualTo("x\n".repeat(6));
    }

    @Test
    void atomicReplacementOfAFileKeepsTheDirectoryWhole() throws Exception {
        String out = room.prints("""
                echo old > f; sed -i s/old/new/ f; cat f; cp --reflink=auto f g; truncate -s 1M g
                stat -c %s g; fallocate -l 2M h; stat -c %s h; dd if=/dev/zero of=i bs=1 count=1 seek=9M 2>/dev/null
                stat -c %s i; sync f; mkfifo p; (echo fifo > p) & cat p; touch -d @5 f; stat -c %Y f
                install -m 700 f j; stat -c %a j; ln -s /nowhere k; readlink k; chmod u-w f; test ! -w f || true
                """);

        assertThat(out).isEqualTo("new\n1048576\n2097152\n9437185\nfifo\n5\n700\n/nowhere\n");
    }

    @Test
    void extendedAttributesAndSparseFilesAreKept() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("setfattr"), "attr is not installed");

        String out = room.prints("touch f; setfattr -n user.glove -v word f; cp --preserve=all f g;"
                + " getfattr --only-values -n user.glove g");

        assertThat(out).isEqualTo("word");
    }

    @Test
    void changesAreSeenBothWaysWhileItRuns() throws Exception {
        Process outside = room.shell(
                        "cd work; for i in $(seq 5000); do test -e ask && break; sleep 0.05; done;"
                                + " echo answer > a.tmp; mv a.tmp answer")
                .start();

        String out =
                room.prints("touch ask; until test -e answer; do sleep 0.05; done; cat answer");

        assertThat(out).isEqualTo("answer\n");
        assertThat(outside.waitFor()).isZero();
    }

    @Test
    void aHundredKilobyteArgumentAndFiveThousandArgumentsPass() throws Exception {
        String large = "x".repeat(100 * 1024);
        java.util.ArrayList<String> words =
                new java.util.ArrayList<>(List.of("bash", "-c", """
                echo ${#1} $# "${@: -1}"; /usr/bin/env printf '%s\\n' "$@" | wc -lc
                """, "name", large));
        for (int i = 1; i < 5000; i++) {
            words.add("argument " + i);
        }

        Command.Result result =
                room.exec(List.of(), words.toArray(new String[0])).run();

        int bytes = large.length() + 1;
        for (String word : words.subList(5, words.size())) {
            bytes += word.length() + 1;
        }
        assertThat(result.out().trim().replaceAll(" +", " "))
                .isEqualTo("102400 5000 argument 4999\n 5000 " + bytes);
    }

    @Test
    void aLargeEnvironmentPasses() throws Exception {
        java.util.ArrayList<String> options = new java.util.ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            options.addAll(List.of("--setenv", "V" + i + "=" + "v".repeat(100)));
        }
        options.addAll(List.of(
                "--setenv",
                "BIG=" + "b".repeat(100_000),
                "--setenv",
                "EMPTY=",
                "--setenv",
                "E=a=b\n'c'"));

        String out =
                room.prints(options, "env | grep -c ^V; echo ${#BIG} ${EMPTY+set}; echo \"$E\"");

        assertThat(out).isEqualTo("1000\n100000 set\na=b\n'c'\n");
    }

    @Test
    void deepPathsAndLongNamesWork() throws Exception {
        String out = room.prints("""
                n=$(printf 'n%.0s' $(seq 255)); touch $n; for i in $(seq 14); do mkdir $n$ 2>/dev/null || mkdir ${n%n}d
                cd ${n%n}d; done; echo deep > f; cat f; pwd | wc -c; cd ..; find . -name f -exec cat {} +
                """.replace("mkdir $n$ 2>/dev/null || ", ""));

        assertThat(out.lines().toList()).element(0).isEqualTo("deep");
        assertThat(out).endsWith("deep\n");
        assertThat(Integer.parseInt(out.lines().toList().get(1))).isGreaterThan(14 * 255);
    }

    @Test
    void manyProcessesAndThreadsRunAtOnce() throws Exception {
        String out = room.prints("""
                for i in $(seq 300); do sleep 0.5 & done; wait; echo all
                /usr/bin/python3 -c '
                import threading
                e = threading.Event()
                t = [threading.Thread(target=e.wait) for _ in range(500)]
                [x.start() for x in t]; e.set(); [x.join() for x in t]; print("threads")'
                """.replace("'\nimport", "'import")
                .replaceAll("(?m)^ {0}(import|e = |t = |\\[x)", "$1"));

        assertThat(out).isEqualTo("all\nthreads\n");
    }
}
