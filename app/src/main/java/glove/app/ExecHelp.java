package glove.app;

/** The help of {@code glove exec}. */
final class ExecHelp {
    static final String TEXT = """
            usage: glove exec [OPTION...] -- COMMAND [ARG...]

            Runs COMMAND contained: it sees installed software read-only, private empty
            directories, and what is granted here. Everything else is denied: other
            files, the network, other processes, your environment.

              --workspace PATH    grant PATH writable, and start in it
              --read PATH         grant a file or directory read-only      (repeatable)
              --write PATH        grant a file or directory writable       (repeatable)
              --tool NAME         grant a program of your PATH that is installed
                                  elsewhere, and what it needs, read-only  (repeatable)
              --socket PATH       let it talk to one Unix socket of yours  (repeatable)
              --cwd PATH          start in PATH, which must be visible inside
              --home NAME         keep HOME from run to run, as NAME; one run at a time
              --home-shared       ... or several, when all of them say so
              --cache TOOL        show your cache of npm, pip, maven, gradle, cargo or go;
                                  what is written stays inside. TOOL:ro: only read
                                                                           (repeatable)
              --protect PATH      keep PATH read-only in a writable grant  (repeatable)
              --no-protect PATH   lift that for PATH: git hooks and settings, editor and
                                  shell start-up files are protected   (repeatable)
              --no-default-protect  ... for all of them
              --strict-protect    end the run when it makes such a name
              --hide PATH|GLOB    as if it were not there, '**/.env'   (repeatable)
              --no-git            do not grant the repository of a linked git worktree
              --env NAME          pass one variable of your environment    (repeatable)
              --setenv NAME=VALUE set one variable                         (repeatable)
              --memory SIZE       limit of all processes together; SIZE: 512M, 4G, bytes
              --cpu-time TIME     processor time of all together; TIME: 90s, 10m, 2h
              --pids N            processes and threads at once             (4096)
              --wall TIME         end after that long, from the start of COMMAND
              --output SIZE       bytes written to standard output and error
              --scratch SIZE      content of the private directories
              --allow-userns      let it make user, pid, net, ipc, uts namespaces (browsers)
              --audit-log FILE    append what ran, and how it ended, to FILE
              --explain           say what would be visible and denied; run nothing
              --why               tell at the end what was denied, and what allows it
              --json              --explain or --why as data
              -v, --verbose       one line on stderr with what was granted
              -h, --help          this text

            Of two grants that overlap the narrower one decides. A value may also be
            given as --option=VALUE.

            Exit status: that of COMMAND; 128+n when signal n ended it; 127 not found;
            126 not executable; 125 the sandbox could not be set up; 2 bad command line.
            A limit ended it: 124 wall, 123 memory, 122 cpu-time, 121 pids, 120 output.

            example: glove exec --workspace . --read ~/.m2 -- mvn -o test
            """;

    private ExecHelp() {}
}
