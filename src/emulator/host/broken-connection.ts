import { rejectionBy } from "../../shared/timers.js";

/** A connection broken by an injected fault. In process and on a port, it's broken in different ways. */
export class BrokenConnection extends Error {
  readonly how: "hang" | "reset" | "truncate";
  /** For `truncate`: the response whose body is cut in half. */
  readonly response: Response | undefined;

  constructor(how: BrokenConnection["how"], response?: Response) {
    super(how);
    this.how = how;
    this.response = response;
  }
}

/** Makes a `fetch` in the same process fail like a broken connection. */
export async function breakInProcess({ how, response }: BrokenConnection, signal: AbortSignal): Promise<Response> {
  switch (how) {
    case "hang":
      return rejectionBy(signal);
    case "reset":
      throw connectionReset();
    default: {
      const { half } = await firstHalf(response);
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(half),
        pull: (controller) => controller.error(connectionReset()),
      });
      return new Response(body, { status: response?.status ?? 200, headers: response?.headers ?? {} });
    }
  }
}

/** The first half of a body, and the length of all of it. */
export async function firstHalf(response: Response | undefined): Promise<{ half: Uint8Array; length: number }> {
  const bytes = new Uint8Array((await response?.arrayBuffer()) ?? new ArrayBuffer(0));
  const { length } = bytes;
  return { half: bytes.subarray(0, Math.floor(length / 2)), length };
}

function connectionReset(): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });
}
