package dev.idem.spring;

import dev.idem.NotExecutedException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;

/** Handlers that use Spring MVC in the ways that are known to break filters. Each response has a number of its own. */
@EnableAutoConfiguration
@RestController
class ShopApplication {
    final AtomicInteger runs = new AtomicInteger();
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch gate = new CountDownLatch(1);

    @PostMapping("/orders")
    @ResponseStatus(HttpStatus.CREATED)
    Map<String, Object> order(@RequestBody Map<String, Object> order) {
        return Map.of("order", runs.incrementAndGet(), "item", order.get("item"));
    }

    @PostMapping("/orders/{id}")
    String change(@PathVariable("id") int id) {
        return id + " changed " + runs.incrementAndGet();
    }

    @PostMapping("/poor")
    String poor() {
        throw new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED, "no money " + runs.incrementAndGet());
    }

    @PostMapping("/broken")
    String broken() {
        throw new IllegalStateException("broken " + runs.incrementAndGet());
    }

    @PostMapping("/closed")
    String closed() {
        throw new NotExecutedException("the shop is closed " + runs.incrementAndGet());
    }

    @PostMapping("/closed-later")
    DeferredResult<String> closedLater() {
        DeferredResult<String> later = new DeferredResult<>();
        later.setErrorResult(new NotExecutedException("the shop is closed " + runs.incrementAndGet()));
        return later;
    }

    @PostMapping("/deferred")
    DeferredResult<Map<String, Object>> deferred() {
        DeferredResult<Map<String, Object>> result = new DeferredResult<>();
        int run = runs.incrementAndGet();
        var unused = CompletableFuture.runAsync(() -> result.setResult(Map.of("deferred", run)));
        return result;
    }

    @PostMapping("/files")
    String upload(@RequestPart("file") MultipartFile file, @RequestPart("note") String note) throws IOException {
        return note + " " + file.getOriginalFilename() + " " + file.getBytes().length + " " + runs.incrementAndGet();
    }

    /** Which of the two runs is told by a field of the form. */
    @PostMapping(path = "/form", params = "express")
    String express(@RequestParam("item") String item) {
        return "express " + item + " " + runs.incrementAndGet();
    }

    @PostMapping(path = "/form", params = "!express")
    String form(@RequestParam("item") String item) {
        return "usual " + item + " " + runs.incrementAndGet();
    }

    @PutMapping("/form")
    String put(@RequestParam("item") String item) {
        return "put " + item + " " + runs.incrementAndGet();
    }

    @PostMapping("/slow")
    String slow() throws InterruptedException {
        entered.countDown();
        if (!gate.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the test has not opened the gate");
        }
        return "slow " + runs.incrementAndGet();
    }
}
