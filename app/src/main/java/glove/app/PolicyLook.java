package glove.app;

import glove.host.PathTrust;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.JsonWriter;

import java.util.List;
import java.util.Optional;

/**
 * What stands on this machine where a policy points. Immutable.
 *
 * @param kind of thing
 * @param of which member of the policy points there
 * @param path as it is written; empty when it has none
 * @param end what is there
 * @param good whether it is as it must be
 * @param words sentences for people, at least one
 */
record PolicyLook(
        Kind kind, String of, String path, Optional<End> end, boolean good, List<String> words) {
    /** What is looked at. */
    enum Kind {
        EXECUTABLE("executable"),
        SEARCH_PATH("search_path"),
        INTERPRETER("interpreter"),
        READ_ONLY_PATH("read_only_path"),
        SOURCE("source"),
        SECRET("secret"),
        EXPOSURE("exposure");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /**
     * What a path leads to. Immutable.
     *
     * @param path without links
     */
    record End(UnixPath path, Stat stat) {
        static Optional<End> of(PathTrust trust) {
            return trust.stat().map(stat -> new End(trust.end(), stat));
        }

        /** Who may do what with it. */
        String rights() {
            return "of user " + Integer.toUnsignedString(stat.uid()) + ", mode "
                    + PathTrust.mode(stat);
        }
    }

    /** Copies the list. */
    PolicyLook {
        words = List.copyOf(words);
    }

    void write(JsonWriter out) {
        out.beginObject().member("kind", kind.word).member("of", of);
        if (!path.isEmpty()) {
            out.member("path", path);
        }
        if (end.isPresent()) {
            Stat stat = end.get().stat();
            out.member("resolved_path", end.get().path().toString())
                    .unsigned("owner", Integer.toUnsignedLong(stat.uid()))
                    .member("mode", PathTrust.mode(stat));
        }
        out.member("good", good).name("words").beginArray();
        words.forEach(out::value);
        out.endArray().endObject();
    }
}
