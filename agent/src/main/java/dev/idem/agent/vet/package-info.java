/** Arguments checked against a JSON Schema before anything is claimed or run, with errors that a model can act on. */
@NullMarked
package dev.idem.agent.vet;

import org.jspecify.annotations.NullMarked;
