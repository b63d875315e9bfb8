// Server-sent events: they say that something has changed, and no more. Read with fetch, since EventSource sends no headers.
import { Problem, request } from "./api.js";

const LONGEST_PAUSE = 15_000;
// The server gives a sign of life every 5 seconds.
const SILENCE = 15_000;

/**
 * Listens while the tab is seen. `changed` is called for each event, and each time that the stream begins: what happened
 * between the page's last read and its beginning was not heard. `state` is called
 * with "live", "paused" or a {@link Problem}.
 */
export function listen(filter, changed, state) {
  let stop = new AbortController();
  let closed = false;
  let wake = () => {};

  async function run() {
    let failures = 0;
    while (!closed) {
      if (document.hidden) {
        state("paused");
        await new Promise((go) => (wake = go));
        continue;
      }
      stop = new AbortController();
      try {
        const path = `v1/events?filter=${encodeURIComponent(JSON.stringify(filter))}`;
        const response = await request(path, { signal: stop.signal });
        state("live");
        failures = 0;
        changed();
        await read(response.body, changed, stop);
      } catch (e) {
        if (closed || document.hidden) {
          continue;
        }
        if (e instanceof Problem) {
          state(e);
          if (e.status === 401 || e.status === 403 || e.status === 400) {
            return;
          }
        }
      }
      failures++;
      await new Promise((go) => {
        wake = go;
        setTimeout(go, Math.min(LONGEST_PAUSE, 500 * 2 ** Math.min(failures, 5)));
      });
    }
  }

  const seen = () => {
    if (document.hidden) {
      stop.abort();
    }
    wake();
  };
  document.addEventListener("visibilitychange", seen);
  run();
  return () => {
    closed = true;
    document.removeEventListener("visibilitychange", seen);
    stop.abort();
    wake();
  };
}

/** Reads events until the stream ends; throws a {@link Problem} where it is silent for too long. */
async function read(body, changed, stop) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (true) {
    let silent = false;
    const silence = setTimeout(() => ((silent = true), stop.abort()), SILENCE);
    let part;
    try {
      part = await reader.read();
    } catch (e) {
      throw silent ? new Problem(0, "gone", "the server does not answer") : e;
    } finally {
      clearTimeout(silence);
    }
    if (part.done) {
      return;
    }
    text += part.value;
    const events = text.split("\n\n");
    text = events.pop();
    if (events.some((event) => /^event: /m.test(event))) {
      changed();
    }
  }
}
