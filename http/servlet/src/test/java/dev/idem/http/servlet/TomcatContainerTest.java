package dev.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TomcatContainerTest {
    /** The next Tomcat made the folder of the first one again, since that was the home of all of them. */
    @Test
    void aClosedTomcatLeavesNoFolder() throws Exception {
        TomcatContainer first = start();
        first.close();
        start().close();

        assertThat(first.folder()).doesNotExist();
    }

    private static TomcatContainer start() throws Exception {
        return (TomcatContainer)
                TomcatContainer.start((request, response, chain) -> chain.doFilter(request, response), new Handlers());
    }
}
