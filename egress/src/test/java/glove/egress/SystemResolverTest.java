package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.IpAddress;
import glove.sys.Linux;
import glove.sys.UnixPath;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A name with a dot is that name, whatever domains the machine appends to others. */
@Tag("unit")
final class SystemResolverTest {
    private static final String HOSTS = """
            # 10.0.0.1 commented.test
            127.0.0.1\tlocalhost
            10.0.0.2  Web.Test web # other.test
            10.0.0.3 web.test.corp
            not-an-address web.test
            ::2 x web.test.
            10.0.0.4""";

    @TempDir
    private Path directory;

    private final List<String> asked = new ArrayList<>();

    private List<IpAddress> resolve(String name) throws Exception {
        Path hosts = directory.resolve("hosts");
        Files.writeString(hosts, HOSTS);
        SystemResolver resolver =
                new SystemResolver(Linux.host(), UnixPath.of(hosts.toString()), this::ask);
        return resolver.resolve(HostName.ofWire(name));
    }

    private InetAddress[] ask(String name) throws UnknownHostException {
        asked.add(name);
        return new InetAddress[] {InetAddress.getByAddress(new byte[] {93, 0, 0, 1})};
    }

    @Test
    void theSearchListIsNotAppendedToANameWithADot() throws Exception {
        assertThat(resolve("api.test").get(0)).hasToString("93.0.0.1");

        assertThat(asked).containsExactly("api.test.");
    }

    @Test
    void aSingleNameIsResolvedAsTheHostDoes() throws Exception {
        resolve("web");

        assertThat(asked).containsExactly("web");
    }

    @Test
    void theHostsFileIsReadFirst() throws Exception {
        assertThat(resolve("WEB.test").toString()).isEqualTo("[10.0.0.2, ::2]");
        assertThat(asked).isEmpty();
    }

    @Test
    void commentsAndOtherNamesAreNone() throws Exception {
        resolve("commented.test");
        resolve("other.test");
        resolve("eb.test");

        assertThat(asked).containsExactly("commented.test.", "other.test.", "eb.test.");
    }
}
