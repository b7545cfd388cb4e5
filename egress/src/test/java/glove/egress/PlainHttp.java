package glove.egress;

import java.util.List;

/** What tests of plain HTTP share: two hosts that may be reached, and what is said. */
final class PlainHttp {
    /** Where {@code one.test} is. */
    static final String PLACE = "93.184.216.34";

    /** Where {@code two.test} is. */
    static final String OTHER = "93.184.216.35";

    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private PlainHttp() {}

    static ProxyWorld world() throws Exception {
        return world(EgressLimits.standard());
    }

    static ProxyWorld world(EgressLimits limits) throws Exception {
        ProxyWorld world = new ProxyWorld(List.of("one.test:80", "two.test:80"), List.of(), limits);
        world.name("one.test", PLACE);
        world.name("two.test", OTHER);
        return world;
    }

    /** A request as a client of a proxy sends it. */
    static String get(String host, String path) {
        return "GET http://" + host + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    }
}
