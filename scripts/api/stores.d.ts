// What svc-sdk/stores exports. Written by npm run docs:api; what changes here changes for users.

export interface FileAuditOptions {
    readonly maxBytes?: number | undefined;
}

export interface FileDeliveriesOptions extends RetentionOptions {
}

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

export declare const POSTGRES_MIGRATION: string;

export interface PostgresAuditOptions {
    client: PostgresClient;
    log?: string | undefined;
}

export interface PostgresClient {
    query(text: string, values?: (string | null)[]): Promise<unknown>;
}

export interface PostgresDeliveriesOptions extends PostgresOptions, RetentionOptions {
}

export interface PostgresInbox<Client extends PostgresPoolClient> extends DedupeStore {
    transaction(context: {
        readonly claim: string;
    }): Client;
}

export interface PostgresInboxOptions<Client extends PostgresPoolClient> extends Omit<PostgresDeliveriesOptions, "client"> {
    pool: PostgresPool<Client>;
}

export interface PostgresOptions {
    client: PostgresClient;
    prefix?: string | undefined;
}

export interface PostgresPool<Client extends PostgresPoolClient> extends PostgresClient {
    connect(): Promise<Client>;
}

export interface PostgresPoolClient extends PostgresClient {
    off?(event: "error", listener: (error: Error) => void): unknown;
    on?(event: "error", listener: (error: Error) => void): unknown;
    release(error?: Error | boolean): void;
}

export interface PostgresRateLimitOptions extends SharedRateLimitOptions {
    client: PostgresClient;
    key?: string | undefined;
}

export interface RateLimitStore {
    compareAndSwap(expected: string | undefined, next: string, ttlMs: number): Promise<boolean>;
    read(): Promise<StoredRateLimit>;
}

export interface RedisApprovalsOptions extends RedisOptions {
    prefix?: string | undefined;
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

export interface SharedRateLimitOptions {
    onOutage?: ((problem: string) => void) | undefined;
}

export interface StoredRateLimit {
    readonly now: number;
    readonly value: string | undefined;
}

export declare function fileAudit(path: string, options?: FileAuditOptions): AuditSink;

export declare function fileDeliveries(path: string, options?: FileDeliveriesOptions): DedupeStore;

export declare function postgresApprovals(given: PostgresOptions): ApprovalStore;

export declare function postgresAudit(given: PostgresAuditOptions): AuditSink;

export declare function postgresBudgets(given: PostgresOptions): BudgetStore;

export declare function postgresDeliveries(given: PostgresDeliveriesOptions): DedupeStore;

export declare function postgresExecutions(given: PostgresOptions): ExecutionStore;

export declare function postgresInbox<Client extends PostgresPoolClient = PostgresPoolClient>(options: PostgresInboxOptions<Client>): PostgresInbox<Client>;

export declare function postgresRateLimit(options: PostgresRateLimitOptions): SharedRateLimit;

export declare function postgresRateLimitStore(given: PostgresRateLimitOptions): RateLimitStore;

export declare function redisApprovals(given: RedisApprovalsOptions): ApprovalStore;

export declare function redisBudgets(given: RedisBudgetsOptions): BudgetStore;

export declare function redisDeliveries(given: RedisDeliveriesOptions): DedupeStore;

export declare function redisExecutions(given: RedisExecutionsOptions): ExecutionStore;

export declare function redisRateLimit(options: RedisRateLimitOptions): SharedRateLimit;

export declare function redisRateLimitStore(given: RedisRateLimitOptions): RateLimitStore;

export declare function sharedRateLimit(store: RateLimitStore, options?: SharedRateLimitOptions): SharedRateLimit;

// Not exported, but exports are made of it.

export interface RedisOptions {
    client: NodeRedisClient | IoRedisClient;
}
