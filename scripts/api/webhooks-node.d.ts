// What svc-sdk/webhooks/node exports. Written by npm run docs:api; what changes here changes for users.

export interface FastifyReplyLike {
    headers(values: Record<string, string>): unknown;
    readonly raw: NodeResponse;
    send(body: string): unknown;
    status(code: number): unknown;
}

export interface FastifyRequestLike {
    readonly body?: unknown;
    readonly raw: NodeRequest;
}

export interface KoaContextLike {
    body: unknown;
    readonly req: NodeRequest;
    readonly request: {
        readonly body?: unknown;
    };
    set(headers: Record<string, string>): unknown;
    status: number;
}

export interface NodeHandler {
    (request: NodeRequest, response: NodeResponse): void;
    (request: FastifyRequestLike, reply: FastifyReplyLike): void;
    (context: KoaContextLike): void;
}

export interface NodeRequest {
    readonly complete?: boolean | undefined;
    readonly destroyed: boolean;
    readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
    readonly httpVersionMajor?: number | undefined;
    readonly method?: string | undefined;
    on(event: string, listener: (value: Uint8Array) => void): unknown;
    pause(): unknown;
    readonly rawHeaders?: readonly string[] | undefined;
    readonly readableDidRead: boolean;
    resume(): unknown;
    readonly socket?: unknown;
    readonly url?: string | undefined;
}

export interface NodeResponse {
    end(body: string): unknown;
    readonly headersSent: boolean;
    writeHead(status: number, headers: Record<string, string>): unknown;
}

export declare function toNodeHandler(receiver: Receiver): NodeHandler;
