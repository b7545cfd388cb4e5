package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;

/**
 * Pipes in place of a program's standard streams. Only our ends are non-blocking: to the program
 * they are pipes as any shell makes them. Closing closes the ends that were not released.
 */
record ProgramPipes(Pipe stdin, Pipe stdout, Pipe stderr) implements AutoCloseable {
    static ProgramPipes open(Linux linux) throws ErrnoException {
        Pipe stdin = linux.pipe();
        try {
            Pipe stdout = linux.pipe();
            try {
                ProgramPipes pipes = new ProgramPipes(stdin, stdout, linux.pipe());
                pipes.setNonBlocking(linux);
                return pipes;
            } catch (ErrnoException e) {
                stdout.close();
                throw e;
            }
        } catch (ErrnoException e) {
            stdin.close();
            throw e;
        }
    }

    private void setNonBlocking(Linux linux) throws ErrnoException {
        try {
            linux.setNonBlocking(stdin.write());
            linux.setNonBlocking(stdout.read());
            linux.setNonBlocking(stderr.read());
        } catch (ErrnoException e) {
            stderr.close();
            throw e;
        }
    }

    /** The program's ends, lent for its launch. */
    StandardStreams forProgram() {
        return new StandardStreams(stdin.read(), stdout.write(), stderr.write());
    }

    @Override
    public void close() {
        stdin.close();
        stdout.close();
        stderr.close();
    }
}
