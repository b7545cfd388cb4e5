package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;

/** What {@code glove policy explain} sees of the machine a policy is for. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class PolicyLooksTest {
    /** A policy that executes {@code bin/x} and shows {@code key}; its digest is put right. */
    private static final String SETUP = GlovedScript.SETUP + """
            mkdir -p source bin; cp /usr/bin/true bin/x; echo secret-text > key2
            TOP="$PWD"
            policy() {
                cat > policy.json <<END
            {"schema_version":1,"revision":3,"max_plan_ttl_ms":600000,
            "runtime_templates":[{"runtime_template_id":"codex-safe","runtime_id":"claude-code",
            "adapter_command_digest":"DIGEST",
            "sandbox_backend":"linux_production","launch":{$1}}],
            "path_aliases":[{"alias":"w","host_path":"$TOP/source","target_path":"/workspace",
            "max_ttl_secs":60,"access":[{"access":"read","materialization":"bind",
            "create_policy":"never","cleanup_policy":"retain","max_bytes":0}]}],
            "resource_profiles":[{"profile_id":"p","cpu_time_ms":1,"memory_bytes":1,"pids":1,
            "wall_time_ms":1,"disk_bytes":1,"terminal_output_bytes":1}],
            "egress_policy_ids":["no-network"],"tool_policy_ids":["none"],
            "secret_handles":["k"],"secret_mounts":[{"handle":"k","runtime_id":"claude-code",
            "source_path":"$TOP/key2","target_path":"/home/agent/k"}]}
            END
                sed -i s/DIGEST/$(printf '0%.0s' $(seq 64))/ policy.json
                digest=$(glove policy validate --file "$TOP/policy.json" 2>&1 |
                    sed -n 's/.*is not that of launch: write //p' || true)
                sed -i "s/\\"0*\\"/\\"$digest\\"/" policy.json
            }
            glove() { "$GLOVE" "$@"; }
            chain() { # x is read by x2, that by x3, and so on; where no path has a space
                C=$(mktemp -d /tmp/chain.XXXXXX); trap 'rm -rf "$C"' EXIT
                echo "#!$C/x2" > bin/x
                for i in $(seq 2 $1); do echo "#!$C/x$((i + 1))" > $C/x$i; done
                echo "#!/bin/sh" > $C/x$(($1 + 1)); chmod 700 $C/*
            }
            pinned() { policy '"executable_path":"'"$TOP"'/bin/x"'; }
            explain() { glove policy explain --file "$TOP/policy.json" "$CONFIG" "$@"; }
            """;

    private final WorkRoom room;

    PolicyLooksTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETUP + script).run();
    }

    @Test
    void whatOnlyTheOwnerDecidesIsSaidToBeSo() throws Exception {
        Command.Result told = run("pinned; explain; explain --json");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out())
                .contains("/bin/x': of user ", "can change it or what leads to it")
                .contains("/key2' is there: a file of user ")
                .contains("/source' is there, a directory of user ")
                .contains("\"machine\":[{\"kind\":\"executable\",\"of\":\"codex-safe\",\"path\":\"")
                .contains("\"mode\":\"700\",\"good\":true,\"words\":[")
                .contains("{\"kind\":\"secret\",\"of\":\"k\",\"path\":\"")
                .doesNotContain("UNSAFE", "UNUSABLE", "secret-text");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "chmod 775 bin/x                       | /bin/x' may be written by group ",
                "chmod 777 bin/x                       | may be written by anybody (mode 777)",
                "chmod 1777 bin                        | /bin' may be written by anybody (mode 1777)",
                "chmod 775 .                           | /d' may be written by group ",
                "mv bin b; chmod 777 b; ln -s b bin    | /b' may be written by anybody",
                "mkdir o; mv bin/x o; chmod 777 o; ln -s ../o/x bin/x | /d/o/x': of user ",
            })
    void whatOthersCanChangeIsUnsafe(String change, String told) throws Exception {
        assumeThat(room.identity() == Identity.ROOT && change.contains("1777"))
                .as("/tmp is as safe as what is in it")
                .isFalse();
        Command.Result result = run("pinned; " + change + "; explain; explain --json");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("UNSAFE: others can change it", told)
                .containsPattern("\"kind\":\"executable\"[^}]*\"good\":false");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "rm bin/x                                       | /bin/x' does not exist",
                "rm bin/x; ln -s x bin/x                        | through too many symbolic links",
                "rm bin/x; mkdir bin/x                          | is nothing that can be executed",
                "chmod 600 bin/x                                | is nothing that can be executed",
                "echo '#!/usr/bin/env node' > bin/x             | a script of '/usr/bin/env': of ",
                "echo '#! /nowhere/sh' > bin/x                  | of '/nowhere/sh' does not exist",
                "echo '#!sh' > bin/x                            | 'sh', which is no absolute path",
                "echo '#!/usr/bin/true/' > bin/x                | of '/usr/bin/true/' does not exist",
                "echo '#!/usr/bin/true/.' > bin/x               | '/usr/bin/true/.' does not exist",
                "echo '#!/usr/bin/true/../true' > bin/x         | true/../true' does not exist",
                ": > bin/x                                      | /bin/x' is neither an ELF program",
                "echo text > bin/x                              | not start it (ENOEXEC), unless",
                "chain 2; echo text > $C/x3                     | /x3' is neither an ELF program",
                "echo '#!' > bin/x                              | starts: the first line of it names",
                "printf '#!/%0300d\\n' 0 > bin/x              | is longer than the 256 bytes",
                "chain 2; echo '#!sh' > $C/x3                   | /x3' is a script of 'sh', which is",
                "chain 2; rm $C/x3                              | /x2' is a script of '/",
                "chain 5                                        | /x6' is a script nothing starts: the",
                "rm key2                                        | /key2' does not exist",
                "chmod 640 key2                                 | mode 640; UNUSABLE: chmod 600",
                "ln key2 other                                  | UNUSABLE: it has 2 names",
                ": > key2                                       | UNUSABLE: it has 0 bytes",
                "rm key2; ln -s key key2                        | UNUSABLE: no regular file",
            })
    void whatCannotStartIsTold(String change, String told) throws Exception {
        Command.Result result = run("pinned; " + change + "; explain");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).contains(told).doesNotContain("secret-text");
    }

    /** The owner's bit counts for the owner, whatever others may. */
    @Test
    void whatTheKernelWouldNotStartForThisUserIsNotGood() throws Exception {
        Command.Result result = run("""
                pinned; chmod 601 bin/x; explain --json > told; "$PWD/bin/x" && echo started ||
                    echo "status $?"; cat told; chmod 700 bin/x; echo; echo ---
                unshare -Urm sh -ec 'mount -t tmpfs -o noexec,mode=755 t bin
                    cp /usr/bin/true bin/x; chmod 755 bin/x; bin/x || echo "status $?" >&2
                    exec "$0" policy explain --file "$PWD/policy.json" "$1"' "$GLOVE" "$CONFIG"
                """);

        assertThat(result.status()).as("%s", result).isZero();
        String mode = result.out().substring(0, result.out().indexOf("---"));
        boolean root = room.identity() == Identity.ROOT; // for whom any bit will do
        assertThat(mode)
                .contains(root ? "started" : "status 126")
                .containsPattern("\"kind\":\"executable\"[^}]*\"good\":" + root);
        assertThat(result.err()).contains("status 126");
        assertThat(result.out().substring(mode.length()))
                .contains(
                        "it is nothing that can be executed by this user, or where it is mounted: "
                                + "EACCES");
    }

    @Test
    void whatNobodyLetsOneLookAtIsSaidAndNotHidden() throws Exception {
        assumeThat(room.identity()).as("for root nothing is closed").isEqualTo(Identity.ORDINARY);
        Command.Result result = run("""
                pinned; chmod 300 bin/x; explain; chmod 0 bin; explain; chmod 700 bin
                mkdir keys; mv key2 keys/key2; sed -i s,/key2,/keys/key2, policy.json
                chmod 0 keys; explain; chmod 700 keys""");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("cannot be read (EACCES (permission denied)): whether it is a script")
                .contains("/bin/x' cannot be looked at: EACCES")
                .contains("/keys/key2' cannot be looked at: EACCES");
    }

    @Test
    void anotherUsersDirectoryIsUnsafe() throws Exception {
        assumeThat(Identity.isRoot()).as("it takes two users").isTrue();
        assertThat(run("pinned; mv bin b; mkdir bin").status()).isZero();
        String other = room.path().resolve("d/b").toString();
        assertThat(Command.of("chown", "1", other).run().status()).isZero();
        assertThat(Command.of("chmod", "755", other).run().status()).isZero();
        Command.Result result = room.shell("cd d; rmdir bin; ln -s b bin\n\"$GLOVE\" policy explain"
                        + " --file \"$PWD/policy.json\" --config \"$PWD/config.json\"")
                .run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).contains("UNSAFE", "/d/b' belongs to user 1\n");
    }

    @Test
    void aRuntimeIsLookedForInOrderAndOnlyWhereNobodyElseWrites() throws Exception {
        Command.Result result = run("""
                mkdir a b c; touch file; cp bin/x a/claude; cp bin/x c/claude; chmod 777 a
                policy '"runtime_discovery":"claude-code","executable_search_paths":[
                    "/nowhere","'"$TOP"'/a","'"$TOP"'/file","'"$TOP"'/b","'"$TOP"'/c"]'
                explain; rm c/claude; explain""");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("'/nowhere' does not exist\n")
                .contains("UNSAFE: others can change it, or what leads to it; not searched\n")
                .contains("/file': of user ", "it is no directory")
                .contains("/b/claude' does not exist\n")
                .containsPattern("/c/claude': of user .* can change it or what leads to it\n")
                .contains("no 'claude' is found there: nothing starts\n")
                .doesNotContain("/a/claude");
    }

    @Test
    void whatIsExposedIsToldWhetherADaemonRunsOrNot() throws Exception {
        Command.Result result = run("""
                pinned; : > log; start; explain > before; glove init projects/site "$CONFIG" > made
                explain > during; stop; explain --json > after
                grep -h exposure before during after""");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("exposures: none was ever made\n")
                .contains("exposure 'site', generation 1: active until 20")
                .contains("{\"kind\":\"exposure\",\"of\":\"site\",\"good\":true,");
    }

    @Test
    void whatHasBeenRemovedIsNotShownAsExposed() throws Exception {
        Command.Result result = run("""
                pinned; : > log; start; glove init projects/site "$CONFIG" > made; stop
                rmdir projects/site; explain""");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("exposure 'site', generation 1: revoked\n")
                .contains("  for template 'codex-safe'\n")
                .contains("  for template 'pi-safe', which the policy does not have\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "chmod 644 state/exposures      | is no file that is yours alone",
                "echo x > state/exposures       | does not begin as one",
                "rm state/exposures             | ENOENT",
                "chmod 644 exposures.json       | has the mode 644",
                "rmdir projects/site projects   | /roots/0/host_root",
            })
    void aJournalThatCannotBeReadIsToldAndTheRestToo(String change, String told) throws Exception {
        Command.Result result = run("pinned; : > log; start; stop; " + change + "; explain");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("exposures: what is exposed is not known: ", told)
                .contains("/bin/x': of user ");
    }

    @Test
    void withoutAConfigurationExposuresAreNotLookedAtAndANamedOneMustBeThere() throws Exception {
        Command.Result usual = run("""
                pinned; HOME="$PWD" XDG_CONFIG_HOME= glove policy explain --file "$TOP/policy.json"
                """);
        Command.Result named = run("pinned; rm config.json; explain");
        Command.Result validate = run("pinned; glove policy validate --file /x \"$CONFIG\"");

        assertThat(usual.status()).as("%s", usual).isZero();
        assertThat(usual.out()).contains("is exposed is not known: the configuration '");
        assertThat(named.status()).isEqualTo(2);
        assertThat(named.err()).contains("config.json' cannot be read: ENOENT");
        assertThat(validate.status()).isEqualTo(2);
        assertThat(validate.err()).contains("--config is for explain");
    }
}
