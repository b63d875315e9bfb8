/** Idem for LangChain4j: all tools of an assistant, guarded in one line. */
@NullMarked
package dev.idem.langchain4j;

import org.jspecify.annotations.NullMarked;
