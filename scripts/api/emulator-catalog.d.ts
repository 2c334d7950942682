// What svc-sdk/emulator/catalog exports. Written by npm run docs:api; what changes here changes for users.

export interface CatalogOptions {
    readonly seed?: number | undefined;
    readonly source?: string | undefined;
    readonly toolkits?: readonly ToolkitDefinition[] | undefined;
    readonly tools?: Readonly<Record<string, ToolOverride>> | undefined;
}

export interface SampleOptions {
    readonly file?: (() => unknown) | undefined;
    readonly seed: number;
}

export type ToolOverride = JsonObject | ToolDefinition["run"];

export declare function fromCatalog(catalog: unknown, options?: CatalogOptions): Required<Pick<EmulatorOptions, "toolkits" | "seed">>;

export declare function sampleObjectOf(schema: JsonObject, options: SampleOptions): JsonObject;

export declare function sampleOf(given: JsonObject, { seed, file }: SampleOptions): unknown;

export declare function toToolkits(value: unknown, source: string): ToolkitDefinition[];
