package dev.idem.internal.call.planted;

/** Breaks a rule, so that the rule is seen to go red. */
public final class RoomAbove {
    /** The room that this one calls. */
    public final RoomBelow below = new RoomBelow(this);
}
