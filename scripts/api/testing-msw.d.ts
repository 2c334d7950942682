// What svc-sdk/testing/msw exports. Written by npm run docs:api; what changes here changes for users.

export declare function mswHandlers(emulator: Pick<Emulator, "fetch"> & {
    readonly connection: {
        readonly baseUrl: string;
    };
}, baseUrl?: string): HttpHandler[];
