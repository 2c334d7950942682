// What svc-sdk/otel exports. Written by npm run docs:api; what changes here changes for users.

export interface TraceOptions {
    tracerProvider?: TracerProvider | undefined;
}

export interface TraceToolsetOptions extends TraceOptions {
    readonly recordArguments?: boolean | undefined;
}

export declare function recordDecision(event: AgentEvent): void;

export declare function traceCalls(options?: TraceOptions): Middleware;

export declare function traceToolset(options?: TraceToolsetOptions): (event: AgentEvent) => void;
