package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.NodeList;

class BomTest {
    @Test
    void everyPublishedModuleIsInTheBom() throws Exception {
        Path root = root();
        List<String> published = new ArrayList<>();
        for (String module : read(root.resolve("pom.xml"), "/project/modules/module")) {
            Path pom = root.resolve(module).resolve("pom.xml");
            boolean jar = read(pom, "/project/packaging").isEmpty();
            boolean kept = read(pom, "/project/properties/maven.deploy.skip").contains("true");
            if (jar && !kept) {
                published.addAll(read(pom, "/project/artifactId"));
            }
        }

        assertThat(read(root.resolve("bom/pom.xml"), "//dependency/artifactId"))
                .containsExactlyInAnyOrderElementsOf(published);
    }

    @Test
    void theBomHasTheVersionOfTheParent() throws Exception {
        Path root = root();

        assertThat(read(root.resolve("bom/pom.xml"), "/project/version"))
                .isEqualTo(read(root.resolve("pom.xml"), "/project/version"));
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("bom/pom.xml"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static List<String> read(Path pom, String path) throws Exception {
        var document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
        var nodes = (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent().strip());
        }
        return texts;
    }
}
