/** A connection that an injected fault breaks. The front (in process, on a port) makes it real in its own way. */
export class BrokenConnection extends Error {
  readonly how: "hang" | "reset" | "truncate";
  /** For `truncate`: the answer whose body is cut in half. */
  readonly answer: Response | undefined;

  constructor(how: BrokenConnection["how"], answer?: Response) {
    super(how);
    this.how = how;
    this.answer = answer;
  }
}

/** The broken connection as a `fetch` in the same process shows it. */
export async function breakInProcess({ how, answer }: BrokenConnection, signal: AbortSignal): Promise<Response> {
  switch (how) {
    case "hang":
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    case "reset":
      throw connectionReset();
    default: {
      const { half } = await firstHalf(answer);
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(half),
        pull: (controller) => controller.error(connectionReset()),
      });
      return new Response(body, { status: answer?.status ?? 200, headers: answer?.headers ?? {} });
    }
  }
}

/** The first half of a body's bytes, and how many there are in all. */
export async function firstHalf(answer: Response | undefined): Promise<{ half: Uint8Array; length: number }> {
  const bytes = new Uint8Array((await answer?.arrayBuffer()) ?? new ArrayBuffer(0));
  const { length } = bytes;
  return { half: bytes.subarray(0, Math.floor(length / 2)), length };
}

function connectionReset(): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });
}
