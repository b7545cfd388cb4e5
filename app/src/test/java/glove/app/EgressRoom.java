package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A room of one identity in its {@link EgressWorld}, with the authority of the servers' certificates
 * and a program that sends bytes as they are. Confined to one thread; close it to remove everything.
 */
final class EgressRoom {
    /** Where a client inside needs no credential. */
    static final String PROXY = "127.0.0.1:1080";

    static final List<String> HTTP = List.of("--egress-allow", "registry.test:80");
    static final List<String> TLS = List.of("--egress-allow", "registry.test");

    private final EgressWorld world;
    private final WorkRoom room;

    private EgressRoom(EgressWorld world, WorkRoom room) {
        this.world = world;
        this.room = room;
    }

    static EgressRoom of(Identity identity) throws IOException, InterruptedException {
        EgressWorld world = EgressWorld.of(identity);
        WorkRoom room = WorkRoom.of(identity);
        String scripts = System.getProperty("glove.root") + "/app/src/test/world";
        room.outside("cp '" + world.directory() + "/ca.pem' '" + scripts + "/raw.py' work");
        return new EgressRoom(world, room);
    }

    EgressWorld world() {
        return world;
    }

    WorkRoom room() {
        return room;
    }

    /** Runs a script inside Glove with these options. */
    Command.Result inside(List<String> options, String script)
            throws IOException, InterruptedException {
        return world.inside(room, options, "export CURL_CA_BUNDLE=$PWD/ca.pem\n" + script)
                .run();
    }

    /** Runs a script in the same place without Glove. */
    Command.Result outside(String script) throws IOException, InterruptedException {
        return world.outside(room, "export CURL_CA_BUNDLE=$PWD/ca.pem\n" + script)
                .run();
    }

    /** Options and some more. */
    static List<String> and(List<String> options, String... more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return all;
    }

    /** Sends bytes to the proxy inside, in the form raw.py takes; what comes back. */
    String raw(List<String> options, String... texts) throws IOException, InterruptedException {
        Command.Result result = inside(options, raw(PROXY, texts));
        assertThat(result.status()).as("%s", result).isZero();
        return result.out();
    }

    /** The script that sends bytes somewhere. */
    static String raw(String place, String... texts) {
        StringBuilder script = new StringBuilder("/usr/bin/python3 raw.py " + place);
        for (String text : texts) {
            script.append(" '").append(text).append('\'');
        }
        return script.toString();
    }

    void close() throws IOException, InterruptedException {
        room.close();
    }
}
