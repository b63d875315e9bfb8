package kotlin.coroutines.intrinsics;

/** The enum of this name in Kotlin: a suspend function that has not ended returns its first constant. */
public enum CoroutineSingletons {
    COROUTINE_SUSPENDED
}
