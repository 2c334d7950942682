import { add, readAll, setConnection, setGap } from "./store.js";
import type { Activity } from "./view-types.js";

/** Follows the emulator. The browser connects again by itself, and sends the last id it got. */
export function follow(): void {
  const waiting: Activity[] = [];
  const source = new EventSource("/_emulator/events");
  const flush = () => {
    if (waiting.length > 0) add(waiting.splice(0));
  };
  source.addEventListener("message", ({ data }) => {
    // The emulator's own stream.
    waiting.push(JSON.parse(data) as Activity);
    // One render for a burst, and without one while the tab is hidden.
    if (waiting.length === 1) setTimeout(flush, 50);
  });
  source.addEventListener("gap", ({ data }) => {
    const { reason } = JSON.parse(data) as { reason: string }; // As above.
    setGap(reason);
    void readAll();
  });
  source.addEventListener("open", () => {
    setConnection("live");
    void readAll();
  });
  source.addEventListener("error", () => setConnection("lost"));
}
