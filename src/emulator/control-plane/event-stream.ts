import type { Activity } from "../engine/activity.js";

/** How many of the latest activities are kept for clients that connect again, and how many characters of their JSON. */
const KEPT = { items: 10_000, characters: 64_000_000 };

/** How often a comment is sent, in milliseconds, so that proxies and clients see that the connection is alive. */
const HEARTBEAT_MS = 15_000;

/**
 * The latest activities, and streams of them as server-sent events. A stream reads from here at its client's speed, so
 * a slow client takes no memory; one that falls behind what is kept gets a `gap` event.
 */
export function eventStream() {
  /** Ids of another run of the emulator mean nothing here. */
  const ownRun = crypto.randomUUID().slice(0, 8);
  const kept: { readonly number: number; readonly text: string }[] = [];
  const waiting = new Set<() => void>();
  let characters = 0;
  /** Number of the latest activity. */
  let last = 0;

  const firstKept = () => kept[0]?.number ?? last + 1;

  const gapText = (reason: string) => `event: gap\ndata: ${JSON.stringify({ reason })}\n\n`;

  /** The activities after a position, at most a hundred, and moves the position behind them. */
  const textAfter = (position: { after: number }) => {
    const first = firstKept();
    const lost = position.after < first - 1;
    const start = Math.max(0, position.after - first + 1);
    const items = kept.slice(start, start + 100);
    const gap = lost ? gapText(`activities ${position.after + 1} to ${first - 1} are no longer kept`) : "";
    position.after = items.at(-1)?.number ?? first - 1;
    return gap + items.map(({ number, text }) => `id: ${ownRun}-${number}\ndata: ${text}\n\n`).join("");
  };

  /** Resolves with true at the next activity, with false after a while. */
  const next = (onStart: (cancel: () => void) => void) =>
    new Promise<boolean>((resolve) => {
      const end = (isEvent: boolean) => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve(isEvent);
      };
      const wake = () => end(true);
      const timer = setTimeout(() => end(false), HEARTBEAT_MS);
      waiting.add(wake);
      onStart(() => end(false));
    });

  return {
    /** Keeps an activity, and sends it to all streams. */
    add: (activity: Activity) => {
      last = activity.id;
      const text = JSON.stringify(activity);
      kept.push({ number: activity.id, text });
      characters += text.length;
      while (kept.length > KEPT.items || characters > KEPT.characters) characters -= kept.shift()?.text.length ?? 0;
      for (const wake of waiting) wake();
      waiting.clear();
    },

    /**
     * A response that streams what comes after `lastEventId`, or without one, what is kept and what follows.
     *
     * @param lastEventId the client's `Last-Event-ID`.
     * @param isFromNow without `lastEventId`, whether to start with what follows.
     */
    respond: (lastEventId: string | undefined, isFromNow: boolean) => {
      const [run, sent] = (lastEventId ?? "").split("-");
      const isOther = lastEventId !== undefined && (run !== ownRun || !/^\d+$/.test(sent ?? ""));
      const start = isFromNow && lastEventId === undefined ? last : firstKept() - 1;
      const position = { after: lastEventId === undefined || isOther ? start : Number(sent) };
      const encoder = new TextEncoder();
      let stop = () => {};
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          const gap = isOther ? gapText("another run of the emulator") : "";
          controller.enqueue(encoder.encode(`retry: 500\n\n${gap}`));
        },
        pull: async (controller) => {
          while (position.after >= last) {
            const isEvent = await next((cancel) => {
              stop = cancel;
            });
            if (!isEvent) return controller.enqueue(encoder.encode(": \n\n"));
          }
          controller.enqueue(encoder.encode(textAfter(position)));
        },
        cancel: () => stop(),
      });
      return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
    },
  };
}

export type EventStream = ReturnType<typeof eventStream>;
