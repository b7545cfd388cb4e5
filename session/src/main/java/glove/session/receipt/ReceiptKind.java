package glove.session.receipt;

import glove.wire.JsonFields;
import glove.wire.WireWord;
import glove.wire.WordClass;

/** The kinds of receipts. They share one journal, one count and one chain. */
public enum ReceiptKind implements WireWord {
    /** Of any session: what was used, and why it ended. */
    RESOURCE("resource_enforcement_v1", "resource", "glove.receipt-audit-envelope"),

    /** Of an evaluation of a skill, with what it came to. */
    REFINEMENT("refinement_evaluation_v1", "refinement", "glove.refinement-receipt-audit-envelope");

    /** How formats write it. */
    public static final WordClass<ReceiptKind> CLASS = WordClass.of(values());

    private final String word;
    private final String member;
    private final String domain;

    ReceiptKind(String word, String member, String domain) {
        this.word = word;
        this.member = member;
        this.domain = domain;
    }

    @Override
    public String word() {
        return word;
    }

    /** The member of a record that holds the envelope. */
    String member() {
        return member;
    }

    /** What the authentication code of an envelope begins with. */
    String domain() {
        return domain;
    }

    Receipt read(JsonFields fields) {
        return this == RESOURCE ? ResourceReceipt.read(fields) : RefinementReceipt.read(fields);
    }
}
