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

/** What people do with Python, inside. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class PythonWorkloadTest {
    private final WorkRoom room;

    PythonWorkloadTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @BeforeEach
    void requirePython() {
        Lanes.require("e2e", WorkRoom.isInstalled("python3"), "python3 is not installed");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    /** A program from a file: multiprocessing imports its main module again. */
    private String python(String program) throws IOException, InterruptedException {
        return room.prints("cat > p.py <<'END'\n" + program + "END\n/usr/bin/python3 p.py\n");
    }

    @Test
    void aVirtualEnvironmentIsMadeAndUsed() throws Exception {
        String out = room.prints("""
                /usr/bin/python3 -m venv venv
                . venv/bin/activate
                python -c 'import sys; print(sys.prefix)'
                pip --version | cut -d' ' -f1
                mkdir -p pkg/hello; echo 'word = "installed"' > pkg/hello/__init__.py
                cp -r pkg/hello venv/lib/python3*/site-packages/
                cd /; python -c 'import hello; print(hello.word)'
                """);

        assertThat(out).isEqualTo(room.work() + "/venv\npip\ninstalled\n");
    }

    @Test
    void aPoolSharesALockAQueueAndAValue() throws Exception {
        String out = python("""
                import multiprocessing as m
                def work(n):
                    with value.get_lock():
                        value.value += n
                    queue.put(n)
                    return n * n
                def init(v, q):
                    global value, queue
                    value, queue = v, q
                if __name__ == '__main__':
                    for method in ('fork', 'spawn', 'forkserver'):
                        c = m.get_context(method)
                        v, q, lock = c.Value('i', 0), c.Queue(), c.Lock()
                        with c.Pool(4, init, (v, q)) as pool:
                            squares = pool.map(work, range(20))
                            queued = sum(q.get() for _ in range(20)) # before the pool is killed
                        with lock:
                            print(method, sum(squares), v.value, queued)
                """);

        assertThat(out)
                .isEqualTo("fork 2470 190 190\nspawn 2470 190 190\nforkserver 2470 190 190\n");
    }

    @Test
    void sharedMemoryAndSemaphoresHaveNames() throws Exception {
        String out = python("""
                from multiprocessing import Manager, Process, Semaphore, shared_memory
                def write(name):
                    block = shared_memory.SharedMemory(name)
                    block.buf[:5] = b'share'
                    block.close()
                if __name__ == '__main__':
                    block = shared_memory.SharedMemory(create=True, size=1 << 20, name='glove')
                    p = Process(target=write, args=('glove',)); p.start(); p.join()
                    print(bytes(block.buf[:5]).decode())
                    block.close(); block.unlink()
                    with Manager() as manager:
                        d = manager.dict(); d['k'] = 'managed'; print(d['k'])
                    s = Semaphore(1); print(s.acquire(timeout=1), s.acquire(timeout=0.01))
                """);

        assertThat(out).isEqualTo("share\nmanaged\nTrue False\n");
    }

    @Test
    void asyncioRunsSubprocessesSocketsAndSignals() throws Exception {
        String out = python("""
                import asyncio, os, signal, socket
                async def main():
                    p = await asyncio.create_subprocess_exec(
                        'tr', 'a-z', 'A-Z', stdin=asyncio.subprocess.PIPE,
                        stdout=asyncio.subprocess.PIPE)
                    print((await p.communicate(b'upper'))[0].decode(), p.returncode)
                    a, b = socket.socketpair()
                    reader, _ = await asyncio.open_connection(sock=a)
                    b.sendall(b'pair'); b.close(); print((await reader.read()).decode())
                    caught = asyncio.Event()
                    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, caught.set)
                    os.kill(os.getpid(), signal.SIGUSR1)
                    await caught.wait(); print('signal')
                    print(await asyncio.to_thread(lambda: 'thread'))
                asyncio.run(main())
                """);

        assertThat(out).isEqualTo("UPPER 0\npair\nsignal\nthread\n");
    }

    @Test
    void aSocketInTheTemporaryDirectoryServes() throws Exception {
        String out = python("""
                import os, socket, tempfile, threading
                path = os.path.join(tempfile.mkdtemp(), 'socket')
                server = socket.socket(socket.AF_UNIX)
                server.bind(path); server.listen()
                def serve():
                    connection, _ = server.accept()
                    connection.sendall(b'served ' + connection.recv(9))
                    connection.close()
                threading.Thread(target=serve).start()
                client = socket.socket(socket.AF_UNIX)
                client.connect(path); client.sendall(b'client'); print(client.recv(99).decode())
                print(path.startswith(os.environ['TMPDIR'] + '/'))
                """);

        assertThat(out).isEqualTo("served client\nTrue\n");
    }

    @Test
    void descriptorsPassOverASocketAndAnAbstractNameServes() throws Exception {
        String out = python("""
                import array, os, socket
                a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                r, w = os.pipe()
                socket.send_fds(a, [b'fd'], [w])
                _, fds, _, _ = socket.recv_fds(b, 9, 1)
                os.write(fds[0], b'passed'); print(os.read(r, 9).decode())
                s = socket.socket(socket.AF_UNIX); s.bind('\\0glove'); s.listen()
                c = socket.socket(socket.AF_UNIX); c.connect('\\0glove'); print('abstract')
                """);

        assertThat(out).isEqualTo("passed\nabstract\n");
    }

    @Test
    void sqliteKeepsADatabaseWithAWriteAheadLog() throws Exception {
        String out = python("""
                import sqlite3, threading
                db = sqlite3.connect('data.db')
                print(db.execute('pragma journal_mode=wal').fetchone()[0])
                db.execute('create table t(n)')
                db.executemany('insert into t values(?)', ((i,) for i in range(1000)))
                db.commit()
                def read():
                    print(sqlite3.connect('data.db').execute('select sum(n) from t').fetchone()[0])
                t = threading.Thread(target=read); t.start(); t.join()
                """);

        assertThat(out).isEqualTo("wal\n499500\n");
    }

    @Test
    void temporaryFilesMapsAndLocksWork() throws Exception {
        String out = python("""
                import fcntl, mmap, os, tempfile
                with tempfile.NamedTemporaryFile() as f, tempfile.TemporaryFile() as g:
                    f.write(b'named'); f.flush(); print(open(f.name).read(), f.name[:5])
                fd = os.open('map', os.O_RDWR | os.O_CREAT, 0o600)
                os.ftruncate(fd, 8192)
                one = mmap.mmap(fd, 8192); two = mmap.mmap(fd, 8192)
                if os.fork() == 0:
                    one[4096:4099] = b'map'; os._exit(0)
                os.wait(); print(two[4096:4099].decode())
                fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB); print('locked')
                print(os.memfd_create('m') > 2, os.posix_fallocate(fd, 0, 16384), os.stat(fd).st_size)
                """);

        assertThat(out).isEqualTo("named /tmp/\nmap\nlocked\nTrue None 16384\n");
    }

    @Test
    void aPseudoTerminalCanBeMade() throws Exception {
        String out = python("""
                import os, pty
                pid, master = pty.fork()
                if pid == 0:
                    os.execvp('bash', ['bash', '-c', 'test -t 0 && stty size && tty'])
                data = b''
                try:
                    while True:
                        more = os.read(master, 999)
                        if not more: break
                        data += more
                except OSError:
                    pass
                print(data.decode().split(), os.waitpid(pid, 0)[1])
                """);

        assertThat(out).isEqualTo("['0', '0', '/dev/pts/0'] 0\n");
    }

    @Test
    void certificatesAreReadable() throws Exception {
        Lanes.require(
                "e2e",
                room.outside("ls /etc/ssl/certs | wc -l").trim().length() > 1,
                "no ca-certificates");

        String out = room.prints(
                List.of(),
                "/usr/bin/python3 -c 'import ssl; c = ssl.create_default_context();"
                        + " print(len(c.get_ca_certs()) > 10)'");

        assertThat(out).isEqualTo("True\n");
    }
}
