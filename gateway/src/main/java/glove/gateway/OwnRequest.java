package glove.gateway;

import java.util.function.Consumer;

/** A request of the gateway's own. */
final class OwnRequest extends Pending {
    private final Consumer<Message> onAnswer;
    private final Consumer<String> onLoss;

    /**
     * A request.
     *
     * @param onAnswer is given the answer, which may be an error
     * @param onLoss is given the reason there will be none
     */
    OwnRequest(Consumer<Message> onAnswer, Consumer<String> onLoss) {
        this.onAnswer = onAnswer;
        this.onLoss = onLoss;
    }

    /** One whose answer says nothing. */
    static OwnRequest ofNoInterest() {
        return new OwnRequest(answer -> {}, reason -> {});
    }

    @Override
    void answered(Message answer) {
        onAnswer.accept(answer);
    }

    @Override
    void lost(int code, String reason) {
        onLoss.accept(reason);
    }
}
