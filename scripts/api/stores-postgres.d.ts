// What svc-sdk/stores/postgres exports. Written by npm run docs:api; what changes here changes for users.

export declare const POSTGRES_MIGRATION = "DO $svc$ BEGIN\n\n-- IF NOT EXISTS fails if two processes create the same table at the same time, so one waits for the other.\nPERFORM pg_advisory_xact_lock(hashtextextended('svc-sdk migration', 0));\n\nCREATE SCHEMA IF NOT EXISTS svc;\n\n-- Handled webhook deliveries. Claims delete records that have expired.\nCREATE TABLE IF NOT EXISTS svc.deliveries (\n  id text PRIMARY KEY,\n  token text NOT NULL,\n  committed boolean NOT NULL,\n  expires_at timestamptz NOT NULL\n);\nCREATE INDEX IF NOT EXISTS deliveries_expires_at ON svc.deliveries (expires_at);\n\n-- Started calls of models. Without a result, a call may have run. Delete those of conversations that can't come back.\nCREATE TABLE IF NOT EXISTS svc.executions (\n  id text PRIMARY KEY,\n  stamp text NOT NULL,\n  result text,\n  started_at timestamptz NOT NULL DEFAULT now()\n);\n\n-- What budgets have counted, by step of their period. New budgets delete those whose period is over.\nCREATE TABLE IF NOT EXISTS svc.budgets (\n  id text PRIMARY KEY,\n  steps jsonb NOT NULL,\n  expires_at timestamptz NOT NULL\n);\nCREATE INDEX IF NOT EXISTS budgets_expires_at ON svc.budgets (expires_at);\n\n-- Shared rate limits: one row each.\nCREATE TABLE IF NOT EXISTS svc.rate_limits (\n  id text PRIMARY KEY,\n  value text NOT NULL,\n  expires_at timestamptz NOT NULL\n);\n\nEND $svc$;\n";

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

export declare function postgresBudgets(given: PostgresOptions): BudgetStore;

export declare function postgresDeliveries(given: PostgresDeliveriesOptions): DedupeStore;

export declare function postgresExecutions(given: PostgresOptions): ExecutionStore;

export declare function postgresInbox<Client extends PostgresPoolClient = PostgresPoolClient>(options: PostgresInboxOptions<Client>): PostgresInbox<Client>;

export declare function postgresRateLimit(options: PostgresRateLimitOptions): SharedRateLimit;

export declare function postgresRateLimitStore(given: PostgresRateLimitOptions): RateLimitStore;
