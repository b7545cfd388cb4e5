package glove.egress;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Rules under one name, {@code @npm} for instance, as the resource {@code presets.txt} has them.
 * Immutable.
 */
public final class Preset {
    private static final String RESOURCE = "presets.txt";

    /**
     * One rule of a preset.
     *
     * @param rule as {@code --egress-allow} takes it
     * @param purpose what is fetched there
     */
    public record Entry(String rule, String purpose) {}

    private final String name;
    private final String purpose;
    private final List<Entry> entries;

    private Preset(String name, String purpose, List<Entry> entries) {
        this.name = name;
        this.purpose = purpose;
        this.entries = entries;
    }

    /**
     * The one with a name.
     *
     * @throws EgressException when there is none, with those there are
     */
    static Preset named(String name) throws EgressException {
        StringBuilder names = new StringBuilder();
        for (Preset preset : all()) {
            if (preset.name.equals(name)) {
                return preset.withHosts();
            }
            names.append(names.isEmpty() ? "" : " ").append(preset.name);
        }
        throw new EgressException(
                EgressRule.ALLOW + " '" + name + "': there is no such preset",
                "one of " + names,
                "glove egress presets");
    }

    /** Glove names no package registry: the client's own configuration does. */
    private Preset withHosts() throws EgressException {
        if (entries.isEmpty()) {
            throw new EgressException(
                    EgressRule.ALLOW + " " + name + ": Glove does not know which registry your"
                            + " client is set up for",
                    EgressRule.ALLOW + " HOST of that registry",
                    "leave it out: what is refused is told at the end, each with its option");
        }
        return this;
    }

    /** All of them, in the order of the file. */
    public static List<Preset> all() {
        List<Preset> presets = new ArrayList<>();
        String purpose = "";
        String text = text();
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            String line = text.substring(start, end);
            start = end + 1;
            if (line.startsWith("#")) {
                purpose = line.substring(1).strip();
            } else if (line.startsWith("@")) {
                presets.add(new Preset(line, purpose, new ArrayList<>()));
            } else if (!line.isEmpty()) {
                presets.get(presets.size() - 1).entries.add(new Entry(line, purpose));
            }
        }
        return presets;
    }

    private static String text() {
        try (InputStream in = Preset.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("built without " + RESOURCE);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + RESOURCE + " of this build", e);
        }
    }

    /** With the {@code @}. */
    public String name() {
        return name;
    }

    /** What it is for, in a few words. */
    public String purpose() {
        return purpose;
    }

    /** None where the client's configuration has to say which hosts are meant. */
    public List<Entry> entries() {
        return List.copyOf(entries);
    }
}
