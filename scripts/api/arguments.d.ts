// What svc-sdk/arguments exports. Written by npm run docs:api; what changes here changes for users.

export interface ArgumentValidator {
    check(schema: unknown, value: unknown): readonly Mismatch[];
    schemaOf?(toolSlug: string, version: string): unknown;
}

export interface ArgumentValidatorOptions {
    readonly catalog?: ToolSchemas | undefined;
}

export interface ToolSchemas {
    readonly toolkits: readonly {
        readonly tools: readonly {
            readonly slug: string;
            readonly version: string;
            readonly input_parameters: object;
        }[];
    }[];
}

export declare function argumentValidator(options?: ArgumentValidatorOptions): ArgumentValidator;

export declare function validateArguments(validator?: ArgumentValidator): Middleware;
