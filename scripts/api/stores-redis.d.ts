// What svc-sdk/stores/redis exports. Written by npm run docs:api; what changes here changes for users.

export interface IoRedisClient {
    defineCommand(name: string, definition: {
        lua: string;
        numberOfKeys?: number;
    }): void;
    eval(script: string, numberOfKeys: number, ...args: string[]): Promise<unknown>;
}

export interface NodeRedisClient {
    eval(script: string, options: {
        keys: string[];
        arguments: string[];
    }): Promise<unknown>;
}

export interface RedisBudgetsOptions {
    client: NodeRedisClient | IoRedisClient;
    prefix?: string | undefined;
}

export interface RedisExecutionsOptions {
    client: NodeRedisClient | IoRedisClient;
    prefix?: string | undefined;
}

export interface RedisRateLimitOptions extends SharedRateLimitOptions {
    client: NodeRedisClient | IoRedisClient;
    key?: string | undefined;
}

export interface RedisStoreOptions {
    client: NodeRedisClient | IoRedisClient;
    prefix?: string | undefined;
    retentionMs?: number | undefined;
}

export declare function redisBudgets({ client, prefix }: RedisBudgetsOptions): BudgetStore;

export declare function redisExecutions({ client, prefix }: RedisExecutionsOptions): ExecutionStore;

export declare function redisRateLimit({ onOutage, ...options }: RedisRateLimitOptions): SharedRateLimit;

export declare function redisRateLimitStore({ client, key, }: Omit<RedisRateLimitOptions, "onOutage">): RateLimitStore;

export declare function redisStore(options: RedisStoreOptions): DedupeStore;
