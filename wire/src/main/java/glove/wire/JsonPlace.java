package glove.wire;

/**
 * A place in a document, put into words only when there is something to say about it. Immutable.
 */
final class JsonPlace {
    static final JsonPlace DOCUMENT = new JsonPlace();

    private final JsonPlace above; // itself at the top
    private final String name; // empty when it is an element
    private final int index;

    private JsonPlace() {
        above = this;
        name = "";
        index = 0;
    }

    private JsonPlace(JsonPlace above, String name, int index) {
        this.above = above;
        this.name = name;
        this.index = index;
    }

    JsonPlace member(String member) {
        return new JsonPlace(this, member, -1);
    }

    JsonPlace element(int element) {
        return new JsonPlace(this, "", element);
    }

    JsonProblem problem(String what, String instead) {
        return new JsonProblem(pointer(), what, instead);
    }

    String pointer() {
        if (this == DOCUMENT) {
            return "";
        }
        String step = index < 0 ? JsonPointer.ofMember(name).toString() : "/" + index;
        return above.pointer() + step;
    }
}
