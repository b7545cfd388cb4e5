package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What people build, inside. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class BuildWorkloadTest {
    private final WorkRoom room;

    BuildWorkloadTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private static final Path JDK = Path.of(System.getProperty("java.home"));

    /** Of a Maven repository: a compilation needs many small files and no large one. */
    private static final String MAVEN_PARTS = "-type f -size -1500k";

    /** The JDK of this test run, wherever it is installed. */
    private static List<String> jdk() {
        return List.of("--read", JDK.toString(), "--setenv", "JAVA_HOME=" + JDK);
    }

    private static final String HELLO_JAVA = """
            public class Hello {
                public static void main(String[] args) throws Exception {
                    Process p = new ProcessBuilder("cat").redirectInput(
                        ProcessBuilder.Redirect.from(new java.io.File(args[0]))).start();
                    System.out.print(new String(p.getInputStream().readAllBytes()));
                    System.exit(p.waitFor() + 7);
                }
            }
            """;

    @Test
    void javaCompilesAndRuns() throws Exception {
        String out = room.prints(
                jdk(), "PATH=$JAVA_HOME/bin:$PATH\ncat > Hello.java <<'END'\n" + HELLO_JAVA + """
                END
                javac -d out Hello.java
                echo "from cat" > text
                java -cp out Hello text || echo $?
                java Hello.java text || echo $?
                jar --create --file hello.jar --main-class Hello -C out .
                java -jar hello.jar text || echo $?
                """);

        assertThat(out).isEqualTo("from cat\n7\n".repeat(3));
    }

    @Test
    void javaSizesItselfAndUsesItsDirectories() throws Exception {
        String out = room.prints(jdk(), """
                cat > P.java <<'END'
                import java.nio.channels.*;
                import java.nio.file.*;
                void main() throws Exception {
                    IO.println(System.getProperty("user.name") + " " + System.getProperty("user.home"));
                    Path file = Files.createTempFile("p", ".tmp");
                    IO.println(file.getParent());
                    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE);
                            var lock = channel.tryLock()) {
                        IO.println(lock.isValid());
                    }
                    var watch = FileSystems.getDefault().newWatchService();
                    Path.of(".").register(watch, StandardWatchEventKinds.ENTRY_CREATE);
                    Files.createFile(Path.of("made"));
                    IO.println(watch.take().pollEvents().getFirst().context());
                    Path socket = file.resolveSibling("java.sock");
                    var server = ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX);
                    server.bind(java.net.UnixDomainSocketAddress.of(socket));
                    Thread.ofVirtual().start(() -> IO.println("virtual")).join();
                    IO.println(Runtime.getRuntime().availableProcessors() > 0);
                }
                END
                "$JAVA_HOME/bin/java" P.java
                """);

        // Java's temporary directory is fixed at /tmp.
        assertThat(out).isEqualTo("agent /home/agent\n/tmp\ntrue\nmade\nvirtual\ntrue\n");
    }

    @Test
    void mavenCompilesOfflineFromTheCallersRepository() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("mvn"), "Maven is not installed");
        Path repository = Path.of(System.getProperty("user.home"), ".m2/repository");
        Path plugins = repository.resolve("org/apache/maven/plugins");
        Lanes.require(
                "e2e",
                plugins.resolve("maven-compiler-plugin/3.14.1").toFile().isDirectory()
                        && plugins.resolve("maven-resources-plugin/3.3.1")
                                .toFile()
                                .isDirectory(),
                "this build's plugins are not in " + repository);
        repository = room.readable(repository, MAVEN_PARTS);
        List<String> options = List.of(
                "--read",
                JDK.toString(),
                "--setenv",
                "JAVA_HOME=" + JDK,
                "--read",
                repository.toString());

        String out = room.prints(
                options,
                """
                mkdir -p src/main/java
                cat > pom.xml <<'END'
                <project><modelVersion>4.0.0</modelVersion>
                <groupId>g</groupId><artifactId>a</artifactId><version>1</version>
                <properties><maven.compiler.release>25</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
                <build><pluginManagement><plugins>
                <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
                <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
                </plugins></pluginManagement></build></project>
                END
                echo 'class M { public static void main(String[] a) { System.out.println("made"); } }' \\
                    > src/main/java/M.java
                """ + "mvn -o -B -q -Dmaven.repo.local='" + repository + "' compile\n"
                        + "$JAVA_HOME/bin/java -cp target/classes M\n");

        assertThat(out).endsWith("made\n");
    }

    @Test
    void gccAndMakeBuildInParallel() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("gcc"), "gcc is not installed");
        Lanes.require("e2e", WorkRoom.isInstalled("make"), "make is not installed");

        String out = room.prints("""
                for i in $(seq 20); do echo "int f$i(void) { return $i; }" > f$i.c; done
                { seq -f 'int f%.0f(void);' 20; echo '#include <stdio.h>'; echo '#include <pthread.h>'
                  echo 'int main(void) { printf("%d\\n", f1() + f20()); }'; } > main.c
                printf 'OBJECTS := $(patsubst %%.c,%%.o,$(wildcard *.c))\\n' > Makefile
                printf 'prog: $(OBJECTS)\\n\\t$(CC) -pthread -o $@ $^\\n' >> Makefile
                make -s -j8; ./prog
                ar rc libf.a f*.o; gcc -g -O2 -shared -fPIC -o libg.so f1.c f2.c
                gcc main.c -L. -lf -o static && ./static; make -s -q && echo fresh
                """);

        assertThat(out).isEqualTo("21\n21\nfresh\n");
    }

    @Test
    void aProgramUsesThreadsSemaphoresAndSharedMemory() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("gcc"), "gcc is not installed");

        String out = room.prints("""
                cat > p.c <<'END'
                #define _GNU_SOURCE
                #include <fcntl.h>
                #include <pthread.h>
                #include <semaphore.h>
                #include <stdio.h>
                #include <sys/eventfd.h>
                #include <sys/inotify.h>
                #include <sys/mman.h>
                #include <sys/stat.h>
                #include <sys/timerfd.h>
                #include <sys/wait.h>
                #include <unistd.h>
                static void *run(void *p) { __atomic_fetch_add((int *)p, 1, __ATOMIC_SEQ_CST); return 0; }
                int main(void) {
                    int *n = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
                    pthread_t t[50];
                    for (int i = 0; i < 50; i++) pthread_create(t + i, 0, run, n);
                    for (int i = 0; i < 50; i++) pthread_join(t[i], 0);
                    if (fork() == 0) { run(n); _exit(0); }
                    wait(0);
                    printf("%d\\n", *n);
                    sem_t *s = sem_open("/sem", O_CREAT, 0600, 1);
                    printf("%d %d\\n", s != SEM_FAILED, sem_wait(s));
                    printf("%d\\n", shm_open("/shm", O_CREAT | O_RDWR, 0600) > 0);
                    printf("%d\\n", mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                        != MAP_FAILED);
                    printf("%d %d %d\\n", eventfd(0, 0) > 0, timerfd_create(CLOCK_MONOTONIC, 0) > 0,
                        inotify_init1(0) > 0);
                    printf("%d\\n", mkfifo("fifo", 0600));
                    return 0;
                }
                END
                gcc -Wall -Werror -pthread p.c -o p; ./p
                """);

        assertThat(out).isEqualTo("51\n1 0\n1\n1\n1 1 1\n0\n");
    }

    @Test
    void cargoBuildsAndTests() throws Exception {
        Assumptions.assumeTrue(room.hasTool("cargo"), "cargo is not installed for this user");

        String out = room.prints(List.of("--tool", "cargo"), """
                cargo init -q --vcs none --name hello .
                cargo run -q --offline
                echo '#[test] fn t() { assert_eq!(2, 2); }' >> src/main.rs
                cargo test -q --offline | grep -c 'test result: ok'
                """);

        assertThat(out).isEqualTo("Hello, world!\n1\n");
    }

    @Test
    void goBuildsAndTests() throws Exception {
        Assumptions.assumeTrue(room.hasTool("go"), "go is not installed for this user");

        String out = room.prints(List.of("--tool", "go", "--setenv", "GOTOOLCHAIN=local"), """
                go mod init example.org/hello 2>/dev/null
                printf 'package main\\nfunc main() { println("go") }\\n' > main.go
                go run . 2>&1
                """);

        assertThat(out).isEqualTo("go\n");
    }

    @Test
    void perlRuns() throws Exception {
        Assumptions.assumeTrue(WorkRoom.isInstalled("perl"), "perl is not installed");

        String out = room.prints(
                "perl -MFile::Temp=tempfile -e '($f, $n) = tempfile(); print $n =~ m{^/tmp/}'");

        assertThat(out).isEqualTo("1");
    }
}
