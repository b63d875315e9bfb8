package dev.idem.internal.call.planted;

/** Breaks a rule, so that the rule is seen to go red. */
public final class RoomBelow {
    /** The room that this one is called from. */
    public final RoomAbove above;

    RoomBelow(RoomAbove above) {
        this.above = above;
    }
}
