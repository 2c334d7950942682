// What svc-sdk/stores exports. Written by npm run docs:api; what changes here changes for users.

export interface FileDeliveriesOptions extends RetentionOptions {
}

export interface RateLimitStore {
    compareAndSwap(expected: string | undefined, next: string, ttlMs: number): Promise<boolean>;
    read(): Promise<StoredRateLimit>;
}

export interface SharedRateLimitOptions {
    onOutage?: ((problem: string) => void) | undefined;
}

export interface StoredRateLimit {
    readonly now: number;
    readonly value: string | undefined;
}

export declare function fileDeliveries(path: string, options?: FileDeliveriesOptions): DedupeStore;

export declare function sharedRateLimit(store: RateLimitStore, options?: SharedRateLimitOptions): SharedRateLimit;
