package io.smallrye.mutiny;

/** Stands for the type of Mutiny, which core knows by its name. */
public interface Uni<T> {
    T await();
}
