package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names agents see (W23; bugs 9, 24, 25). */
@Tag("process")
final class NamesTest {
    private static final UpstreamSpec FILES = UpstreamSpec.of("files", "k");

    @Test
    void everyNameIsOneAModelsInterfaceTakes() {
        for (String name : List.of(
                "read", "read.text", "a b", "é/ü", "x".repeat(300), "", "\n", "\ud83d\ude00")) {
            String agentName = AgentNames.of(FILES, name);
            assertThat(agentName).matches("[A-Za-z0-9_-]{1,64}").startsWith("files__");
        }
        assertThat(AgentNames.of(FILES, "read")).isEqualTo("files__read");
        assertThat(AgentNames.of(new UpstreamSpec("files", "k", true), "read")).isEqualTo("read");
    }

    private static UpstreamSpec spec(String name, ToolSeparator separator) {
        return new UpstreamSpec(name, "k", "", false, separator);
    }

    @ParameterizedTest
    @EnumSource(ToolSeparator.class)
    void noTwoUpstreamsHaveNamesInCommonWhateverSeparatesThem(ToolSeparator separator) {
        List<String> parts = List.of("a", "b", "a-b", "a_b", "b-a", "a-", "-a", "_a", "aa");
        List<String> tools = List.of(
                "a",
                "b",
                "a-b",
                "a_b",
                "_b",
                "-b",
                ".b",
                "a.b",
                "a b",
                "a__b",
                "__b",
                "",
                "x".repeat(80));
        Map<String, String> owners = new HashMap<>();
        int upstreams = 0;
        for (String name : parts) {
            if (separator.isIn(name)) {
                assertThatThrownBy(() -> spec(name, separator))
                        .isInstanceOf(IllegalArgumentException.class);
                continue;
            }
            upstreams++;
            for (String tool : tools) {
                String agentName = AgentNames.of(spec(name, separator), tool);
                assertThat(agentName).matches("[A-Za-z0-9_.-]{1,64}");
                assertThat(owners.merge(agentName, name, (one, other) -> one))
                        .as(agentName)
                        .isEqualTo(name);
            }
        }
        assertThat(upstreams).isGreaterThan(4);
    }

    @Test
    void aDotIsKeptWhereDotsSeparateAndTheRestIsMapped() {
        UpstreamSpec files = spec("files", ToolSeparator.DOT);

        assertThat(AgentNames.of(files, "read.text")).isEqualTo("files.read.text");
        assertThat(AgentNames.of(files, "a/b c")).isEqualTo("files.a_b_c");
        assertThat(AgentNames.of(files, "x".repeat(100))).hasSize(64).startsWith("files.x");
        assertThat(AgentNames.isChanged(files, "read.text", "files.read.text")).isFalse();
        assertThat(AgentNames.of(FILES, "read.text")).as("control").isEqualTo("files__read_text");
        assertThat(ToolSeparator.of("/")).as("no name may hold it").isEmpty();
    }

    @Test
    void anAgentCallsByTheNamesTheSeparatorMakesAndNoOthers() {
        try (Room room = new Room()) {
            room.gateway.addUpstream(spec("files", ToolSeparator.DOT));
            TestPeer files = room.connect("files").tools("read.text");
            TestPeer agent = room.agent().greeted();

            assertThat(agent.asked("1", "tools/list", "{}").toJson())
                    .contains("\"name\":\"files.read.text\"");
            agent.ask("2", "tools/call", "{'name':'files.read.text'}");
            assertThat(files.expect("tools/call").toJson()).contains("\"name\":\"read.text\"");
            for (String other : List.of("files__read.text", "read.text", "files.read_text")) {
                assertThat(agent.asked("3", "tools/call", "{'name':'" + other + "'}")
                                .toJson())
                        .contains("Unknown tool");
            }
            assertThatThrownBy(() -> room.gateway.addUpstream(UpstreamSpec.of("b", "k")))
                    .hasMessageContaining("two separators");
        }
    }

    @Test
    void aLongNameGetsAShortFormThatStaysTheSame() {
        String first = AgentNames.of(FILES, "x".repeat(100));

        assertThat(first)
                .hasSize(64)
                .isEqualTo(AgentNames.of(FILES, "x".repeat(100)))
                .isNotEqualTo(AgentNames.of(FILES, "x".repeat(101)));
    }

