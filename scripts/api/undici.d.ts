// What svc-sdk/undici exports. Written by npm run docs:api; what changes here changes for users.

export interface UndiciFetch {
    (input: Request | string | URL, init?: RequestInit): Promise<Response>;
    readonly acceptsInit: true;
}

export declare function undiciFetch(dispatcher?: Pick<Dispatcher, "dispatch">): UndiciFetch;
