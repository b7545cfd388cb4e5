package glove.egress;

/** The statuses of HTTP that a proxy answers by itself (RFC 9110 §15). */
final class HttpCode {
    static final int BAD_REQUEST = 400;
    static final int EXPECTATION_FAILED = 417;
    static final int FIELDS_TOO_LARGE = 431;
    static final int BAD_GATEWAY = 502;
    static final int VERSION_NOT_SUPPORTED = 505;

    private HttpCode() {}
}
