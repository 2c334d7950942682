import type { Activity } from "../engine/activity.js";

/** How many of the latest activities are kept for clients that connect again, and how many characters of their JSON. */
const KEPT = { items: 10_000, characters: 64_000_000 };

/** How often a comment is sent, in milliseconds, so that proxies and clients see that the connection is alive. */
const HEARTBEAT_MS = 15_000;

interface Kept {
  readonly number: number;
  readonly text: string;
}

/**
 * The latest activities, and streams of them as server-sent events. A stream reads from here at its client's speed, so
 * a slow client takes no memory; one that falls behind what is kept gets a `gap` event.
 */
export class EventStream {
  /** Ids of another run of the emulator mean nothing here. */
  readonly #run = crypto.randomUUID().slice(0, 8);
  readonly #kept: Kept[] = [];
  readonly #waiting = new Set<() => void>();
  #characters = 0;
  /** Number of the latest activity. */
  #last = 0;

  /** Keeps an activity, and sends it to all streams. */
  add(activity: Activity): void {
    this.#last = activity.id;
    const text = JSON.stringify(activity);
    this.#kept.push({ number: activity.id, text });
    this.#characters += text.length;
    while (this.#kept.length > KEPT.items || this.#characters > KEPT.characters) {
      this.#characters -= this.#kept.shift()?.text.length ?? 0;
    }
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /**
   * A response that streams what comes after `lastEventId`, or without one, what is kept and what follows.
   *
   * @param lastEventId the client's `Last-Event-ID`.
   * @param isFromNow without `lastEventId`, whether to start with what follows.
   */
  respond(lastEventId: string | undefined, isFromNow: boolean): Response {
    const [run, sent] = (lastEventId ?? "").split("-");
    const isOther = lastEventId !== undefined && (run !== this.#run || !/^\d+$/.test(sent ?? ""));
    const first = this.#kept[0]?.number ?? this.#last + 1;
    const start = isFromNow && lastEventId === undefined ? this.#last : first - 1;
    const position = { after: lastEventId === undefined || isOther ? start : Number(sent) };
    const encoder = new TextEncoder();
    let stop = () => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const gap = isOther ? this.#gap("another run of the emulator") : "";
        controller.enqueue(encoder.encode(`retry: 500\n\n${gap}`));
      },
      pull: async (controller) => {
        while (position.after >= this.#last) {
          const isEvent = await this.#next((cancel) => {
            stop = cancel;
          });
          if (!isEvent) return controller.enqueue(encoder.encode(": \n\n"));
        }
        controller.enqueue(encoder.encode(this.#textAfter(position)));
      },
      cancel: () => stop(),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
  }

  /** The activities after a position, at most a hundred, and moves the position behind them. */
  #textAfter(position: { after: number }): string {
    const first = this.#kept[0]?.number ?? this.#last + 1;
    const lost = position.after < first - 1;
    const start = Math.max(0, position.after - first + 1);
    const items = this.#kept.slice(start, start + 100);
    const gap = lost ? this.#gap(`activities ${position.after + 1} to ${first - 1} are no longer kept`) : "";
    position.after = items.at(-1)?.number ?? first - 1;
    return gap + items.map(({ number, text }) => `id: ${this.#run}-${number}\ndata: ${text}\n\n`).join("");
  }

  #gap(reason: string): string {
    return `event: gap\ndata: ${JSON.stringify({ reason })}\n\n`;
  }

  /** Resolves with true at the next activity, with false after a while. */
  #next(onStart: (cancel: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isEvent: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve(isEvent);
      };
      const wake = () => end(true);
      const timer = setTimeout(() => end(false), HEARTBEAT_MS);
      this.#waiting.add(wake);
      onStart(() => end(false));
    });
  }
}
