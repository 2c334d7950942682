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

export declare const POSTGRES_MIGRATION = "DO $svc$ BEGIN\n\n-- IF NOT EXISTS fails if two processes create the same table at the same time, so one waits for the other.\nPERFORM pg_advisory_xact_lock(hashtextextended('svc-sdk migration', 0));\n\nCREATE SCHEMA IF NOT EXISTS svc;\n\n-- Handled webhook deliveries. Claims delete records that have expired.\nCREATE TABLE IF NOT EXISTS svc.deliveries (\n  id text PRIMARY KEY,\n  token text NOT NULL,\n  committed boolean NOT NULL,\n  expires_at timestamptz NOT NULL\n);\nCREATE INDEX IF NOT EXISTS deliveries_expires_at ON svc.deliveries (expires_at);\n\n-- Started calls of models. Without a result, a call may have run. Delete those of conversations that can't come back.\nCREATE TABLE IF NOT EXISTS svc.executions (\n  id text PRIMARY KEY,\n  stamp text NOT NULL,\n  result text,\n  started_at timestamptz NOT NULL DEFAULT now()\n);\n\n-- What budgets have counted, by step of their period. New budgets delete those whose period is over.\nCREATE TABLE IF NOT EXISTS svc.budgets (\n  id text PRIMARY KEY,\n  steps jsonb NOT NULL,\n  expires_at timestamptz NOT NULL\n);\nCREATE INDEX IF NOT EXISTS budgets_expires_at ON svc.budgets (expires_at);\n\n-- Shared rate limits: one row each.\nCREATE TABLE IF NOT EXISTS svc.rate_limits (\n  id text PRIMARY KEY,\n  value text NOT NULL,\n  expires_at timestamptz NOT NULL\n);\n\n-- Approval requests with their decisions, and standing approvals. Writes delete those that have expired.\nCREATE TABLE IF NOT EXISTS svc.approvals (\n  id text PRIMARY KEY,\n  value text NOT NULL,\n  state text NOT NULL,\n  user_id text,\n  conversation_id text,\n  position text COLLATE \"C\" NOT NULL,\n  expires_at timestamptz NOT NULL\n);\nCREATE INDEX IF NOT EXISTS approvals_list ON svc.approvals (state, position);\nCREATE INDEX IF NOT EXISTS approvals_user ON svc.approvals (user_id, state, position);\nCREATE INDEX IF NOT EXISTS approvals_conversation ON svc.approvals (conversation_id, state, position);\nCREATE INDEX IF NOT EXISTS approvals_expires_at ON svc.approvals (expires_at);\n\n-- The records of calls, a row for each line. Never change or delete them.\nCREATE TABLE IF NOT EXISTS svc.audit (\n  log text NOT NULL,\n  number bigint NOT NULL,\n  line text NOT NULL,\n  PRIMARY KEY (log, number)\n);\n\nEND $svc$;\n";

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
