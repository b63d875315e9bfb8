package dev.idem.examples.agents;

import com.openai.models.chat.completions.ChatCompletion;

/** The text of a model's answer. */
final class Words {
    private Words() {}

    static String of(ChatCompletion completion) {
        return completion.choices().get(0).message().content().orElse("");
    }
}
