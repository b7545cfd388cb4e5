package glove.sys;

/** The machines Glove runs on. */
public enum Arch {
    X86_64(0xC000003E),
    AARCH64(0xC00000B7);

    private final int auditArch;

    Arch(int auditArch) {
        this.auditArch = auditArch;
    }

    /** {@code AUDIT_ARCH_*} (linux/audit.h). */
    public int auditArch() {
        return auditArch;
    }

    /** The machine this JVM runs on. */
    public static Arch host() {
        return HOST;
    }

    private static final Arch HOST = ofName(System.getProperty("os.arch"));

    private static Arch ofName(String name) {
        if (name.equals("amd64") || name.equals("x86_64")) {
            return X86_64;
        }
        if (name.equals("aarch64")) {
            return AARCH64;
        }
        throw new Bug("Glove knows x86-64 and aarch64, this is " + name);
    }
}
