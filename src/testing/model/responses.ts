import type { Json } from "../../shared/json.js";

/**
 * A response whose connection breaks if the turn says so.
 *
 * @param content - The events of a stream, or a body.
 * @param cutAfter - The number of events before the connection breaks.
 */
export function responseOf(content: readonly string[] | Json, type: string, cutAfter: number | undefined): Response {
  const headers = { "content-type": type };
  if (!Array.isArray(content) && cutAfter === undefined) return new Response(JSON.stringify(content), { headers });
  const parts: readonly string[] = Array.isArray(content) ? content : halfOf(JSON.stringify(content));
  const most = Array.isArray(content) ? cutAfter : 1;
  const encoder = new TextEncoder();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const part = parts[sent];
      if (sent === most) controller.error(new TypeError("terminated"));
      else if (part === undefined) controller.close();
      else controller.enqueue(encoder.encode(part));
      sent += 1;
    },
  });
  return new Response(body, { headers });
}

const halfOf = (text: string) => [text.slice(0, text.length / 2)];
