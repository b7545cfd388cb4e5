package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Arch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The numbers against the C headers: the preprocessor says what {@code __NR_name} is. */
@Tag("process")
class SeccompCallsTest {
    /** Younger than some distributions' headers; {@link SeccompKernelTest} calls two of them. */
    private static final Set<String> MAYBE_YOUNGER =
            Set.of("fchmodat2", "statmount", "listmount", "setxattrat", "open_tree_attr");

    /** Removed from the kernel, and at some time from the headers. */
    private static final Set<String> MAYBE_REMOVED =
            Set.of("lookup_dcookie", "nfsservctl", "_sysctl", "uselib");

    @TempDir
    Path directory;

    @Test
    void x86Numbers() throws Exception {
        check(Arch.X86_64, Arch.host() == Arch.X86_64 ? "gcc" : "x86_64-linux-gnu-gcc");
    }

    @Test
    void aarch64Numbers() throws Exception {
        check(Arch.AARCH64, Arch.host() == Arch.AARCH64 ? "gcc" : "aarch64-linux-gnu-gcc");
    }

    private void check(Arch arch, String compiler) throws Exception {
        CProgram.requireCompiler(compiler);
        Map<String, Integer> calls = calls(arch);
        Map<String, Integer> headers = headers(compiler, calls.keySet());

        assertThat(calls).hasSizeGreaterThan(90);
        Set<String> unknown = new TreeSet<>();
        calls.forEach((name, number) -> {
            if (headers.containsKey(name)) {
                assertThat(number).as(name).isEqualTo(headers.get(name));
            } else if (number >= 0) {
                unknown.add(name);
            }
        });
        unknown.removeAll(MAYBE_YOUNGER);
        unknown.removeAll(MAYBE_REMOVED);
        assertThat(unknown).as("calls the headers do not know").isEmpty();
    }

    private static Map<String, Integer> calls(Arch arch) throws IllegalAccessException {
        Map<String, Integer> calls = new TreeMap<>();
        for (Field field : SeccompCalls.class.getDeclaredFields()) {
            boolean call = Modifier.isStatic(field.getModifiers())
                    && !Modifier.isPrivate(field.getModifiers())
                    && !field.getName().equals("NEWEST_KNOWN");
            if (call) {
                calls.put(
                        field.getName().toLowerCase(Locale.ROOT),
                        SeccompCalls.number(field.getInt(null), arch));
            }
        }
        return calls;
    }

    private Map<String, Integer> headers(String compiler, Set<String> names)
            throws IOException, InterruptedException {
        StringBuilder source = new StringBuilder("#include <asm/unistd.h>\n");
        for (String name : names) {
            source.append("#ifdef __NR_").append(name).append('\n');
            source.append("call ").append(name).append("_ __NR_").append(name).append("\n#endif\n");
        }
        Path file = Files.writeString(directory.resolve("numbers.c"), source);
        Map<String, Integer> numbers = new HashMap<>();
        for (String line : CProgram.run(directory, compiler, "-E", "-P", file.toString())) {
            if (line.startsWith("call ")) {
                int end = line.lastIndexOf("_ ");
                numbers.put(
                        line.substring(5, end),
                        Integer.valueOf(line.substring(end + 2).strip()));
            }
        }
        return numbers;
    }
}
