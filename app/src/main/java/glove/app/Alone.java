package glove.app;

import glove.sandbox.AgentReach;
import glove.sandbox.Profile;
import glove.sandbox.StandardStreams;

import java.util.List;

/** {@code glove exec}: nothing goes along. Stateless. */
final class Alone implements Companion {
    @Override
    public String verb() {
        return "exec";
    }

    @Override
    public String help() {
        return ExecHelp.TEXT;
    }

    @Override
    public boolean take(OptionWords option) {
        return false;
    }

    @Override
    public void check(ExecOptions options, Notices notices) {}

    @Override
    public List<AgentReach> others() {
        return List.of();
    }

    @Override
    public Inside inside() {
        return Inside.NOTHING;
    }

    @Override
    public boolean isRecorded() {
        return false;
    }

    @Override
    public List<String> described() {
        return List.of();
    }

    @Override
    public void examine(Profile profile) {}

    @Override
    public void start(Start start) {}

    @Override
    public boolean takesStreams() {
        return false;
    }

    @Override
    public StandardStreams streams(StandardStreams callers) {
        return callers;
    }

    @Override
    public void attend(RunLoop loop) {}

    @Override
    public void close() {}
}
