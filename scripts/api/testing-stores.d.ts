// What svc-sdk/testing/stores exports. Written by npm run docs:api; what changes here changes for users.

export type MakeStores<Store> = () => readonly [
    Store,
    Store
] | Promise<readonly [
    Store,
    Store
]>;

export interface StoreCase {
    readonly name: string;
    run(): Promise<void>;
}

export declare function budgetsContract(make: MakeStores<BudgetStore>): StoreCase[];

export declare function dedupeContract(make: MakeStores<DedupeStore>): StoreCase[];

export declare function executionsContract(make: MakeStores<ExecutionStore>): StoreCase[];

export declare function rateLimitContract(make: MakeStores<RateLimitStore>): StoreCase[];
