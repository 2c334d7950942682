// What svc-sdk/testing/cassettes exports. Written by npm run docs:api; what changes here changes for users.

export interface RecordOptions {
    readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
    readonly file: string;
}

export interface ReplayOptions {
    readonly file: string;
    readonly match?: "strict" | "loose" | undefined;
}

export declare function cassetteSeed(file: string): Required<Pick<EmulatorOptions, "toolkits" | "seed">>;

export declare function recordFetch(options: RecordOptions): (request: Request) => Promise<Response>;

export declare function replayFetch(options: ReplayOptions): (request: Request) => Promise<Response>;
