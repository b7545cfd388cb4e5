package glove.policy.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonProblems;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Sources that are refused, and what is taken with a warning. */
@Tag("unit")
final class SessionPolicyWarningsTest {
    private static final String POLICY = ("{'schema_version':1,'revision':7,"
                    + "'max_plan_ttl_ms':600000,'runtime_templates':[{'runtime_template_id':'t',"
                    + "'runtime_id':'r','adapter_command_digest':'%s',"
                    + "'sandbox_backend':'linux_production'}],'path_aliases':[{'alias':'w',"
                    + "'host_path':'HOST','target_path':'TARGET','max_ttl_secs':60,'access':["
                    + "{'access':'read','materialization':'bind','create_policy':'never',"
                    + "'cleanup_policy':'retain','max_bytes':0}]}],"
                    + "'library_projection_destinations':[{'alias':'l','target_path':'/opt/l'}],"
                    + "'resource_profiles':[{'profile_id':'p','cpu_time_ms':1,'memory_bytes':1,"
                    + "'pids':1,'wall_time_ms':1,'disk_bytes':1,'terminal_output_bytes':1}],"
                    + "'secret_handles':['a','b'],'secret_mounts':["
                    + "{'handle':'a','runtime_id':'r','source_path':'/srv/a','target_path':"
                    + "'/home/agent/a'},{'handle':'b','runtime_id':'r','source_path':'SECRET',"
                    + "'target_path':'/home/agent/IN'}]}")
            .formatted("a".repeat(64))
            .replace('\'', '"');

    private final JsonProblems problems = JsonProblems.all(9);

    private Optional<SessionPolicy> parse(String host, String target, String secret, String in) {
        String text = POLICY.replace("HOST", host)
                .replace("TARGET", target)
                .replace("SECRET", secret)
                .replace("IN", in);
        return SessionPolicy.parse(
                text.getBytes(StandardCharsets.UTF_8), new TestPaths(), problems);
    }

    private List<String> warnings(String host, String target, String secret, String in) {
        Optional<SessionPolicy> policy = parse(host, target, secret, in);
        assertThat(problems.list()).isEmpty();
        return SessionPolicyWarnings.of(policy.orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc", "/home", "/usr", "/var", "/root", "/srv/people"})
    void wholeSystemsHomesAndWhatHoldsKeysAreRefused(String host) {
        assertThat(parse(host, "/workspace", "/srv/b", "b")).isEmpty();
        assertThat(problems.list().get(0).pointer()).isEqualTo("/path_aliases/0/host_path");
    }

    @Test
    void aPolicyAsItShouldBeHasNoWarning() {
        assertThat(warnings("/srv/one", "/workspace", "/srv/b", "b")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/etc/ssl, /workspace, /srv/b, b, 'the system''s settings'",
        "/srv/one, /home/agent, /srv/b, b, '''/home/agent'''",
        "/srv/one, /home, /srv/b, b, '''/home/agent'''",
        "/srv/one, /run, /srv/b, b, '''/run'''",
        "/srv/one, /tmp/x, /srv/b, b, '''/tmp'''",
        "/srv/one, /workspace/exposures, /srv/b, b, '''/workspace/exposures'''",
        "/srv/one, /opt/l/x, /srv/b, b, libraries 'l'",
        "/srv/one, /opt, /srv/b, b, libraries 'l'",
        "/srv/one, /workspace, /etc/shadow, b, '''/etc/shadow'''",
        "/srv/one, /workspace, /srv/b, a/b, 'secret ''b'' lies inside secret ''a'''",
    })
    void whatHadBetterNotBeThereIsTold(
            String host, String target, String secret, String in, String words) {
        assertThat(warnings(host, target, secret, in))
                .singleElement()
                .asString()
                .contains(words);
    }
}
