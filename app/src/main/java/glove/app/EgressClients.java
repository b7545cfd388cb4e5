package glove.app;

import glove.sandbox.GuestPrograms;
import glove.sandbox.HomeFile;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * How programs inside find the proxy: variables, and files in HOME for those that read none.
 * docs/egress.md says which program takes which. Stateless.
 */
final class EgressClients {
    /** Where a client has to send the credential that is in its environment. */
    static final int AUTHENTICATED_PORT = 3128;

    /** Where none is asked for: for clients that cannot send one. */
    static final int VOUCHED_PORT = 1080;

    private static final String HOST = "127.0.0.1";
    private static final String OWN = "localhost,127.0.0.1,::1";

    /** Names that mean the same to different programs. */
    private static final String[] PROXIES = {
        "HTTPS_PROXY",
        "https_proxy",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
        "YARN_HTTP_PROXY",
        "YARN_HTTPS_PROXY",
    };

    private static final String[] PAST_PROXIES = {"NO_PROXY", "no_proxy"};

    private EgressClients() {}

    /**
     * Sets the variables; of those that are not Glove's own what was asked for stays.
     *
     * @param url of the authenticated entry, with its credential
     */
    static void put(AgentEnvironment environment, String url) {
        for (String name : PROXIES) {
            environment.putForTool(name, url);
        }
        for (String name : PAST_PROXIES) {
            environment.putForTool(name, OWN);
        }
        environment.putForTool("NODE_USE_ENV_PROXY", "1");
        // Else git tries without the credential first.
        environment.putForTool("GIT_HTTP_PROXY_AUTHMETHOD", "basic");
        environment.putForTool("JDK_JAVA_OPTIONS", javaOptions());
    }

    /** The JVM has no property for a credential of a proxy. */
    private static String javaOptions() {
        StringBuilder out = new StringBuilder();
        for (String scheme : new String[] {"http", "https"}) {
            out.append("-D").append(scheme).append(".proxyHost=").append(HOST);
            out.append(" -D")
                    .append(scheme)
                    .append(".proxyPort=")
                    .append(VOUCHED_PORT)
                    .append(' ');
        }
        return out.append("-Dhttp.nonProxyHosts=localhost|127.*|[::1]").toString();
    }

    /** The files. */
    static List<HomeFile> files() {
        UnixPath connector = GuestPrograms.DIRECTORY.resolve(GuestPrograms.CONNECT);
        return List.of(
                file(".ssh/config", """
                        # Made by Glove: the only way out is its proxy.
                        Host * !localhost !127.0.0.1 !::1
                            ProxyCommand %s %%h %%p
                        """.replace("%s", connector.toString()).replace("%%", "%")),
                file(".m2/settings.xml", """
                        <!-- Made by Glove: the only way out is its proxy. -->
                        <settings>
                          <proxies>
                            <proxy>
                              <id>glove</id>
                              <protocol>http</protocol>
                              <host>HOST</host>
                              <port>PORT</port>
                              <nonProxyHosts>localhost|127.*</nonProxyHosts>
                            </proxy>
                          </proxies>
                        </settings>
                        """.replace("HOST", HOST)
                        .replace("PORT", Integer.toString(VOUCHED_PORT))),
                file(".gradle/gradle.properties", """
                        # Made by Glove: the only way out is its proxy.
                        systemProp.http.proxyHost=HOST
                        systemProp.http.proxyPort=PORT
                        systemProp.https.proxyHost=HOST
                        systemProp.https.proxyPort=PORT
                        systemProp.http.nonProxyHosts=localhost|127.*
                        """.replace("HOST", HOST)
                        .replace("PORT", Integer.toString(VOUCHED_PORT))));
    }

    private static HomeFile file(String place, String content) {
        return new HomeFile(UnixPath.of(place), content.getBytes(StandardCharsets.US_ASCII));
    }
}
