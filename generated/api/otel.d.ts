// What svc-sdk/otel exports. Written by npm run docs:api; what changes here changes for users.

export interface TraceOptions {
    tracerProvider?: TracerProvider | undefined;
}

export declare function recordDecision(event: AgentEvent): void;

export declare function traceCalls({ tracerProvider }?: TraceOptions): Middleware;
