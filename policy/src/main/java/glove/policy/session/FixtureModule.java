package glove.policy.session;

import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.JsonFields;
import glove.wire.JsonProblem;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;

/**
 * The part of a repository a {@link RefinementFixture} is about. Immutable.
 *
 * @param lists include paths, exclude paths, languages, frameworks and package managers
 */
record FixtureModule(
        String repositoryId,
        Digest repositoryTree,
        Digest moduleId,
        String label,
        List<List<String>> lists,
        int detectorVersion) {
    private static final List<String> LISTS = List.of(
            "include_paths", "exclude_paths", "languages", "frameworks", "package_managers");
    private static final int LIST_MAX = 256;

    /** Copies the lists. */
    FixtureModule {
        lists = lists.stream().map(List::copyOf).toList();
    }

    static FixtureModule read(JsonFields fields) {
        String repository = fields.value("repository_id", RefinementFixture.TEXT);
        Digest tree = fields.value("repository_tree", Digest.CLASS);
        Digest id = fields.value("module_id", Digest.CLASS);
        String label = fields.value("label", RefinementFixture.TEXT);
        List<List<String>> lists = new ArrayList<>();
        for (String name : LISTS) {
            List<String> list = fields.values(name, LIST_MAX, RefinementFixture.TEXT);
            checkOrder(fields, name, list);
            lists.add(list);
        }
        int version = (int) fields.positiveU32("detector_version");
        fields.end();
        return new FixtureModule(repository, tree, id, label, lists, version);
    }

    /** Sorted by bytes, and nothing twice. */
    static void checkOrder(JsonFields fields, String name, List<String> list) {
        for (int i = 1; i < list.size(); i++) {
            if (Bytes.compare(list.get(i - 1), list.get(i)) >= 0) {
                String pointer = fields.pointer() + "/" + name + "/" + i;
                fields.problems().add(new JsonProblem(pointer, "is out of order", "sort by bytes"));
            }
        }
    }

    void write(JsonWriter out) {
        out.beginObject()
                .member("repository_id", repositoryId)
                .member("repository_tree", repositoryTree.hex())
                .member("module_id", moduleId.hex())
                .member("label", label);
        for (int i = 0; i < LISTS.size(); i++) {
            out.name(LISTS.get(i)).beginArray();
            for (String value : lists.get(i)) {
                out.value(value);
            }
            out.endArray();
        }
        out.unsigned("detector_version", Integer.toUnsignedLong(detectorVersion))
                .endObject();
    }

    void write(DigestWriter out) {
        out.string(repositoryId).digest(repositoryTree).digest(moduleId).string(label);
        for (List<String> list : lists) {
            out.strings(list);
        }
        out.u32(detectorVersion);
    }
}
