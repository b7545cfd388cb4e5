package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;

/** What people do with Node, inside. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class NodeWorkloadTest {
    private final WorkRoom room;

    NodeWorkloadTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    @BeforeEach
    void requireNode() {
        Assumptions.assumeTrue(WorkRoom.isInstalled("node"), "node is not installed in /usr/bin");
    }

    private String node(String program) throws IOException, InterruptedException {
        return room.prints("cat > p.js <<'END'\n" + program + "END\nnode p.js\n");
    }

    @Test
    void npmMakesAPackageAndRunsItsScripts() throws Exception {
        Assumptions.assumeTrue(WorkRoom.isInstalled("npm"), "npm is not installed in /usr/bin");

        String out = room.prints("""
                npm init -y >/dev/null
                npm pkg set scripts.build='echo built | tr a-z A-Z && exit 0' scripts.fail='exit 3'
                npm run --silent build
                npm run --silent fail 2>/dev/null || echo $?
                """);

        assertThat(out).isEqualTo("BUILT\n3\n");
    }

    @Test
    void npmInstallsAndPacksALocalDependency() throws Exception {
        Assumptions.assumeTrue(WorkRoom.isInstalled("npm"), "npm is not installed in /usr/bin");

        String out = room.prints("""
                mkdir dep app
                cd dep; npm init -y >/dev/null; echo 'module.exports = "dependency"' > index.js
                tarball=$(npm pack --silent); cd ../app; npm init -y >/dev/null
                npm install --offline --silent --no-audit --no-fund ../dep/$tarball
                node -p 'require("dep")'
                """);

        assertThat(out).isEqualTo("dependency\n");
    }

    @Test
    void nodeStartsChildrenOfEveryKind() throws Exception {
        String out = node("""
                const c = require('child_process');
                console.log(c.execSync('echo shell').toString().trim());
                const cat = c.spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
                cat.stdout.on('data', d => console.log(d.toString()));
                cat.stdin.end('piped');
                cat.on('close', code => {
                  if (code) process.exit(1);
                  const f = c.fork(__filename, ['child']);
                  f.on('message', m => console.log(m));
                });
                if (process.argv[2]) { process.send('forked'); process.exit(0); }
                """.replaceFirst("(?s)^(.*)(if \\(process.argv.*)$", "$2$1"));

        assertThat(out).isEqualTo("shell\npiped\nforked\n");
    }

    @Test
    void workerThreadsShareMemory() throws Exception {
        String out = node("""
                const w = require('worker_threads');
                if (w.isMainThread) {
                  const shared = new Int32Array(new SharedArrayBuffer(4));
                  let left = 4;
                  for (let i = 0; i < 4; i++)
                    new w.Worker(__filename, { workerData: shared })
                      .on('exit', () => { if (--left === 0) console.log(shared[0]); });
                } else {
                  for (let i = 0; i < 1000; i++) Atomics.add(w.workerData, 0, 1);
                }
                """);

        assertThat(out).isEqualTo("4000\n");
    }

    @Test
    void nodeListsItsMachine() throws Exception {
        String out = node("""
                const os = require('os');
                console.log(typeof os.networkInterfaces(), os.hostname(), os.homedir(), os.tmpdir());
                console.log(os.userInfo().username, os.cpus().length > 0, os.totalmem() > 0);
                console.log(require('crypto').randomBytes(8).length, performance.now() > 0);
                """);

        assertThat(out).isEqualTo("object glove /home/agent /tmp\nagent true true\n8 true\n");
    }

    @Test
    void nodeWatchesFiles() throws Exception {
        String out = node("""
                const fs = require('fs');
                fs.mkdirSync('watched');
                const w = fs.watch('watched', (event, name) => {
                  console.log(name); w.close(); clearInterval(t);
                });
                let n = 0;
                const t = setInterval(() => fs.writeFileSync('watched/file', String(n++)), 50);
                """);

        assertThat(out).isEqualTo("file\n");
    }

    @Test
    void httpRunsOverASocketFile() throws Exception {
        String out = node("""
                const http = require('http'), path = process.env.TMPDIR + '/http.sock';
                const s = http.createServer((q, r) => { r.end('over a socket'); s.close(); });
                s.listen(path, () => http.get({ agent: false, socketPath: path, path: '/' },
                  r => r.on('data', d => console.log(d.toString()))));
                """);

        assertThat(out).isEqualTo("over a socket\n");
    }

    @Test
    void nodeReadsStandardInputOfEveryKind() throws Exception {
        String out = room.prints("""
                echo 'process.stdin.on("data", d => console.log(String(d).trim()))' > p.js
                echo pipe | node p.js
                node p.js <<< here
                node p.js < /dev/null
                node -e 'console.log(require("fs").readFileSync(0, "utf8").trim())' <<< sync
                """);

        assertThat(out).isEqualTo("pipe\nhere\nsync\n");
    }
}