    @Test
    void aNameOfAnUpstreamCannotBeTakenForAnothers() {
        for (String name : List.of("", "a.b", "a b", "a__b", "a_", "x".repeat(65), "é", "a\n")) {
            assertThat(UpstreamSpec.complaint(name)).as(name).isNotEmpty();
            assertThatThrownBy(() -> UpstreamSpec.of(name, "k"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(UpstreamSpec.complaint("My_files-2")).isEmpty();
    }

    @Test
    void ofNamesThatWouldBeTheSameTheTrueOneWinsAndOfTwoUntrueOnesNone() {
        try (Room room = new Room()) {
            TestPeer files =
                    room.upstream("files").tools("a.b", "a_b", "c.d", "c d", "e.f", "g", "g");
            TestPeer agent = room.agent().greeted();

            String tools = agent.asked("1", "tools/list", "{}").toJson();
            assertThat(tools)
                    .contains("files__a_b")
                    .contains("does a_b")
                    .contains("files__e_f")
                    .doesNotContain("files__c_d")
                    .doesNotContain("does a.b")
                    .containsOnlyOnce("files__g"); // listed twice: the first counts
            agent.ask("2", "tools/call", "{'name':'files__e_f'}");
            assertThat(files.expect("tools/call").toJson()).contains("\"name\":\"e.f\"");
            assertThat(agent.asked("3", "tools/call", "{'name':'files__c_d'}").toJson())
                    .contains("Unknown tool");
            assertThat(room.reports)
                    .anyMatch(said ->
                            said.contains("files.c.d and files.c d would have the same name"));
        }
    }

    @Test
    void anUpstreamWithoutPrefixCannotHideAnothersTools() {
        try (Room room = new Room()) {
            room.upstream("files").tools("read");
            room.gateway.addUpstream(new UpstreamSpec("u", "k", true));
            TestPeer bare = room.connect("u").tools("files__read", "own");
            TestPeer agent = room.agent().greeted();

            String tools = agent.asked("1", "tools/list", "{}").toJson();

            assertThat(tools)
                    .contains("\"name\":\"files__read\",\"description\":\"does read\"")
                    .contains("\"name\":\"own\"")
                    .doesNotContain("does files__read");
            agent.ask("2", "tools/call", "{'name':'own'}");
            assertThat(bare.expect("tools/call").toJson()).contains("\"name\":\"own\"");
        }
    }

    /** Whether the other lists one like it, has not started or never will: nothing changes. */
    @Test
    void aNameWithoutPrefixThatLooksLikeAnothersIsHiddenWhoeverIsThere() {
        for (int order = 0; order < 3; order++) {
            try (Room room = new Room()) {
                room.gateway.addUpstream(UpstreamSpec.of("web", "k"));
                room.gateway.addUpstream(new UpstreamSpec("u", "k2", true));
                if (order == 0) {
                    room.connect("web").tools("get");
                }
                TestPeer bare = room.connect("u").tools("web__get", "web__evil", "web_own");
                if (order == 1) {
                    room.connect("web").tools("other");
                } else if (order == 2) {
                    room.gateway.failed("web", "it does not start");
                }
                TestPeer agent = room.agent().greeted();

                assertThat(agent.asked("1", "tools/list", "{}").toJson())
                        .contains("\"web_own\"")
                        .doesNotContain("web__evil")
                        .doesNotContain("does web__get");
                assertThat(agent.asked("2", "tools/call", "{'name':'web__evil'}")
                                .toJson())
                        .contains("Unknown tool");
                bare.silence();
                assertThat(room.reports)
                        .anyMatch(said -> said.contains("u.web__evil is hidden")
                                && said.contains("leave out --no-prefix u"));
            }
        }
    }

    /** So the part in front of a name tells whose it is, also where the name was cut. */
    @Test
    void everyNameWithPrefixBeginsWithItWhole() {
        String longest = "u".repeat(48);

        assertThat(AgentNames.of(UpstreamSpec.of(longest, "k"), "t".repeat(100)))
                .hasSize(64)
                .startsWith(longest + "__");
        assertThat(UpstreamSpec.complaint(longest + "u")).contains("1 to 48 characters");
    }

    @Test
    void onlyOneUpstreamHasNoPrefixAndNoTwoHaveOneName() {
        try (Room room = new Room()) {
            room.gateway.addUpstream(new UpstreamSpec("a", "k", true));

            assertThatThrownBy(() -> room.gateway.addUpstream(new UpstreamSpec("b", "k", true)))
                    .hasMessageContaining("without prefix");
            assertThatThrownBy(() -> room.gateway.addUpstream(UpstreamSpec.of("a", "k")))
                    .hasMessageContaining("two upstreams are named a");
        }
    }

    @Test
    void itemsWithoutAUsableNameAreLeftOut() {
        try (Room room = new Room()) {
            room.upstream("files")
                    .welcome("{'tools':{}}")
                    .list(
                            "tools/list",
                            "{'tools':[1,{},{'name':1},{'name':''},{'name':'a'},"
                                    + "{'name':'b','Name':'c'},null,[]]}");

            assertThat(room.agent().greeted().asked("1", "tools/list", "{}").toJson())
                    .contains("\"tools\":[{\"name\":\"files__a\"}]");
            assertThat(room.reports)
                    .anyMatch(said -> said.contains("7 of its tools have no usable name"));
        }
    }
}
