/** A request as the client sent it. */
export interface Sent {
  readonly method: string;
  readonly url: URL;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: Headers;
  /** The body: parsed if it is JSON, `undefined` if there isn't one. */
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** One answer of a script: a response, a failure to throw, or a function of the request. */
export type Step = Response | Error | ((request: Sent) => Response | Promise<Response>);

/** A fetch that answers from a script and remembers what was sent. */
export interface ScriptedFetch {
  (request: Request): Promise<Response>;
  readonly sent: readonly Sent[];
}

/** Answers each request with the next step; the last one is used for all that follow. */
export function scriptedFetch(...steps: readonly Step[]): ScriptedFetch {
  const sent: Sent[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    // The body of the request itself stays unread: an error of the script comes before anything is sent.
    const text = await request.clone().text();
    const received: Sent = {
      method: request.method,
      url,
      target: url.pathname + url.search,
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
      signal: request.signal,
    };
    sent.push(received);
    const step = steps[Math.min(sent.length, steps.length) - 1];
    if (step === undefined) throw new Error("the script has no answer");
    if (step instanceof Error) throw step;
    return step instanceof Response ? step.clone() : step(received);
  };
  return Object.assign(fetch, { sent });
}

/** An error response in the service's error object. */
export function failure(status: number, error: object = {}, headers: Record<string, string> = {}): Response {
  const body = {
    error: { message: `failed with ${status}`, code: 10_000 + status, slug: "Any_Slug", status, ...error },
  };
  return Response.json(body, { status, headers });
}

/** The error of a runtime's fetch for a connection that broke with this code. */
export function broken(code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(`read ${code}`), { code }) });
}

/** A response that never comes; it ends as a fetch does when its signal aborts. */
export function silence({ signal }: { readonly signal: AbortSignal }): Promise<Response> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** A response that never comes, from a fetch that does not listen to its signal. */
export function deafSilence(): Promise<Response> {
  return new Promise(() => undefined);
}

/** A response whose body starts and then stalls. `onCancel` is told when the client lets go of it. */
export function stalled(status = 200, onCancel: () => void = () => undefined, begin = '{"begun": '): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(begin)),
    cancel: onCancel,
  });
  return new Response(body, { status, headers: { "content-type": "application/json" } });
}

/** A response whose connection breaks in the middle of the body. */
export function cutOff(status = 200, begin = '{"begun": ', code = "ECONNRESET"): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(begin)),
    pull: (controller) => controller.error(broken(code)),
  });
  return new Response(body, { status, headers: { "content-type": "application/json" } });
}

/** A response that comes when the test says so. */
export function held(): { readonly step: () => Promise<Response>; readonly answer: (response: Response) => void } {
  let answer: (response: Response) => void = () => undefined;
  const promise = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  return { step: () => promise, answer };
}
