package glove.egress;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rules under one name, {@code @npm} for instance, as the resource {@code presets.txt} has them: a
 * list of hosts, or the question to the owner's client whose answer is that list. Immutable.
 */
public final class Preset {
    private static final String RESOURCE = "presets.txt";
    private static final String COMMAND = "$ ";

    /**
     * One rule of a preset.
     *
     * @param rule as {@code --egress-allow} takes it
     * @param purpose what is fetched there
     */
    public record Entry(String rule, String purpose) {}

    /**
     * A line for a settings file of the same client inside.
     *
     * @param place below HOME
     * @param text with {@code URL} for the first URL of the answer
     */
    public record Setting(String place, String text) {}

    /**
     * What a client is asked, and what it may see then.
     *
     * @param preset its name
     * @param client which, for people
     * @param command program and arguments: what it prints names the registries
     * @param sight what it needs
     * @param settings what tells the client inside the same
     */
    public record Question(
            String preset,
            String client,
            List<String> command,
            Sight sight,
            List<Setting> settings) {
        /** Copies the lists. */
        public Question {
            command = List.copyOf(command);
            settings = List.copyOf(settings);
        }
    }

    /**
     * What a client needs to answer.
     *
     * @param tools programs with what is installed beside them
     * @param variables of the owner's environment
     * @param settings files of the owner's HOME, relative to it
     * @param shown files and directories of the machine
     * @param starts directories to start in, relative to HOME; at most one
     */
    public record Sight(
            List<String> tools,
            List<String> variables,
            List<String> settings,
            List<String> shown,
            List<String> starts) {
        private static Sight nothing() {
            return new Sight(
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>());
        }
    }

    private final String name;
    private final String client;
    private final String purpose;
    private final List<Entry> entries = new ArrayList<>();
    private final StringBuilder command = new StringBuilder();
    private final Sight sight = Sight.nothing();
    private final List<Setting> settings = new ArrayList<>();

    private Preset(String name, String client, String purpose) {
        this.name = name;
        this.client = client;
        this.purpose = purpose;
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
                return preset;
            }
            names.append(names.isEmpty() ? "" : " ").append(preset.name);
        }
        throw new EgressException(
                EgressRule.ALLOW + " '" + name + "': there is no such preset",
                "one of " + names,
                "glove egress presets");
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
                int blank = line.indexOf(' ');
                String name = blank < 0 ? line : line.substring(0, blank);
                presets.add(new Preset(name, line.substring(name.length()).strip(), purpose));
            } else if (!line.isEmpty()) {
                presets.get(presets.size() - 1).add(line, purpose);
            }
        }
        return presets;
    }

    private void add(String line, String about) {
        if (line.startsWith(COMMAND)) {
            command.append(command.isEmpty() ? "" : "\n").append(line.substring(COMMAND.length()));
            return;
        }
        int blank = line.indexOf(' ');
        String rest = line.substring(blank + 1);
        switch (blank < 0 ? "" : line.substring(0, blank)) {
            case "tool" -> sight.tools.add(rest);
            case "env" -> sight.variables.add(rest);
            case "reads" -> sight.settings.add(rest);
            case "shows" -> sight.shown.add(rest);
            case "starts" -> sight.starts.add(rest);
            case "home" -> {
                int end = rest.indexOf(' ');
                settings.add(new Setting(rest.substring(0, end), rest.substring(end + 1)));
            }
            default -> entries.add(new Entry(line, about));
        }
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

    /** The hosts; none where the {@link #question} has to be asked. */
    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** What to ask the owner's client, where Glove itself names no host. */
    public Optional<Question> question() {
        return command.isEmpty()
                ? Optional.empty()
                : Optional.of(new Question(name, client, words(command), sight, settings));
    }

    /** Parted at blanks, but not between single quotes. */
    private static List<String> words(CharSequence line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
            } else if (c == ' ' && !quoted) {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(c);
            }
        }
        words.add(word.toString());
        return words;
    }
}
