import type { Activity } from "../engine/activity.js";

/** How many of the latest activities are kept for clients that connect again, and how many characters of their JSON. */
const KEPT = { items: 10_000, characters: 64_000_000 };

/** How often a comment is sent, in milliseconds, so that proxies and clients see that the connection is alive. */
const HEARTBEAT_MS = 15_000;

interface KeptActivity {
  readonly number: number;
  readonly text: string;
}

const HEADERS = { "content-type": "text/event-stream", "cache-control": "no-store" };

/**
 * The latest activities, and streams of them as server-sent events. A stream reads from here at its client's speed, so
 * a slow client takes no memory; one that falls behind what is kept gets a `gap` event.
 */
export class EventStream {
  /** Ids of another run of the emulator mean nothing here. */
  readonly #run = crypto.randomUUID().slice(0, 8);
  readonly #kept: KeptActivity[] = [];
  readonly #waiting = new Set<() => void>();
  #characters = 0;
  /** Number of the latest activity. */
  #last = 0;

  /** Keeps an activity, and sends it to all streams. */
  add(activity: Activity): void {
    const text = JSON.stringify(activity);
    this.#last = activity.id;
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
    const start = isFromNow && lastEventId === undefined ? this.#last : this.#firstKept() - 1;
    let after = lastEventId === undefined || isOther ? start : Number(sent);
    const encoder = new TextEncoder();
    const ending = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const gap = isOther ? gapText("another run of the emulator") : "";
        controller.enqueue(encoder.encode(`retry: 500\n\n${gap}`));
      },
      pull: async (controller) => {
        while (after >= this.#last) {
          if (!(await this.#next(ending.signal))) return controller.enqueue(encoder.encode(": \n\n"));
        }
        const { text, last } = this.#after(after);
        after = last;
        controller.enqueue(encoder.encode(text));
      },
      cancel: () => ending.abort(),
    });
    return new Response(body, { headers: HEADERS });
  }

  #firstKept(): number {
    return this.#kept[0]?.number ?? this.#last + 1;
  }

  /** The activities after a number, at most a hundred, and the number of the last of them. */
  #after(after: number): { text: string; last: number } {
    const first = this.#firstKept();
    const start = Math.max(0, after - first + 1);
    const items = this.#kept.slice(start, start + 100);
    const isLost = after < first - 1;
    const gap = isLost ? gapText(`activities ${after + 1} to ${first - 1} are no longer kept`) : "";
    const text = items.map(({ number, text }) => `id: ${this.#run}-${number}\ndata: ${text}\n\n`).join("");
    return { text: gap + text, last: items.at(-1)?.number ?? first - 1 };
  }

  /** Resolves with true at the next activity, with false after a while or at the end of the stream. */
  #next(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isActivity: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        this.#waiting.delete(wake);
        resolve(isActivity);
      };
      const wake = () => end(true);
      const stop = () => end(false);
      const timer = setTimeout(stop, HEARTBEAT_MS);
      this.#waiting.add(wake);
      signal.addEventListener("abort", stop);
    });
  }
}

function gapText(reason: string): string {
  return `event: gap\ndata: ${JSON.stringify({ reason })}\n\n`;
}
