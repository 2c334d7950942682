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

export interface RedisDeliveriesOptions extends RedisOptions, RetentionOptions {
    prefix?: string | undefined;
}

export interface RedisExecutionsOptions extends RedisOptions {
    prefix?: string | undefined;
}

export interface RedisRateLimitOptions extends RedisOptions, SharedRateLimitOptions {
    key?: string | undefined;
}

export declare function redisBudgets(given: RedisBudgetsOptions): BudgetStore;

export declare function redisDeliveries(given: RedisDeliveriesOptions): DedupeStore;

export declare function redisExecutions(given: RedisExecutionsOptions): ExecutionStore;

export declare function redisRateLimit(options: RedisRateLimitOptions): SharedRateLimit;

export declare function redisRateLimitStore(given: RedisRateLimitOptions): RateLimitStore;

// Not exported, but exports are made of it.

export interface RedisOptions {
    client: NodeRedisClient | IoRedisClient;
}
