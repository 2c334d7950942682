// What the handler uses of the requests and responses of Node's servers.

/** The parts of Node's `IncomingMessage` that the handler uses. Express requests match. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly rawHeaders?: readonly string[] | undefined;
  /** Used if `rawHeaders` is missing or empty, as in the requests that adapters for Lambda create. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  /** Whether anything has read from the body's stream. */
  readonly readableDidRead: boolean;
  readonly destroyed: boolean;
  /** Whether the whole body has arrived. */
  readonly complete?: boolean | undefined;
  readonly httpVersionMajor?: number | undefined;
  /** The socket, whose server may be closing. */
  readonly socket?: unknown;
  on(event: string, listener: (value: Uint8Array) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** The parts of Node's `ServerResponse` that the handler uses. Express responses match. */
export interface NodeResponse {
  readonly headersSent: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/** The parts of Fastify's request that the handler uses. */
export interface FastifyRequestLike {
  readonly raw: NodeRequest;
  readonly body?: unknown;
}

/** The parts of Fastify's reply that the handler uses. */
export interface FastifyReplyLike {
  readonly raw: NodeResponse;
  status(code: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(body: string): unknown;
}

/** The parts of Koa's context that the handler uses. */
export interface KoaContextLike {
  readonly req: NodeRequest;
  readonly request: { readonly body?: unknown };
  status: number;
  body: unknown;
  set(headers: Record<string, string>): unknown;
}
