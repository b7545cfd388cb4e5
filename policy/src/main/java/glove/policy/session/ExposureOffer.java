package glove.policy.session;

import glove.wire.DigestWriter;
import glove.wire.Id128;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * How, and to which runtime templates, something may be shown: 1 to {@value
 * ExposureMode#MODES_MAX} modes and 1 to {@value #TEMPLATES_MAX} templates, each once and sorted.
 * Immutable.
 *
 * @param modes by {@link ExposureMode#compareTo}
 * @param templates by bytes
 */
public record ExposureOffer(List<ExposureMode> modes, List<Id128> templates) {
    /** To how many templates at most. */
    public static final int TEMPLATES_MAX = 64;

    /** Copies the lists, which must be as described: others come through {@link #complaint}. */
    public ExposureOffer {
        modes = List.copyOf(modes);
        templates = List.copyOf(templates);
        if (!isAscending(modes)
                || !isAscending(templates)
                || complaint(modes, templates).isPresent()) {
            throw new IllegalArgumentException("no offer: " + modes + " " + templates);
        }
    }

    /** Of lists without complaint, in any order. */
    public static ExposureOffer of(List<ExposureMode> modes, List<Id128> templates) {
        List<ExposureMode> sortedModes = new ArrayList<>(modes);
        List<Id128> sortedTemplates = new ArrayList<>(templates);
        Collections.sort(sortedModes);
        Collections.sort(sortedTemplates);
        return new ExposureOffer(sortedModes, sortedTemplates);
    }

    /** Why lists make no offer, as in "names the template 'a' twice"; empty when they do. */
    public static Optional<String> complaint(List<ExposureMode> modes, List<Id128> templates) {
        if (modes.isEmpty() || modes.size() > ExposureMode.MODES_MAX) {
            return Optional.of(
                    "has " + modes.size() + " modes: write 1 to " + ExposureMode.MODES_MAX);
        }
        for (ExposureMode mode : modes) {
            if (!mode.isValid()) {
                return Optional.of("has the mode " + mode + ", which is none: write "
                        + ExposureMode.words(mode.access()));
            }
        }
        if (new TreeSet<>(modes).size() != modes.size()) {
            return Optional.of("has a mode twice: keep one of them");
        }
        if (templates.isEmpty() || templates.size() > TEMPLATES_MAX) {
            return Optional.of("names " + templates.size() + " runtime templates: write 1 to "
                    + TEMPLATES_MAX);
        }
        if (new TreeSet<>(templates).size() != templates.size()) {
            return Optional.of("names a runtime template twice: keep one of them");
        }
        return Optional.empty();
    }

    /** Whether each stands behind a smaller one. */
    public static <T extends Comparable<T>> boolean isAscending(List<T> items) {
        for (int i = 1; i < items.size(); i++) {
            if (items.get(i - 1).compareTo(items.get(i)) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether one of the modes covers a wanted one. */
    public boolean allows(ExposureMode wanted) {
        for (ExposureMode mode : modes) {
            if (mode.covers(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** What of another offer goes beyond this one, in words; empty when nothing does. */
    public Optional<String> beyond(ExposureOffer other) {
        for (ExposureMode mode : other.modes) {
            if (!allows(mode)) {
                return Optional.of(
                        "the mode " + mode + " is not allowed; allowed modes: " + words(modes));
            }
        }
        for (Id128 template : other.templates) {
            if (!templates.contains(template)) {
                return Optional.of("the runtime template '" + template
                        + "' is not allowed; allowed runtime templates: " + words(templates));
            }
        }
        return Optional.empty();
    }

    private static String words(List<?> items) {
        StringBuilder words = new StringBuilder();
        for (Object item : items) {
            words.append(words.isEmpty() ? "" : ", ").append(item);
        }
        return words.toString();
    }

    /** Writes the modes as a value. */
    public void writeModes(JsonWriter out) {
        out.beginArray();
        modes.forEach(mode -> mode.write(out));
        out.endArray();
    }

    /** Writes the templates as a value. */
    public void writeTemplates(JsonWriter out) {
        out.beginArray();
        templates.forEach(template -> out.value(template.text()));
        out.endArray();
    }

    void writeModes(DigestWriter out) {
        out.count(modes.size());
        modes.forEach(mode -> mode.write(out));
    }

    void writeTemplates(DigestWriter out) {
        out.count(templates.size());
        templates.forEach(template -> out.string(template.text()));
    }
}
