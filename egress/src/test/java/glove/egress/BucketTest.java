package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class BucketTest {
    private static final long SECOND = 1_000_000_000L;

    private static int takeAll(Bucket bucket, long now) {
        int taken = 0;
        while (bucket.mayTake(now)) {
            bucket.take();
            taken++;
        }
        return taken;
    }

    @Test
    void soManyAtOnceAndThenSoManyASecond() {
        Bucket bucket = new Bucket(7);

        assertThat(takeAll(bucket, 7)).isEqualTo(Bucket.AT_ONCE);
        assertThat(takeAll(bucket, bucket.next() - 1)).isZero();
        assertThat(takeAll(bucket, bucket.next())).isEqualTo(1);
        assertThat(takeAll(bucket, 7 + 3 * SECOND)).isEqualTo(3 * Bucket.A_SECOND - 1);
        assertThat(takeAll(bucket, 7 + 3600 * SECOND)).isEqualTo(Bucket.AT_ONCE);
    }
}
