// What svc-sdk/arguments exports. Written by npm run docs:api; what changes here changes for users.

export {
    ArgumentValidator,
} from "svc-sdk";

export interface ArgumentValidatorOptions {
    readonly catalogue?: KnownTools | undefined;
}

export interface KnownTools {
    readonly toolkits: readonly {
        readonly tools: readonly {
            readonly slug: string;
            readonly version: string;
            readonly input_parameters: object;
        }[];
    }[];
}

export declare function argumentValidator({ catalogue }?: ArgumentValidatorOptions): ArgumentValidator;
