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

export interface RedisBudgetsOptions extends RedisOptions {
    prefix?: string | undefined;
}

export interface RedisExecutionsOptions extends RedisOptions {
    prefix?: string | undefined;
}

export interface RedisRateLimitOptions extends RedisOptions, SharedRateLimitOptions {
    key?: string | undefined;
}

export interface RedisStoreOptions extends RedisOptions, RetentionOptions {
    prefix?: string | undefined;
}

export declare function redisBudgets(options: RedisBudgetsOptions): BudgetStore;

export declare function redisExecutions(options: RedisExecutionsOptions): ExecutionStore;

export declare function redisRateLimit(options: RedisRateLimitOptions): SharedRateLimit;

export declare function redisRateLimitStore(options: RedisRateLimitOptions): RateLimitStore;

export declare function redisStore(options: RedisStoreOptions): DedupeStore;

// Not exported, but exports are made of it.

export interface RedisOptions {
    client: NodeRedisClient | IoRedisClient;
}
