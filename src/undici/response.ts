import { Readable } from "node:stream";

interface Received {
  readonly url: URL;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

/**
 * A `Response` that skips the constructor, which takes as long as everything else in the client. A `Response` of the
 * runtime is created only if one of its methods that read the body is called.
 */
export class ReceivedResponse implements Response {
  static {
    // For instanceof. Every member of `Response` is below.
    Object.setPrototypeOf(ReceivedResponse.prototype, Response.prototype);
  }

  #received: Received;

  constructor(received: Received) {
    this.#received = received;
  }

  get type(): ResponseType {
    return "basic";
  }
  get url(): string {
    return this.#received.url.href.replace(/#.*$/, "");
  }
  get redirected(): boolean {
    return false;
  }
  get status(): number {
    return this.#received.status;
  }
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }
  get statusText(): string {
    return this.#received.statusText;
  }
  get headers(): Headers {
    return this.#received.headers;
  }
  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#received.body;
  }
  get bodyUsed(): boolean {
    // Node's type accepts only its own streams; the function accepts these too.
    return this.body !== null && Readable.isDisturbed(this.body as unknown as NodeJS.ReadableStream);
  }

  clone(): Response {
    if (this.bodyUsed || this.body?.locked) throw new TypeError("The body was already read, so it can't be cloned.");
    const [body, copy] = this.body?.tee() ?? [null, null];
    this.#received = { ...this.#received, body };
    return new ReceivedResponse({ ...this.#received, headers: new Headers(this.headers), body: copy });
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#reading().arrayBuffer();
  }
  async blob(): Promise<Blob> {
    return this.#reading().blob();
  }
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#reading().bytes();
  }
  async formData(): Promise<FormData> {
    return this.#reading().formData();
  }
  async json(): Promise<unknown> {
    return this.#reading().json();
  }
  async text(): Promise<string> {
    return this.#reading().text();
  }

  #reading(): Response {
    return new Response(this.body, { headers: this.headers });
  }
}
