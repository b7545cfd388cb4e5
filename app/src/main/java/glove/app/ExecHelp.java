package glove.app;

/**
 * The help of {@code glove exec}, and the one table of its options: completion and the manual are
 * made from it by {@link HelpPage}, which also tells the form of a line.
 */
final class ExecHelp {
    static final String TEXT = """
            usage: glove exec [OPTION...] -- COMMAND [ARG...]

            Runs COMMAND contained: it sees installed software read-only, private empty
            directories, and what is granted here. Everything else is denied: other files,
            the network, other processes, your environment. (+) may be given repeatedly.

              --workspace PATH    grant PATH writable, and start in it
              --read PATH         grant a file or directory read-only (+)
              --write PATH        grant a file or directory writable (+)
              --tool NAME         grant a program of your PATH, and what it needs (+)
              --socket PATH       let it talk to one Unix socket of yours (+)
              --egress-allow DEST  let it reach HOST, .SUFFIX, IP or CIDR, each with :PORT
                                  (443) or :*, or a @PRESET of 'glove egress presets' (+)
              --egress-allow-private HOST:PORT  ... what is private or on this machine (+)
              --egress-bytes-out HOST=SIZE  send no more to HOST; SIZE: to all of them (+)
              --egress-connections N  at once (1024)
              --egress-idle TIME  end a connection after that long without a byte (15m)
              --egress-wall TIME  ... after that long in any case
              --egress-log        tell each decision on stderr as it is made
              --publish PORT      let this machine reach a port inside, HOSTPORT:PORT (+)
              --loopback          let it listen on 127.0.0.1 inside; no way out by that
              --cwd PATH          start in PATH, which must be visible inside
              --home NAME         keep HOME from run to run, as NAME; one run at a time
              --home-shared       ... or several, when all of them say so
              --cache TOOL        show your cache of npm, pip, maven, gradle, cargo, go (+)
              --protect PATH      keep PATH read-only in a writable grant (+)
              --no-protect PATH   lift what protects git hooks, editor, shell settings (+)
              --no-default-protect  ... for all of them
              --strict-protect    end the run when it makes such a name
              --hide PATH|GLOB    as if it were not there, '**/.env' (+)
              --no-git            do not grant the repository of a linked git worktree
              --env NAME          pass one variable of your environment (+)
              --setenv NAME=VALUE set one variable (+)
              --memory SIZE       limit of all processes together; 512M, 4G, bytes
              --cpu-time TIME     processor time of all together; 90s, 10m, 2h
              --pids N            processes and threads at once (4096)
              --wall TIME         end after that long, from the start of COMMAND
              --output SIZE       bytes written to standard output and error
              --scratch SIZE      content of the private directories
              --allow-userns      let it make user namespaces, as browsers' sandboxes do
              --allow-nesting     ... and mount in them, as bubblewrap and Glove do
              --audit-log FILE    append what ran, and how it ended, to FILE
              --explain           say what would be visible and denied; run nothing
              --why               tell at the end what was denied, and what allows it
              --json              --explain or --why as data
              -v, --verbose       one line on stderr with what was granted
              -h, --help          this text

            Of two grants that overlap the narrower one decides. --cache TOOL:ro makes no
            private copy. --option=VALUE is the same, and --limit-memory is --memory, etc.

            Exit status: that of COMMAND; 128+n when signal n ended it; 127 not found;
            126 not executable; 125 the sandbox could not be set up; 2 bad command line;
            124 wall, 123 memory, 122 cpu-time, 121 pids, 120 output: that limit ended it.

            example: glove exec --workspace . --home dev --memory 4G -- bash
            """;

    private ExecHelp() {}
}
