package glove.app;

/** The help of {@code glove run}: its own options; those of {@code exec} hold as well. */
final class RunHelp {
    static final String TEXT = """
            usage: glove run [OPTION...] -- AGENT [ARG...]

            Runs AGENT contained as 'glove exec' does, all of whose options hold here too,
            and is its only way to tools: starts MCP servers (upstreams) on this machine,
            lets through what is allowed here, denies and hides the rest, records both.
            Inside, the agent's one MCP server is the command glove-mcp. (+): repeatedly.

              --upstream NAME=PROG,ARG  start PROG as NAME; '\\,' is a comma in an ARG (+)
              --upstream-env NAME:VAR  pass one more variable of yours to it, or set
                                  NAME:VAR=VALUE (+)
              --upstream-cwd NAME:PATH  start it there (+)
              --upstream-sandbox NAME:KEY=VALUE  contain it as well; NAME alone grants
                                  nothing; KEY,...: workspace, read, write, tool, cache,
                                  env, egress (rules joined by '+') (+)
              --allow UPSTREAM.TOOL  let the agent see and call it; UPSTREAM.* for all (+)
              --allow-arg UPSTREAM.TOOL:FIELD=START  only with FIELD, a text that begins
                                  with START; of a /PATH: that path or below it (+)
              --policy FILE       rules for tools from a file; see 'glove tools --help'
              --allow-resources NAME:URI  what is listed at URI or below; NAME: all (+)
              --allow-prompts NAME:PROMPT  let it use a prompt; NAME: all (+)
              --allow-completion NAME  let it complete arguments of these (+)
              --allow-sampling NAME  let the upstream ask the agent's model (+)
              --allow-elicitation NAME  let the upstream ask the agent's user (+)
              --allow-roots NAME  tell it of --workspace when it asks for roots (+)
              --no-prefix NAME    its tools are called TOOL, not NAME__TOOL
              --tool-separator STRING  '.', '-' or '_' in place of '__' there
              --require-all       refuse the run when an upstream does not start
              --pin-required      hide what 'glove tools accept' has not accepted
              --audit-arguments   record arguments themselves, not only their digest
              --mcp-stdio         AGENT speaks MCP on its standard input and output
              -h, --help          this text

            A tool that is not allowed looks to the agent as if it were not there. What an
            upstream says of an allowed one is pinned at first use; when that changes, the
            tool is hidden until you accept it. Upstreams get HOME, LOGNAME, PATH, SHELL,
            TERM, USER, LANG, TZ, LC_*, TMPDIR and XDG_* of your environment, no more.

            Exit status: as 'glove exec'; 125 also when an upstream fails by --require-all.

            example: glove run --upstream f=npx,-y,SERVER --allow f.read --workspace . -- sh
            """;

    private RunHelp() {}
}
