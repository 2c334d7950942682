// What svc-sdk/stores/postgres exports. Written by npm run docs:api; what changes here changes for users.

export declare const POSTGRES_MIGRATION = "CREATE SCHEMA IF NOT EXISTS svc;\n\n-- Handled webhook deliveries. Claims delete records that have expired.\nCREATE TABLE IF NOT EXISTS svc.deliveries (\n  id text PRIMARY KEY,\n  token text NOT NULL,\n  committed boolean NOT NULL,\n  expires_at timestamptz NOT NULL\n);\nCREATE INDEX IF NOT EXISTS deliveries_expires_at ON svc.deliveries (expires_at);\n\n-- Started calls of models. Without a result, a call may have run. Delete those of conversations that can't come back.\nCREATE TABLE IF NOT EXISTS svc.executions (\n  id text PRIMARY KEY,\n  stamp text NOT NULL,\n  result text,\n  started_at timestamptz NOT NULL DEFAULT now()\n);\n\n-- What budgets have counted, by step of their period. New budgets delete those whose period is over.\nCREATE TABLE IF NOT EXISTS svc.budgets (\n  id text PRIMARY KEY,\n  steps jsonb NOT NULL,\n  expires_at timestamptz NOT NULL\n);\nCREATE INDEX IF NOT EXISTS budgets_expires_at ON svc.budgets (expires_at);\n\n-- Shared rate limits: one row each.\nCREATE TABLE IF NOT EXISTS svc.rate_limits (\n  id text PRIMARY KEY,\n  value text NOT NULL,\n  expires_at timestamptz NOT NULL\n);\n";

export interface PostgresClient {
    query(text: string, values?: (string | null)[]): Promise<unknown>;
}

export interface PostgresInbox<Client extends PostgresPoolClient> extends DedupeStore {
    transaction(context: {
        readonly claim: string;
    }): Client;
}

export interface PostgresInboxOptions<Client extends PostgresPoolClient> extends Omit<PostgresStoreOptions, "client"> {
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

export interface PostgresStoreOptions extends PostgresOptions, RetentionOptions {
}

export declare function postgresBudgets(options: PostgresOptions): BudgetStore;

export declare function postgresExecutions(options: PostgresOptions): ExecutionStore;

export declare function postgresInbox<Client extends PostgresPoolClient = PostgresPoolClient>(options: PostgresInboxOptions<Client>): PostgresInbox<Client>;

export declare function postgresRateLimit(options: PostgresRateLimitOptions): SharedRateLimit;

export declare function postgresRateLimitStore(options: PostgresRateLimitOptions): RateLimitStore;

export declare function postgresStore(options: PostgresStoreOptions): DedupeStore;
