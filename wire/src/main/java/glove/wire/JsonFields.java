package glove.wire;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads a JSON object into typed values, strictly: what is missing, of another kind, too large or
 * unknown is a {@linkplain JsonProblem problem} with its place and what to write instead. Nothing
 * is thrown; after a problem the values are stand-ins, so look whether there is one before using
 * any. {@link #end} must be called when all members were asked for: it finds the unknown ones.
 *
 * <p>A member given twice was refused before, by {@link JsonText}. A name written with escapes is
 * refused here: other readers of these formats do not know it. Asked for in the order they were
 * written, members cost a comparison each.
 *
 * <p>Confined to one thread.
 */
public final class JsonFields {
    private final List<JsonValue> members;
    private final boolean[] taken;
    private final List<String> asked = new ArrayList<>();
    private final JsonPlace place;
    private final JsonProblems problems;
    private boolean missingIsDefault;
    private int next;

    private JsonFields(List<JsonValue> members, JsonPlace place, JsonProblems problems) {
        this.members = members;
        this.taken = new boolean[members.size()];
        this.place = place;
        this.problems = problems;
    }

    /** Of a document; one that is no object is a problem. */
    public static JsonFields of(JsonValue document, JsonProblems problems) {
        return at(document, JsonPlace.DOCUMENT, problems);
    }

    private static JsonFields at(JsonValue value, JsonPlace place, JsonProblems problems) {
        if (!value.is(JsonKind.OBJECT)) {
            problems.add(place.problem("is " + value.kind().words(), "write an object {...}"));
            return standIn(place);
        }
        return new JsonFields(value.children(), place, problems);
    }

    /** Has nothing, and says nothing: one problem is enough. */
    private static JsonFields standIn(JsonPlace place) {
        return new JsonFields(List.of(), place, JsonProblems.first());
    }

    /**
     * From now on a missing member is no problem but {@code ""}, 0, false, an empty array or an
     * object of such; in what it holds, too. Policies are read so.
     */
    public JsonFields missingIsDefault() {
        missingIsDefault = true;
        return this;
    }

    /** Where problems go. */
    public JsonProblems problems() {
        return problems;
    }

    /** Where it is, as a JSON Pointer. */
    public String pointer() {
        return place.pointer();
    }

    /** Adds a problem of a member, found by the caller. */
    public void problem(String name, String what, String instead) {
        problems.add(place.member(name).problem(what, instead));
    }

    /** Whether something was found to be wrong with a member: its value is a stand-in then. */
    public boolean isWrong(String name) {
        return problems.isAt(place.member(name).pointer());
    }

    /** The names of all members, for an object that is a table. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (JsonValue member : members) {
            names.add(member.name());
        }
        return names;
    }

    /** Whether there is a member that is not null. Does not count as asking for it. */
    public boolean has(String name) {
        int index = indexOf(name);
        return index >= 0 && !members.get(index).is(JsonKind.NULL);
    }

    /** Whether there is a member that is this string. Does not count as asking for it. */
    public boolean isString(String name, String text) {
        int index = indexOf(name);
        return index >= 0 && members.get(index).isString(text);
    }

    private int indexOf(String name) {
        if (next < members.size() && isNamed(next, name)) {
            return next;
        }
        for (int i = 0; i < members.size(); i++) {
            if (isNamed(i, name)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isNamed(int index, String name) {
        JsonValue member = members.get(index);
        return JsonString.is(member.array(), member.nameStart(), name);
    }

    /** Where the member is, whatever it is; negative when it is missing. Marks it as known. */
    private int take(String name) {
        asked.add(name);
        int index = indexOf(name);
        if (index >= 0) {
            taken[index] = true;
            next = index + 1;
        }
        return index;
    }

    /** What to write is put into words by the caller only when something is wrong: it costs. */
    private boolean isOf(JsonKind kind, int index) {
        return index >= 0 && members.get(index).is(kind);
    }

    /** Says of a member that is not {@link #isOf} what it is instead. */
    private void refuse(String name, int index, String instead) {
        if (index >= 0) {
            problem(name, "is " + members.get(index).kind().words(), instead);
        } else if (!missingIsDefault) {
            problem(name, "is missing", instead);
        }
    }

    /** A member of one kind; empty when it is missing or a problem was found. */
    private Optional<JsonValue> take(String name, JsonKind kind, String instead) {
        int index = take(name);
        if (isOf(kind, index)) {
            return Optional.of(members.get(index));
        }
        refuse(name, index, instead);
        return Optional.empty();
    }

    /** A number from 0 to 255. */
    public int u8(String name) {
        return (int) unsigned(name, 0xff);
    }

    /** A number from 0 to 65535. */
    public int u16(String name) {
        return (int) unsigned(name, 0xffff);
    }

    /** A number from 0 to 2^32 - 1. */
    public long u32(String name) {
        return unsigned(name, 0xffff_ffffL);
    }

    /** A number of 64 bits without sign: see {@link U64}. */
    public long u64(String name) {
        return unsigned(name, U64.MAX);
    }

    /** A number from 1 to 2^32 - 1. */
    public long positiveU32(String name) {
        return positive(name, 0xffff_ffffL);
    }

    /** A number of 64 bits without sign that is not 0. */
    public long positiveU64(String name) {
        return positive(name, U64.MAX);
    }

    private long positive(String name, long most) {
        int index = take(name);
        if (isOf(JsonKind.NUMBER, index)) {
            JsonValue value = members.get(index);
            if (value.number().equals("0")) {
                problem(name, "is 0", "write a whole number from 1 to " + U64.text(most));
            }
            return unsigned(name, value, most);
        }
        refuse(name, index, "write a whole number from 1");
        if (index < 0 && missingIsDefault) {
            problem(name, "is missing", "write a whole number from 1 to " + U64.text(most));
        }
        return 0;
    }

    /** A number that need not be there and is {@code otherwise} then. */
    public int u8Or(String name, int otherwise) {
        return has(name) ? u8(name) : absent(name, otherwise);
    }

    /** A number that need not be there and is {@code otherwise} then. */
    public int u16Or(String name, int otherwise) {
        return has(name) ? u16(name) : absent(name, otherwise);
    }

    /** Null is no number; only what is not there at all has the other value. */
    private int absent(String name, int otherwise) {
        if (take(name) >= 0) {
            problem(name, "is null", "write a whole number, or leave it out");
        }
        return otherwise;
    }

    private long unsigned(String name, long most) {
        int index = take(name);
        if (isOf(JsonKind.NUMBER, index)) {
            return unsigned(name, members.get(index), most);
        }
        refuse(name, index, wholeNumber(most));
        return 0;
    }

    private static String wholeNumber(long most) {
        return "write a whole number from 0 to " + U64.text(most);
    }

    private long unsigned(String name, JsonValue value, long most) {
        String text = value.number();
        if (U64.isText(text)) {
            long number = U64.parse(text);
            if (!U64.isLess(most, number)) {
                return number;
            }
        }
        problem(name, "is " + Ascii.shown(text, 40), wholeNumber(most));
        return 0;
    }

    /** A number of 32 bits with sign. */
    public int i32(String name) {
        return (int) signed(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** A number of 64 bits with sign. */
    public long i64(String name) {
        return signed(name, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private long signed(String name, long least, long most) {
        int index = take(name);
        if (!isOf(JsonKind.NUMBER, index)) {
            refuse(name, index, wholeNumber(least, most));
            return 0;
        }
        String text = members.get(index).number();
        boolean negative = text.charAt(0) == '-';
        String digits = negative ? text.substring(1) : text;
        // Its magnitude fits 64 bits without sign, or it is none.
        boolean fits = U64.isText(digits) && !(negative && digits.equals("0"));
        if (fits) {
            long magnitude = U64.parse(digits);
            long number = negative ? -magnitude : magnitude;
            fits = number < 0 == negative && number >= least && number <= most;
            if (fits) {
                return number;
            }
        }
        problem(name, "is " + Ascii.shown(text, 40), wholeNumber(least, most));
        return 0;
    }

    private static String wholeNumber(long least, long most) {
        return "write a whole number from " + least + " to " + most;
    }

    /** True or false. */
    public boolean bool(String name) {
        Optional<JsonValue> value = take(name, JsonKind.BOOLEAN, "write true or false");
        return value.isPresent() && value.get().truth();
    }

    /** Any string, which may be empty. */
    public String string(String name) {
        Optional<JsonValue> value = take(name, JsonKind.STRING, "write a string");
        return value.isPresent() ? value.get().string() : "";
    }

    /** A string of some kind. An empty one is never a default. */
    public <T> T value(String name, ValueClass<T> kind) {
        int index = take(name);
        if (isOf(JsonKind.STRING, index)) {
            String text = members.get(index).string();
            Optional<T> parsed = kind.parse(text);
            return parsed.isPresent() ? parsed.get() : wrong(text, place.member(name), kind);
        }
        refuse(name, index, "write " + kind.words());
        if (index < 0 && missingIsDefault) {
            problem(name, "is missing", "write " + kind.words());
        }
        return kind.standIn();
    }

    private <T> T wrong(String text, JsonPlace where, ValueClass<T> kind) {
        String what = text.isEmpty() ? "is empty" : "is '" + Ascii.shown(text, 80) + "'";
        problems.add(where.problem(what, "write " + kind.words()));
        return kind.standIn();
    }

    /** An object. */
    public JsonFields object(String name) {
        Optional<JsonValue> value = take(name, JsonKind.OBJECT, "write an object {...}");
        if (value.isPresent()) {
            return inside(value.get(), place.member(name));
        }
        return missingIsDefault && indexOf(name) < 0
                ? new JsonFields(List.of(), place.member(name), problems).missingIsDefault()
                : standIn(place.member(name));
    }

    private JsonFields inside(JsonValue value, JsonPlace where) {
        JsonFields fields = at(value, where, problems);
        return missingIsDefault ? fields.missingIsDefault() : fields;
    }

    private List<JsonValue> elements(String name, int most) {
        Optional<JsonValue> value = take(name, JsonKind.ARRAY, "write an array [...]");
        if (value.isEmpty()) {
            return List.of();
        }
        int size = value.get().size();
        if (size > most) {
            problem(name, "has " + size + " elements", "write at most " + most);
            return List.of();
        }
        return value.get().children();
    }

    /** An array of at most so many objects. */
    public List<JsonFields> objects(String name, int most) {
        List<JsonFields> objects = new ArrayList<>();
        for (JsonValue element : elements(name, most)) {
            objects.add(inside(element, place.member(name).element(objects.size())));
        }
        return objects;
    }

    /**
     * The same, one after the other: each is garbage when the next one comes, which counts where
     * there are many.
     */
    public void eachObject(String name, int most, Consumer<JsonFields> taker) {
        int at = 0;
        for (JsonValue element : elements(name, most)) {
            taker.accept(inside(element, place.member(name).element(at++)));
        }
    }

    /** An array of at most so many strings. */
    public List<String> strings(String name, int most) {
        return values(name, most, AnyText.CLASS);
    }

    /** An array of at most so many strings of some kind. */
    public <T> List<T> values(String name, int most, ValueClass<T> kind) {
        List<T> values = new ArrayList<>();
        for (JsonValue element : elements(name, most)) {
            JsonPlace where = place.member(name).element(values.size());
            if (element.is(JsonKind.STRING)) {
                String text = element.string();
                Optional<T> parsed = kind.parse(text);
                values.add(parsed.isPresent() ? parsed.get() : wrong(text, where, kind));
            } else {
                String what = "is " + element.kind().words();
                problems.add(where.problem(what, "write " + kind.words()));
                values.add(kind.standIn());
            }
        }
        return values;
    }

    /** A member of any kind, as it was sent; empty when it is missing. */
    public Optional<JsonValue> raw(String name) {
        int index = take(name);
        return index >= 0 ? Optional.of(members.get(index)) : Optional.empty();
    }

    /** A string that may be missing or null. */
    public Optional<String> optionalString(String name) {
        return isAbsent(name) ? Optional.empty() : Optional.of(string(name));
    }

    /** A string of some kind that may be missing or null. */
    public <T> Optional<T> optionalValue(String name, ValueClass<T> kind) {
        return isAbsent(name) ? Optional.empty() : Optional.of(value(name, kind));
    }

    /** A number of 32 bits with sign that may be missing or null. */
    public OptionalInt optionalI32(String name) {
        return isAbsent(name) ? OptionalInt.empty() : OptionalInt.of(i32(name));
    }

    /** A number of 64 bits without sign that may be missing or null. */
    public OptionalLong optionalU64(String name) {
        return isAbsent(name) ? OptionalLong.empty() : OptionalLong.of(u64(name));
    }

    /** An object that may be missing or null. */
    public Optional<JsonFields> optionalObject(String name) {
        return isAbsent(name) ? Optional.empty() : Optional.of(object(name));
    }

    private boolean isAbsent(String name) {
        if (has(name)) {
            return false;
        }
        take(name);
        return true;
    }

    /** Says that all known members were asked for: every other one is a problem. */
    public void end() {
        for (int i = 0; i < members.size(); i++) {
            JsonValue member = members.get(i);
            if (isEscaped(member)) {
                problem(member.name(), "has a name with escapes", "write the name itself");
            } else if (!taken[i]) {
                problem(member.name(), "is unknown", advice(member.name()));
            }
        }
    }

    private static boolean isEscaped(JsonValue member) {
        int end = JsonString.end(member.array(), member.nameStart());
        for (int at = member.nameStart(); at < end; at++) {
            if (member.array()[at] == '\\') {
                return true;
            }
        }
        return false;
    }

    private String advice(String unknown) {
        Set<String> free = new HashSet<>(asked);
        free.removeAll(names());
        return Spelling.closest(unknown, free)
                .map(name -> "did you mean '" + name + "'?")
                .orElse("leave it out");
    }
}
