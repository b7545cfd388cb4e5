package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Bug;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class BpfAssemblerTest {
    @Test
    void instructionsAreLittleEndianSockFilters() {
        BpfAssembler filter = new BpfAssembler();
        int far = filter.label();
        filter.jump(BpfAssembler.JGE, 0x4000_0001, far, BpfAssembler.NEXT);
        filter.load(16);
        filter.place(far);
        filter.ret(0x7fff_0000);

        assertThat(filter.bytes())
                .containsExactly(
                        0x35, 0, 1, 0, 1, 0, 0, 0x40, //
                        0x20, 0, 0, 0, 16, 0, 0, 0, //
                        0x06, 0, 0, 0, 0, 0, 0xff, 0x7f);
    }

    @Test
    void aJumpReaches255InstructionsAndNoMore() {
        assertThat(new BpfMachine(jumpOver(255)).length()).isEqualTo(257);
        assertThatThrownBy(() -> jumpOver(256)).isInstanceOf(Bug.class);
    }

    @Test
    void aLabelNeverPlacedIsABug() {
        BpfAssembler filter = new BpfAssembler();
        filter.jump(BpfAssembler.JEQ, 1, filter.label(), BpfAssembler.NEXT);
        filter.ret(0);

        assertThatThrownBy(filter::bytes).isInstanceOf(Bug.class);
    }

    @Test
    void aLabelBehindTheLastInstructionIsABug() {
        BpfAssembler filter = new BpfAssembler();
        int end = filter.label();
        filter.jump(BpfAssembler.JEQ, 1, end, BpfAssembler.NEXT);
        filter.ret(0);
        filter.place(end);

        assertThatThrownBy(filter::bytes).isInstanceOf(Bug.class);
    }

    @Test
    void aLabelInFrontOfItsJumpIsABug() {
        BpfAssembler filter = new BpfAssembler();
        int back = filter.label();
        filter.place(back);
        filter.jump(BpfAssembler.JEQ, 1, back, BpfAssembler.NEXT);
        filter.ret(0);

        assertThatThrownBy(filter::bytes).isInstanceOf(Bug.class);
    }

    @Test
    void aLabelIsPlacedOnce() {
        BpfAssembler filter = new BpfAssembler();
        int label = filter.label();
        filter.place(label);

        assertThatThrownBy(() -> filter.place(label)).isInstanceOf(Bug.class);
    }

    @Test
    void manyLabelsAndInstructionsHaveRoomUpToTheKernelsLimit() {
        BpfAssembler filter = new BpfAssembler();
        for (int i = 1; i < BpfAssembler.INSTRUCTIONS_MAX; i++) {
            int next = filter.label();
            filter.jump(BpfAssembler.JEQ, i, next, BpfAssembler.NEXT);
            filter.place(next);
        }
        filter.ret(7);

        assertThat(new BpfMachine(filter.bytes()).run(0, 0)).isEqualTo(7);
        filter.ret(8);
        assertThatThrownBy(filter::bytes).isInstanceOf(Bug.class);
    }

    @Test
    void anEmptyProgramIsABug() {
        assertThatThrownBy(new BpfAssembler()::bytes).isInstanceOf(Bug.class);
    }

    private static byte[] jumpOver(int instructions) {
        BpfAssembler filter = new BpfAssembler();
        int far = filter.label();
        filter.jump(BpfAssembler.JEQ, 1, far, BpfAssembler.NEXT);
        for (int i = 0; i < instructions; i++) {
            filter.load(0);
        }
        filter.place(far);
        filter.ret(0);
        return filter.bytes();
    }
}
