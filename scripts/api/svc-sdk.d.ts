// What svc-sdk exports. Written by npm run docs:api; what changes here changes for users.

export type AnyEndpoint = Endpoint;

export interface AnyInput {
    readonly body?: unknown;
    readonly params?: Readonly<Record<string, string>> | undefined;
    readonly query?: object | undefined;
}

export declare class ApiError extends SvcError implements CallInfo {
    readonly attempts: number;
    readonly body: unknown;
    readonly code: number | string | undefined;
    readonly condition: ErrorCondition | undefined;
    constructor(response: FailedResponse);
    readonly errorSlug: string | undefined;
    readonly errors: readonly string[];
    readonly headers: Readonly<Record<string, string>>;
    readonly operation: string;
    readonly outcome: CallOutcome | undefined;
    readonly requestId: string | undefined;
    readonly retryAfterMs: number | undefined;
    readonly retryAt: Date | undefined;
    readonly status: number;
    readonly suggestedFix: string | undefined;
}

export interface ApiKeyState {
    authScheme: "API_KEY";
    val: {
        status: "ACTIVE" | "INACTIVE";
        generic_api_key?: string | undefined;
        api_key?: string | undefined;
        bearer_token?: string | undefined;
        basic_encoded?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIALIZING" | "INITIATED" | "FAILED" | "EXPIRED" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export declare class ApiKeys extends Resource {
    revoke(body: RevokeApiKeysBody, options?: RequestOptions): ApiPromise<RevokedApiKeys>;
}

export interface ApiPromise<Data> extends Promise<Data> {
    withResponse(): Promise<WithResponse<Data>>;
}

export interface AttachToolRouterSessionBody {
    experimental?: CustomDefinitions | undefined;
}

export interface AttemptEvent extends OfAttempt {
    readonly type: "attempt";
}

export interface AuthConfig {
    auth_scheme?: AuthScheme | undefined;
    created_at?: string | undefined;
    created_by?: string | undefined;
    credentials?: Record<string, unknown> | undefined;
    expected_input_fields?: unknown[] | undefined;
    id: string;
    is_enabled_for_tool_router?: boolean | undefined;
    is_svc_managed?: boolean | undefined;
    last_updated_at?: string | undefined;
    name: string;
    no_of_connections: number;
    proxy_config?: {
        proxy_url: string;
        proxy_auth_key?: string | undefined;
    } | null | undefined;
    restrict_to_following_tools?: string[] | undefined;
    shared_credentials?: Record<string, unknown> | undefined;
    status: Open<"ENABLED" | "DISABLED">;
    tool_access_config: ToolAccessConfig;
    toolkit: {
        slug: string;
        logo: string;
        auth_guide_url?: string | null | undefined;
        auth_hint_url?: string | null | undefined;
    };
    type: Open<"default" | "custom">;
    uuid: string;
}

export interface AuthConfigCredentials {
    [key: string]: unknown;
    scopes?: string | readonly string[] | undefined;
    user_scopes?: string | readonly string[] | undefined;
}

export interface AuthConfigDetails {
    auth_hint_url?: string | null | undefined;
    deprecated_auth_provider_details?: {
        authorization_url?: string | undefined;
        token_url?: string | undefined;
    } | undefined;
    fields: {
        auth_config_creation: {
            required: AuthField[];
            optional: AuthField[];
        };
        connected_account_initiation: {
            required: AuthField[];
            optional: AuthField[];
        };
    };
    mode: string;
    name: string;
    proxy?: {
        base_url: string;
    } | undefined;
}

export interface AuthConfigPage {
    current_page: number;
    items: AuthConfig[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export declare class AuthConfigs extends Resource {
    create(body: shapes.CreateAuthConfigBody, options?: RequestOptions): ApiPromise<shapes.CreatedAuthConfig>;
    delete(id: string, query?: shapes.DeleteAuthConfigQuery, options?: RequestOptions): ApiPromise<shapes.DeletedAuthConfig>;
    disable(id: string, options?: RequestOptions): ApiPromise<EmptyObject>;
    enable(id: string, options?: RequestOptions): ApiPromise<EmptyObject>;
    ensure(body: shapes.CreateAuthConfigBody, options?: RequestOptions): Promise<shapes.AuthConfig>;
    get(id: string, options?: RequestOptions): ApiPromise<shapes.AuthConfig>;
    list(query?: shapes.ListAuthConfigsQuery, options?: RequestOptions): PagePromise<shapes.AuthConfigPage>;
    update(id: string, body: shapes.UpdateAuthConfigBody, options?: RequestOptions): ApiPromise<EmptyObject>;
}

export interface AuthField {
    default?: string | null | undefined;
    description: string;
    displayName: string;
    is_secret?: boolean | undefined;
    legacy_template_name?: string | undefined;
    name: string;
    required: boolean;
    type: string;
}

export type AuthScheme = Open<"OAUTH2" | "OAUTH1" | "API_KEY" | "BASIC" | "BILLCOM_AUTH" | "BEARER_TOKEN" | "GOOGLE_SERVICE_ACCOUNT" | "NO_AUTH" | "BASIC_WITH_JWT" | "CALCOM_AUTH" | "SERVICE_ACCOUNT" | "SAML" | "DCR_OAUTH" | "S2S_OAUTH2">;

export declare class AuthenticationError extends ApiError {
}

export declare class BadRequestError extends ApiError {
}

export interface BasicState {
    authScheme: "BASIC";
    val: {
        status: "INITIALIZING" | "INITIATED" | "FAILED" | "EXPIRED" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "ACTIVE" | "INACTIVE";
        username: string;
        password?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export interface BasicWithJwtState {
    authScheme: "BASIC_WITH_JWT";
    val: {
        status: "INITIALIZING" | "INITIATED" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        username: string;
        password: string;
        status: "ACTIVE" | "INACTIVE";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        username: string;
        password: string;
        status: "FAILED";
        error?: string | undefined;
        error_description?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        username: string;
        password: string;
        status: "EXPIRED";
        expired_at?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export interface BearerTokenState {
    authScheme: "BEARER_TOKEN";
    val: {
        status: "INITIALIZING" | "INITIATED" | "FAILED" | "EXPIRED" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "ACTIVE" | "INACTIVE";
        token: string;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export interface BillcomAuthState {
    authScheme: "BILLCOM_AUTH";
    val: {
        status: "FAILED";
        error?: string | undefined;
        error_description?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "EXPIRED";
        expired_at?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIALIZING" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIATED";
        redirectUrl: string;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "ACTIVE" | "INACTIVE";
        sessionId: string;
        devKey: string;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export type BodyOf<E extends AnyEndpoint> = E extends Endpoint<string, string, unknown, infer Body, unknown> ? Body : never;

export interface CalcomAuthState {
    authScheme: "CALCOM_AUTH";
    val: {
        status: "FAILED";
        error?: string | undefined;
        error_description?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "EXPIRED";
        expired_at?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIALIZING" | "INITIATED" | "ACTIVE" | "INACTIVE" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export interface CallContext {
    readonly callNumber: number;
    emit(happening: Happening): boolean;
    readonly endpoint: AnyEndpoint;
    input: AnyInput;
    observer(create: (call: Observed) => CallObserver): CallObserver;
    readonly options: RequestOptions;
    retry: RetryClass;
    retryBudget: Pick<RetryBudget, "spend" | "earn">;
    send(endpoint: AnyEndpoint, input: AnyInput, options?: RequestOptions): Promise<WithResponse<unknown>>;
    readonly sent: AnyInput;
    readonly signal: AbortSignal | undefined;
    versions: Versions;
}

export interface CallInfo {
    readonly attempts: number;
    readonly operation: string;
    readonly outcome: CallOutcome | undefined;
}

export type CallOutcome = "not_sent" | "rejected" | "unknown";

export type CallPhase = "middleware" | "queue" | "headers" | "body" | "retry_wait";

export interface CatalogSettings {
}

export interface Clock {
    monotonic(): number;
    now(): number;
    random(): number;
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export type CommonConnectionFields = {
    [Name in (typeof COMMON_FIELDS)[number]]?: string | undefined;
};

export interface CompleteAuthBody {
    session_uri: string;
    user_id: string;
}

export interface CompletedConnection {
    connected_account_id?: string | undefined;
    toolkit_slug?: string | undefined;
}

export declare class ConfigError extends SvcError {
}

export interface ConfigVersion {
    config: ToolRouterConfig;
    created_at: string;
    is_current: boolean;
    version: number;
}

export interface ConfigVersionPage {
    current_page: number;
    items: ConfigVersion[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export declare class ConflictError extends ApiError {
}

export type ConnectCallback = {
    readonly kind: "success";
    readonly connectedAccountId: string;
} | {
    readonly kind: "failed";
    readonly connectedAccountId: string | undefined;
} | {
    readonly kind: "incomplete";
    readonly status: string | undefined;
    readonly connectedAccountId: string | undefined;
    readonly problem: string;
} | {
    readonly kind: "unknown";
    readonly status: string;
    readonly connectedAccountId: string | undefined;
};

export interface ConnectedAccount {
    alias: string | null;
    auth_config: {
        id: string;
        auth_scheme: AuthScheme;
        is_svc_managed: boolean;
        is_disabled: boolean;
        deprecated?: {
            uuid: string;
        } | undefined;
    };
    created_at: string;
    data: Record<string, unknown>;
    deprecated?: {
        labels: string[];
        uuid: string;
    } | undefined;
    experimental?: ConnectionSharing | undefined;
    id: string;
    is_disabled: boolean;
    state: ConnectionState;
    status: ConnectionStatus;
    status_reason: string | null;
    test_request_endpoint?: string | undefined;
    toolkit: {
        slug: string;
    };
    updated_at: string;
    user_id: string;
    word_id: string | null;
}

export interface ConnectedAccountDetail {
    alias: string | null;
    auth_config: {
        id: string;
        auth_scheme: AuthScheme;
        is_svc_managed: boolean;
        is_disabled: boolean;
        deprecated?: {
            uuid: string;
        } | undefined;
    };
    created_at: string;
    data: Record<string, unknown>;
    deprecated?: {
        labels: string[];
        uuid: string;
    } | undefined;
    experimental?: ConnectionSharing | undefined;
    id: string;
    is_disabled: boolean;
    params: Record<string, unknown>;
    requested_scopes?: string[] | undefined;
    requested_user_scopes?: string[] | undefined;
    state: ConnectionState;
    status: ConnectionStatus;
    status_reason: string | null;
    test_request_endpoint?: string | undefined;
    toolkit: {
        slug: string;
    };
    updated_at: string;
    user_id: string;
    word_id: string | null;
}

export interface ConnectedAccountPage {
    current_page: number;
    items: ConnectedAccount[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export declare class ConnectedAccounts extends Resource {
    completeAuth(body: shapes.CompleteAuthBody, options?: RequestOptions): ApiPromise<shapes.CompletedConnection>;
    create(body: shapes.CreateConnectedAccountBody, options?: RequestOptions): ApiPromise<shapes.CreatedConnectedAccount>;
    delete(id: string, query?: shapes.DeleteConnectedAccountQuery, options?: RequestOptions): ApiPromise<shapes.DeletedConnectedAccount>;
    disable(id: string, options?: RequestOptions): ApiPromise<shapes.ConnectionStatusChange>;
    enable(id: string, options?: RequestOptions): ApiPromise<shapes.ConnectionStatusChange>;
    get(id: string, options?: RequestOptions): ApiPromise<shapes.ConnectedAccountDetail>;
    link(body: shapes.LinkConnectedAccountBody, options?: RequestOptions): ApiPromise<shapes.ConnectionLink>;
    list(query?: shapes.ListConnectedAccountsQuery, options?: RequestOptions): PagePromise<shapes.ConnectedAccountPage>;
    refresh(id: string, body?: shapes.RefreshConnectedAccountBody, options?: RequestOptions): ApiPromise<shapes.RefreshedConnectedAccount>;
    revoke(id: string, options?: RequestOptions): ApiPromise<shapes.RevokedConnectedAccount>;
    update(id: string, body: shapes.UpdateConnectedAccountBody, options?: RequestOptions): ApiPromise<shapes.UpdatedConnectedAccount>;
    waitUntilActive(id: string, options?: WaitUntilActiveOptions): Promise<shapes.ConnectedAccountDetail>;
}

export interface ConnectionCredentialsPatch {
    api_key?: string | null | undefined;
    api_key_prefix?: string | null | undefined;
    application_id?: string | null | undefined;
    basic_encoded?: string | null | undefined;
    bearer_token?: string | null | undefined;
    credentials_json?: string | null | undefined;
    generic_api_key?: string | null | undefined;
    generic_id?: string | null | undefined;
    generic_secret?: string | null | undefined;
    generic_token?: string | null | undefined;
    installation_id?: string | null | undefined;
    password?: string | null | undefined;
    private_key?: string | null | undefined;
    token?: string | null | undefined;
    user_agent?: string | null | undefined;
    username?: string | null | undefined;
}

export declare class ConnectionError extends SvcError implements CallInfo {
    readonly attempts: number;
    readonly code: string | undefined;
    constructor(message: string, facts: CallInfo & {
        readonly phase: CallPhase;
        readonly code?: string | undefined;
        readonly cause?: Error | undefined;
    });
    readonly operation: string;
    readonly outcome: CallOutcome | undefined;
    readonly phase: CallPhase;
}

export interface ConnectionLink {
    connected_account_id: string;
    experimental?: ConnectionSharing | undefined;
    expires_at: string;
    link_token: string;
    redirect_url: string;
}

export type ConnectionNeed = "not_connected" | "unfinished" | "failed" | "expired" | "revoked";

export interface ConnectionPrefill {
    "your-domain"?: string | undefined | undefined;
    [key: string]: unknown;
    COMPANYDOMAIN?: string | undefined | undefined;
    access_token?: string | undefined;
    account_id?: string | undefined | undefined;
    account_url?: string | undefined | undefined;
    api_key?: string | undefined | undefined;
    api_url?: string | undefined | undefined;
    application_id?: string | undefined;
    base_url?: string | undefined | undefined;
    basic_encoded?: string | undefined | undefined;
    bearer_token?: string | undefined | undefined;
    borneo_dashboard_url?: string | undefined | undefined;
    client_id?: string | undefined;
    client_secret?: string | undefined;
    consumer_key?: string | undefined;
    credentials_json?: string | undefined;
    dc?: string | undefined | undefined;
    devKey?: string | undefined;
    domain?: string | undefined | undefined;
    expires_in?: number | string | null | undefined | undefined;
    extension?: string | undefined | undefined;
    form_api_base_url?: string | undefined | undefined;
    generic_api_key?: string | undefined | undefined;
    id_token?: string | undefined;
    installation_id?: string | undefined;
    instanceEndpoint?: string | undefined | undefined;
    instanceName?: string | undefined | undefined;
    long_redirect_url?: boolean | undefined | undefined;
    oauth_token?: string | undefined;
    oauth_token_secret?: string | undefined;
    oauth_verifier?: string | undefined;
    password?: string | undefined;
    private_key?: string | undefined;
    proxy_password?: string | undefined | undefined;
    proxy_username?: string | undefined | undefined;
    refresh_token?: string | null | undefined;
    region?: string | undefined | undefined;
    scope?: string | readonly string[] | null | undefined;
    server_location?: string | undefined | undefined;
    sessionId?: string | undefined;
    shop?: string | undefined | undefined;
    site_name?: string | undefined | undefined;
    state_prefix?: string | undefined | undefined;
    subdomain?: string | undefined | undefined;
    token?: string | undefined;
    token_type?: string | undefined | undefined;
    username?: string | undefined;
    version?: string | undefined | undefined;
    your_server?: string | undefined | undefined;
}

export interface ConnectionSharing {
    account_type: Open<"PRIVATE" | "SHARED">;
    acl_config_for_shared?: {
        allow_all_users: boolean;
        allowed_user_ids: string[];
        not_allowed_user_ids: string[];
    } | undefined;
}

export interface ConnectionSharingInput {
    account_type?: "PRIVATE" | "SHARED" | undefined;
    acl_config_for_shared?: SharedConnectionAcl | undefined;
}

export type ConnectionState = Oauth2State | DcrOauthState | S2sOauth2State | Oauth1State | ApiKeyState | BasicState | BasicWithJwtState | BearerTokenState | GoogleServiceAccountState | ServiceAccountState | BillcomAuthState | NoAuthState | CalcomAuthState | SamlState;

export declare class ConnectionStateError extends SvcError implements ConnectionStateInfo {
    readonly connectedAccountId: string;
    constructor(operation: string, facts: ConnectionStateInfo);
    readonly operation: string;
    readonly reason: string | undefined;
    readonly status: ConnectionStatus;
}

export interface ConnectionStateInfo {
    readonly connectedAccountId: string;
    readonly reason: string | undefined;
    readonly status: ConnectionStatus;
}

export type ConnectionStateInput = ConnectionState;

export type ConnectionStatus = Open<"INITIALIZING" | "INITIATED" | "ACTIVE" | "FAILED" | "EXPIRED" | "INACTIVE" | "REVOKED">;

export interface ConnectionStatusChange {
    success: boolean;
}

export declare class ContractMismatchError extends SvcError {
    constructor(operation: string, mismatches: readonly Mismatch[], outcome?: CallOutcome);
    readonly mismatches: readonly Mismatch[];
    readonly operation: string;
    readonly outcome: CallOutcome | undefined;
}

export interface CreateAuthConfigBody {
    auth_config?: ManagedAuthConfigInput | CustomAuthConfigInput | undefined;
    toolkit: {
        slug: string;
    };
}

export interface CreateConnectedAccountBody {
    auth_config: {
        id: string;
    };
    connection: {
        state?: ConnectionState | undefined;
        data?: Record<string, unknown> | undefined;
        user_id?: string | undefined;
        alias?: string | undefined;
        callback_url?: string | undefined;
        redirect_uri?: string | undefined;
        deprecated_is_v1_rerouted?: boolean | undefined;
        experimental?: ConnectionSharingInput | undefined;
    };
    validate_credentials?: boolean | undefined;
}

export interface CreateCustomMcpServerBody {
    allowed_tools?: readonly string[] | undefined;
    auth_config_ids?: readonly string[] | undefined;
    custom_tools?: readonly string[] | undefined;
    managed_auth_via_svc?: boolean | undefined;
    name: string;
    toolkits?: readonly string[] | undefined;
}

export interface CreateMcpInstanceBody {
    user_id: string;
}

export interface CreateMcpServerBody {
    allowed_tools?: readonly string[] | undefined;
    auth_config_ids: readonly string[];
    managed_auth_via_svc?: boolean | undefined;
    name: string;
    no_auth_apps?: readonly string[] | undefined;
}

export interface CreateProjectBody {
    config?: UpdateProjectConfigBody | undefined;
    name: string;
    should_create_api_key?: boolean | undefined;
}

export interface CreateToolRouterSessionBody {
    auth_configs?: Record<string, string> | undefined;
    connected_accounts?: Record<string, readonly string[] | string> | undefined;
    execute?: {
        enable_multi_execute?: boolean | undefined;
    } | undefined;
    experimental?: SessionExperiments | undefined;
    manage_connections?: SessionConnections | undefined;
    multi_account?: SessionMultiAccount | undefined;
    preload?: {
        tools: readonly string[] | "all";
    } | undefined;
    search?: {
        enable?: boolean | undefined;
    } | undefined;
    tags?: SessionTags | undefined;
    toolkits?: SessionToolkits | undefined;
    tools?: Record<string, SessionTools> | undefined;
    user_id: string;
    workbench?: SessionWorkbench | undefined;
}

export interface CreateWebhookEndpointBody {
    client_id: string;
    toolkit_slug: string;
}

export interface CreateWebhookSubscriptionBody {
    enabled_events: readonly EventType[];
    version?: "V3" | "V2" | "V1" | undefined;
    webhook_url: string;
}

export interface CreatedAuthConfig {
    auth_config: {
        id: string;
        auth_scheme: string;
        is_svc_managed: boolean;
        restrict_to_following_tools?: string[] | undefined;
    };
    toolkit: {
        slug: string;
    };
}

export interface CreatedConnectedAccount {
    connectionData: ConnectionState;
    deprecated?: {
        uuid: string;
        authConfigUuid: string;
    } | undefined;
    experimental?: ConnectionSharing | undefined;
    id: string;
    redirect_uri: string | null;
    redirect_url: string | null;
    status: ConnectionStatus;
}

export interface CreatedCustomMcpServer {
    allowed_tools: string[];
    auth_config_ids: string[];
    commands: {
        cursor: string;
        claude: string;
        windsurf: string;
    };
    id: string;
    mcp_url: string;
    name: string;
}

export interface CreatedProject {
    api_key: string | null;
    id: string;
    name?: string | undefined;
}

export type CredentialKind = "apiKey" | "userApiKey" | "orgApiKey" | "sessionCookie";

export interface CustomAuthConfigInput {
    authScheme: "OAUTH2" | "OAUTH1" | "API_KEY" | "BASIC" | "BILLCOM_AUTH" | "BEARER_TOKEN" | "GOOGLE_SERVICE_ACCOUNT" | "NO_AUTH" | "BASIC_WITH_JWT" | "CALCOM_AUTH" | "SERVICE_ACCOUNT" | "SAML" | "DCR_OAUTH" | "S2S_OAUTH2";
    credentials?: AuthConfigCredentials | undefined;
    is_enabled_for_tool_router?: boolean | undefined;
    name?: string | undefined;
    proxy_config?: ProxyConfig | null | undefined;
    restrict_to_following_tools?: readonly string[] | undefined;
    shared_credentials?: Record<string, unknown> | undefined;
    tool_access_config?: {
        tools_for_connected_account_creation?: readonly string[] | undefined;
    } | undefined;
    type: "use_custom_auth";
}

export interface CustomAuthParams {
    base_url?: string | undefined;
    body?: Record<string, unknown> | undefined;
    parameters?: readonly {
        name: string;
        in: "query" | "header";
        value: string | number;
    }[] | undefined;
}

export interface CustomConnectionData {
    authScheme: "OAUTH2" | "OAUTH1" | "API_KEY" | "BASIC" | "BEARER_TOKEN" | "GOOGLE_SERVICE_ACCOUNT" | "NO_AUTH" | "BASIC_WITH_JWT" | "SERVICE_ACCOUNT" | "DCR_OAUTH" | "S2S_OAUTH2";
    toolkitSlug: string;
    val: Record<string, unknown>;
}

export interface CustomDefinitions {
    custom_toolkits?: readonly CustomToolkit[] | undefined;
    custom_tools?: readonly CustomTool[] | undefined;
}

export interface CustomTool {
    description: string;
    extends_toolkit?: string | undefined;
    input_schema: CustomToolInputSchema;
    name: string;
    output_schema?: Record<string, unknown> | undefined;
    preload?: boolean | undefined;
    slug: string;
}

export interface CustomToolInputSchema {
    [key: string]: unknown;
    properties: Record<string, unknown>;
    type: "object";
}

export interface CustomToolkit {
    description: string;
    name: string;
    preload?: boolean | undefined;
    slug: string;
    tools: readonly CustomTool[];
}

export interface DcrOauthState {
    authScheme: "DCR_OAUTH";
    val: {
        status: "INITIALIZING";
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "FAILED";
        error?: string | undefined;
        error_description?: string | undefined;
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "EXPIRED";
        expired_at?: string | undefined;
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIATED";
        client_id: string;
        redirectUrl: string;
        client_secret?: string | undefined;
        client_id_issued_at?: number | undefined;
        client_secret_expires_at?: number | undefined;
        code_verifier?: string | undefined;
        callback_url?: string | undefined;
        finalRedirectUri?: string | undefined;
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "ACTIVE" | "INACTIVE";
        client_id: string;
        access_token: string;
        client_secret?: string | undefined;
        client_id_issued_at?: number | undefined;
        client_secret_expires_at?: number | undefined;
        id_token?: string | undefined;
        refresh_token?: string | null | undefined;
        token_type?: string | undefined;
        expires_in?: string | number | null | undefined;
        scope?: string[] | undefined | null | string;
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export interface DeleteAuthConfigQuery {
    revoke_on_delete?: boolean | null | undefined;
}

export interface DeleteConnectedAccountQuery {
    revoke_on_delete?: boolean | null | undefined;
}

export interface DeleteProjectQuery {
    revoke_on_delete?: boolean | null | undefined;
}

export interface DeletedAuthConfig {
    revoke_job_id?: string | undefined;
}

export interface DeletedConnectedAccount {
    revoke_job_id?: string | undefined;
    success: boolean;
}

export interface DeletedMcpInstance {
    deleted_connected_accounts?: number | null | undefined;
    message?: string | undefined;
}

export interface DeletedMcpServer {
    deleted: boolean;
    id: string;
}

export interface DeletedMountItem {
    mount_relative_path?: string | undefined;
    sandbox_mount_prefix?: string | undefined;
}

export interface DeletedProject {
    revoke_job_id?: string | undefined;
    status: Open<"success">;
}

export interface DeletedToolRouterSession {
    deleted: boolean;
    session_id: string;
}

export interface DeletedTrigger {
    trigger_id: string;
}

export interface DeletedWebhookSubscription {
    success: boolean;
}

export interface DeprecationEvent extends OfCall {
    readonly deprecation: string | undefined;
    readonly subject: string;
    readonly sunset: string | undefined;
    readonly type: "deprecation";
}

export interface DownloadableFile {
    mimetype?: string | undefined;
    name?: string | undefined;
    s3url: string;
}

export interface DownloadedFile {
    readonly bytes: ReturnType<typeof Uint8Array.of>;
    readonly mimetype: string | undefined;
}

export interface DriftEvent extends OfCall {
    readonly mismatches: readonly Mismatch[];
    readonly type: "drift";
}

export interface EmptyObject {
    [key: string]: never;
}

export interface Endpoint<Name extends string = string, Path extends string = string, Query = unknown, Body = unknown, Response = unknown> {
    readonly alreadyApplied?: {
        readonly statuses: readonly number[];
        data(params: ParametersIn<Path>): NoInfer<Response>;
    };
    readonly auth: readonly CredentialKind[];
    readonly body?: TypeMarker<Body>;
    readonly deprecated?: readonly string[];
    readonly hasSchemas?: true;
    readonly isLogged?: boolean;
    readonly items?: "logs" | "data";
    readonly method: HttpMethod;
    readonly name: Name;
    readonly noContent?: NoInfer<Response>;
    readonly path: Path;
    readonly query?: TypeMarker<Query>;
    readonly requiredFields?: readonly string[];
    readonly response: TypeMarker<Response>;
    readonly responseType?: "array";
    readonly retry: RetryClass;
    readonly schemaEndpoint?: AnyEndpoint;
    readonly takesEffect?: true;
    readonly version?: ToolVersionLocation;
}

export type EndpointInput<E extends AnyEndpoint> = EndpointPart<"params", keyof ParamsOf<E> extends never ? undefined : ParamsOf<E>> & EndpointPart<"query", QueryOf<E>> & EndpointPart<"body", BodyOf<E>>;

export type ErrorCondition = "invalid_api_key" | "no_authentication" | "invalid_organization_key" | "several_credentials" | "insufficient_permissions" | "tool_not_found" | "no_connected_account" | "session_only_tool" | "connected_account_not_found" | "auth_refresh_required" | "connected_account_not_active" | "trigger_not_found" | "trigger_instance_deleted";

export interface ExecuteMetaToolBody {
    arguments?: Record<string, unknown> | undefined;
    experimental?: CustomDefinitions | undefined;
    slug: "SVC_SEARCH_TOOLS" | "SVC_GET_TOOL_SCHEMAS" | "SVC_MULTI_EXECUTE_TOOL" | "SVC_MANAGE_CONNECTIONS" | "SVC_WAIT_FOR_CONNECTIONS" | "SVC_REMOTE_WORKBENCH" | "SVC_REMOTE_BASH_TOOL";
}

export interface ExecuteOptions extends RequestOptions {
    beforeSend?: ((call: StartingCall) => unknown) | undefined;
    effect?: "none" | undefined;
}

export interface ExecuteSessionToolBody {
    account?: string | undefined;
    arguments?: Record<string, unknown> | undefined;
    enable_auto_workbench_offload?: boolean | undefined;
    experimental?: CustomDefinitions | undefined;
    tool_slug: string;
}

export type ExecuteSessionToolBodyOf<Slug extends string> = {
    tool_slug: Slug;
} & (ToolCatalog extends Readonly<Record<Slug, infer Entry extends {
    arguments: unknown;
}>> ? Omit<shapes.ExecuteSessionToolBody, "tool_slug" | "arguments"> & ArgumentsOf<Entry> : Omit<shapes.ExecuteSessionToolBody, "tool_slug">);

export interface ExecuteToolBody {
    allow_tracing?: boolean | null | undefined;
    arguments?: Record<string, unknown> | undefined;
    connected_account_id?: string | undefined;
    custom_auth_params?: CustomAuthParams | undefined;
    custom_connection_data?: CustomConnectionData | undefined;
    entity_id?: string | undefined;
    text?: string | undefined;
    user_id?: string | undefined;
    version?: string | undefined;
}

export type ExecuteToolBodyOf<Slug extends string> = ToolCatalog extends Readonly<Record<Slug, infer Entry extends {
    arguments: unknown;
}>> ? Omit<shapes.ExecuteToolBody, "arguments" | "text"> & (WithArguments<Entry> | InWords) : shapes.ExecuteToolBody;

export interface ExecutionToSettle {
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly requestId?: string | undefined;
    readonly sessionId?: string | undefined;
    readonly startedAfter: Date;
    readonly toolSlug: string;
    readonly userId?: string | undefined;
}

export interface ExposedCustomDefinition {
    [key: string]: unknown;
    original_slug?: string | undefined;
    slug: string;
}

export interface FailureEvent extends OfAttempt {
    readonly code: string | undefined;
    readonly durationMs: number;
    readonly error: string;
    readonly phase: CallPhase;
    readonly type: "failure";
}

export type Fetch = ((request: Request) => Promise<Response>) & {
    readonly acceptsInit?: true | undefined;
};

export interface FileArgument {
    mimetype: string;
    name: string;
    s3key: string;
}

export interface FilePage {
    current_page: number;
    items: FileRecord[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export interface FileRecord {
    filename: string;
    md5: string;
    mimetype: string;
    tool_slug: string;
    toolkit_slug: string;
}

export interface FileUpload extends Omit<shapes.RequestUploadBody, "md5"> {
}

export interface FileUploadTarget {
    id: string;
    key: string;
    metadata: {
        storage_backend: Open<"s3" | "azure_blob_storage">;
    };
    newPresignedUrl: string;
    new_presigned_url: string;
    type: Open<"new">;
}

export declare class Files extends Resource {
    download(file: shapes.DownloadableFile | string, options?: RequestOptions): Promise<DownloadedFile>;
    list(query?: shapes.ListFilesQuery, options?: RequestOptions): PagePromise<shapes.FilePage>;
    requestUpload(body: shapes.RequestUploadBody, options?: RequestOptions): ApiPromise<shapes.FileUploadTarget>;
    upload(content: Blob | Uint8Array, file: FileUpload, options?: RequestOptions): Promise<shapes.FileArgument>;
}

export interface FoundToolSchema {
    description?: string | null | undefined;
    hasFullSchema?: boolean | null | undefined;
    input_schema?: Record<string, unknown> | null | undefined;
    output_schema?: Record<string, unknown> | null | undefined;
    schemaRef?: {
        tool: Open<"SVC_GET_TOOL_SCHEMAS">;
        args: {
            tool_slugs?: string[] | undefined;
        };
        message?: string | null | undefined;
    } | null | undefined;
    tool_slug: string;
    toolkit: string;
}

export interface GenerateInputBody {
    custom_description?: string | undefined;
    system_prompt?: string | undefined;
    text: string;
    version?: string | undefined;
}

export interface GenerateMcpUrlBody {
    connected_account_ids?: readonly string[] | undefined;
    managed_auth_by_svc?: boolean | undefined;
    mcp_server_id: string;
    user_ids?: readonly string[] | undefined;
}

export interface GeneratedInput {
    arguments?: Record<string, unknown> | undefined;
    error?: string | null | undefined;
}

export type GeneratedInputOf<Slug extends string> = ToolCatalog extends Readonly<Record<Slug, infer Entry extends {
    arguments: unknown;
}>> ? Omit<shapes.GeneratedInput, "arguments"> & Partial<Pick<Entry, "arguments">> : shapes.GeneratedInput;

export interface GetToolQuery {
    toolkit_versions?: string | Record<string, string> | null | undefined;
    version?: string | undefined;
}

export interface GetToolkitQuery {
    version?: string | undefined;
}

export interface GetTriggerTypeQuery {
    toolkit_versions?: string | Record<string, string> | null | undefined;
}

export interface GetWebhookEndpointSchemaQuery {
    toolkit_slug: string;
}

export interface GoogleServiceAccountState {
    authScheme: "GOOGLE_SERVICE_ACCOUNT";
    val: {
        status: "INITIATED";
        redirectUrl: string;
        svc_link_redirect_url?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "ACTIVE" | "INACTIVE";
        credentials_json: string;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIALIZING" | "FAILED" | "EXPIRED" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export type HttpMethod = (typeof METHODS)[number];

export declare class Integrations extends Resource {
    update(integrationId: string, body: UpdateIntegrationBody, options?: RequestOptions): ApiPromise<UpdatedIntegration>;
}

export interface LinkConnectedAccountBody {
    alias?: string | undefined;
    auth_config_id: string;
    callback_url?: string | undefined;
    connection_data?: ConnectionPrefill | undefined;
    experimental?: ConnectionSharingInput | undefined;
    user_id: string;
}

export interface LinkToolkitBody {
    alias?: string | undefined;
    callback_url?: string | undefined;
    experimental?: Record<string, unknown> | undefined;
    toolkit: string;
}

export interface LinkedToolkit {
    connected_account_id: string;
    experimental?: Record<string, unknown> | null | undefined;
    link_token: string;
    redirect_url: string;
}

export interface ListActiveTriggersQuery {
    authConfigIds?: readonly string[] | null | undefined;
    auth_config_ids?: readonly string[] | null | undefined;
    connectedAccountIds?: readonly string[] | null | undefined;
    connected_account_ids?: readonly string[] | null | undefined;
    cursor?: string | null | undefined;
    deprecatedAuthConfigUuids?: readonly string[] | null | undefined;
    deprecatedConnectedAccountUuids?: readonly string[] | null | undefined;
    limit?: number | null | undefined;
    showDisabled?: boolean | null | undefined;
    show_disabled?: boolean | null | undefined;
    triggerIds?: readonly string[] | null | undefined;
    triggerNames?: readonly string[] | null | undefined;
    trigger_ids?: readonly string[] | null | undefined;
    trigger_names?: readonly string[] | null | undefined;
    user_ids?: readonly string[] | null | undefined;
}

export interface ListAuthConfigsQuery {
    cursor?: string | null | undefined;
    deprecated_app_id?: string | undefined;
    deprecated_status?: string | undefined;
    is_svc_managed?: boolean | string | undefined;
    limit?: number | null | undefined;
    search?: string | undefined;
    show_disabled?: boolean | null | undefined;
    toolkit_slug?: string | undefined;
}

export interface ListConfigVersionsQuery {
    cursor?: string | null | undefined;
    limit?: number | undefined;
}

export interface ListConnectedAccountsQuery {
    account_type?: "PRIVATE" | "SHARED" | "ALL" | undefined;
    auth_config_ids?: readonly string[] | null | undefined;
    connected_account_ids?: readonly string[] | null | undefined;
    cursor?: string | null | undefined;
    limit?: number | null | undefined;
    order_by?: "created_at" | "updated_at" | undefined;
    order_direction?: "asc" | "desc" | undefined;
    statuses?: readonly ("INITIALIZING" | "INITIATED" | "ACTIVE" | "FAILED" | "EXPIRED" | "INACTIVE" | "REVOKED")[] | null | undefined;
    toolkit_slugs?: readonly string[] | null | undefined;
    user_ids?: readonly string[] | null | undefined;
}

export interface ListFilesQuery {
    cursor?: string | null | undefined;
    limit?: number | null | undefined;
    tool_slug?: string | undefined;
    toolkit_slug?: string | undefined;
}

export interface ListMcpInstancesQuery {
    limit?: number | null | undefined;
    order_by?: "created_at" | "updated_at" | undefined;
    order_direction?: "asc" | "desc" | undefined;
    page_no?: number | null | undefined;
    search?: string | undefined;
}

export interface ListMcpServersQuery {
    auth_config_ids?: string | undefined;
    limit?: number | null | undefined;
    name?: string | undefined;
    order_by?: "created_at" | "updated_at" | undefined;
    order_direction?: "asc" | "desc" | undefined;
    page_no?: number | null | undefined;
    toolkits?: string | undefined;
}

export interface ListMountItemsQuery {
    cursor?: string | null | undefined;
    limit?: number | undefined;
    mount_relative_prefix?: string | undefined;
}

export interface ListMyProjectsQuery {
    cursor?: string | null | undefined;
    limit?: number | null | undefined;
    list_all_org_projects?: boolean | null | undefined;
}

export interface ListNamedToolkitsBody {
    category?: string | undefined;
    cursor?: string | null | undefined;
    limit?: number | null | undefined;
    managed_by?: "project" | "all" | "svc" | undefined;
    sort_by?: "usage" | "alphabetically" | undefined;
    toolkits?: readonly string[] | undefined;
}

export interface ListOrganizationsQuery {
    cursor?: string | null | undefined;
    limit?: number | null | undefined;
}

export interface ListProjectsQuery {
    cursor?: string | null | undefined;
    limit?: number | null | undefined;
}

export interface ListToolExecutionLogsBody {
    cursor?: string | null | undefined;
    filters?: readonly ToolExecutionLogFilter[] | undefined;
    limit?: number | undefined;
    time_range?: {
        from: number;
        to: number;
    } | undefined;
}

export interface ListToolRouterToolkitsQuery {
    cursor?: string | null | undefined;
    is_connected?: boolean | null | undefined;
    limit?: number | undefined;
    search?: string | undefined;
    toolkits?: string | readonly string[] | null | undefined;
}

export interface ListToolRouterToolsQuery {
    cursor?: string | null | undefined;
    limit?: number | undefined;
}

export interface ListToolkitsQuery {
    category?: string | undefined;
    cursor?: string | null | undefined;
    include_deprecated?: boolean | null | undefined;
    limit?: number | null | undefined;
    managed_by?: "project" | "all" | "svc" | undefined;
    search?: string | undefined;
    sort_by?: "usage" | "alphabetically" | undefined;
    type?: "custom" | "all" | "native" | undefined;
}

export interface ListToolsQuery {
    auth_config_ids?: string | readonly string[] | undefined;
    cursor?: string | null | undefined;
    important?: "true" | "false" | undefined;
    include_deprecated?: boolean | undefined;
    limit?: number | null | undefined;
    query?: string | undefined;
    scopes?: readonly string[] | null | undefined;
    search?: string | undefined;
    tags?: readonly string[] | undefined;
    tool_slugs?: string | undefined;
    toolkit_slug?: string | undefined;
    toolkit_versions?: string | Record<string, string> | null | undefined;
}

export interface ListTriggerTypesQuery {
    cursor?: string | null | undefined;
    limit?: number | null | undefined;
    toolkit_slugs?: readonly string[] | null | undefined;
    toolkit_versions?: string | Record<string, string> | null | undefined;
}

export interface ListWebhookEndpointsQuery {
    toolkit_slug?: string | undefined;
}

export interface ListWebhookSubscriptionsQuery {
    cursor?: string | null | undefined;
    limit?: number | null | undefined;
}

export interface LockedTool {
    readonly hash: string;
    readonly text?: Readonly<Record<string, unknown>>;
    readonly textHash: string;
    readonly toolkit: string;
    readonly version: string;
}

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
    env?: object | undefined;
    level?: LogLevel | undefined;
    logger?: Logger | undefined;
}

export interface Logger {
    debug(message: string): void;
    info(message: string): void;
    warn(message: string): void;
}

export declare class Logs extends Resource {
    getToolExecution(id: string, options?: RequestOptions): ApiPromise<shapes.ToolExecutionLogDetail>;
    listToolExecutions(body?: shapes.ListToolExecutionLogsBody, options?: RequestOptions): PagePromise<shapes.ToolExecutionLogPage>;
}

export interface ManagedAuthConfigInput {
    credentials?: AuthConfigCredentials | undefined;
    is_enabled_for_tool_router?: boolean | undefined;
    name?: string | undefined;
    restrict_to_following_tools?: readonly string[] | undefined;
    shared_credentials?: Record<string, unknown> | undefined;
    tool_access_config?: {
        tools_for_connected_account_creation?: readonly string[] | undefined;
    } | undefined;
    type: "use_svc_managed_auth";
}

export declare class Mcp extends Resource {
    create(body: shapes.CreateMcpServerBody, options?: RequestOptions): ApiPromise<shapes.McpServer>;
    createCustom(body: shapes.CreateCustomMcpServerBody, options?: RequestOptions): ApiPromise<shapes.CreatedCustomMcpServer>;
    createInstance(serverId: string, body: shapes.CreateMcpInstanceBody, options?: RequestOptions): ApiPromise<shapes.McpInstance>;
    delete(id: string, options?: RequestOptions): ApiPromise<shapes.DeletedMcpServer>;
    deleteInstance(serverId: string, instanceId: string, options?: RequestOptions): ApiPromise<shapes.DeletedMcpInstance>;
    generateUrl(body: shapes.GenerateMcpUrlBody, options?: RequestOptions): ApiPromise<shapes.McpUrls>;
    get(id: string, options?: RequestOptions): ApiPromise<shapes.McpServer>;
    list(query?: shapes.ListMcpServersQuery, options?: RequestOptions): ApiPromise<shapes.McpServerPage>;
    listByApp(appKey: string, query?: shapes.ListMcpServersQuery, options?: RequestOptions): ApiPromise<shapes.McpServerPage>;
    listInstances(serverId: string, query?: shapes.ListMcpInstancesQuery, options?: RequestOptions): ApiPromise<shapes.McpInstancePage>;
    update(id: string, body: shapes.UpdateMcpServerBody, options?: RequestOptions): ApiPromise<shapes.McpServer>;
}

export interface McpInstance {
    created_at: string;
    id: string;
    instance_id: string;
    mcp_server_id: string;
    updated_at: string;
}

export interface McpInstancePage {
    current_page: number;
    instances: McpInstance[];
    server_id: string;
    server_name: string;
    total_pages: number;
}

export interface McpServer {
    allowed_tools: string[];
    auth_config_ids: string[];
    commands: {
        cursor: string;
        claude: string;
        windsurf: string;
    };
    created_at: string;
    deleted?: boolean | undefined;
    id: string;
    managed_auth_via_svc: boolean;
    mcp_url: string;
    name: string;
    server_instance_count: number;
    toolkit_icons: Record<string, string>;
    toolkits: string[];
    updated_at: string;
}

export interface McpServerPage {
    current_page: number;
    items: McpServer[];
    total_pages: number;
}

export interface McpUrls {
    connected_account_urls: string[];
    mcp_url: string;
    user_ids_url: string[];
}

export type Middleware = (call: CallContext, next: () => Promise<WithResponse<unknown>>) => Promise<WithResponse<unknown>>;

export declare class MiddlewareError extends SvcError {
    constructor(operation: string, cause: Error);
    readonly operation: string;
    readonly outcome: CallOutcome;
}

export interface Mismatch {
    readonly expected: string;
    readonly path: string;
    readonly received: string;
}

export declare class MissingCredentialError extends ConfigError {
}

export interface MountDownload {
    download_url: string;
    expires_at: string;
    mount_relative_path: string;
    sandbox_mount_prefix: string;
}

export interface MountItem {
    last_modified: string;
    mount_relative_path: string;
    sandbox_mount_prefix: string;
    size: number;
}

export interface MountItemPage {
    items: MountItem[];
    next_cursor?: string | null | undefined;
}

export interface MountPathBody {
    mount_relative_path: string;
}

export interface MountUpload {
    expires_at: string;
    mount_relative_path: string;
    sandbox_mount_prefix: string;
    upload_url: string;
}

export interface MountUploadBody {
    mimetype?: string | undefined;
    mount_relative_path: string;
}

export interface NoAuthState {
    authScheme: "NO_AUTH";
    val: {
        status: "FAILED";
        error?: string | undefined;
        error_description?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "EXPIRED";
        expired_at?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIALIZING" | "INITIATED" | "ACTIVE" | "INACTIVE" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export declare class NotFoundError extends ApiError {
}

export interface Oauth1State {
    authScheme: "OAUTH1";
    val: {
        status: "FAILED";
        error?: string | undefined;
        error_description?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "EXPIRED";
        expired_at?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIATED";
        oauth_token: string;
        oauth_token_secret: string;
        authUri: string;
        redirectUrl: string;
        callbackUrl?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "ACTIVE" | "INACTIVE";
        oauth_token: string;
        oauth_token_secret: string;
        oauth_verifier?: string | undefined;
        consumer_key?: string | undefined;
        redirectUrl?: string | undefined;
        callback_url?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIALIZING" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export interface Oauth2State {
    authScheme: "OAUTH2";
    val: {
        status: "INITIALIZING";
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIATED";
        redirectUrl: string;
        webhook_signature?: string | undefined;
        code_verifier?: string | undefined;
        callback_url?: string | undefined;
        finalRedirectUri?: string | undefined;
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "ACTIVE" | "INACTIVE";
        access_token: string;
        webhook_signature?: string | undefined;
        authed_user?: {
            access_token?: string | undefined;
            scope?: string | undefined;
        } | undefined;
        extra_token_data?: {
            [key: string]: unknown;
        } | undefined;
        id_token?: string | undefined;
        refresh_token?: string | null | undefined;
        token_type?: string | undefined;
        expires_in?: string | number | null | undefined;
        scope?: string[] | undefined | null | string;
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "FAILED";
        error?: string | undefined;
        error_description?: string | undefined;
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "EXPIRED";
        expired_at?: string | undefined;
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "REVOKED";
        revoked_at?: string | undefined;
        state_prefix?: string | undefined;
        long_redirect_url?: boolean | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export interface OrgMember {
    email: string;
    id: string;
    metadata: OrgMemberMetadata;
    name: string;
    role: string;
}

export interface OrgMemberMetadata extends Fields<{
    prefers_old_dashboard?: boolean | undefined;
    seen_flow_consumer?: boolean | undefined;
    seen_flow_developer?: boolean | undefined;
    seen_flow_cli?: boolean | undefined;
    seen_connect_announcement?: boolean | undefined;
    onboarding_platform?: Open<"consumer" | "developer"> | undefined;
} & {
    [key: string]: string | number | boolean;
}> {
}

export interface Organization {
    created_at?: string | undefined;
    id: string;
    name?: string | undefined;
    plan?: string | undefined;
    updated_at?: string | undefined;
}

export interface OrganizationList {
    current_page: number;
    next_cursor?: string | null | undefined;
    organizations: Organization[];
    total_items: number;
    total_pages: number;
}

export interface OrganizationUsageBody {
    filters?: {
        project_id?: readonly string[] | null | undefined;
        user_id?: readonly string[] | null | undefined;
        session_id?: readonly string[] | null | undefined;
    } | undefined;
    from?: number | undefined;
    group_by?: string | undefined;
    limit?: number | undefined;
    order_by?: "key" | "total_quantity" | "event_count" | undefined;
    order_direction?: "asc" | "desc" | undefined;
    to?: number | undefined;
}

export interface OrganizationUsageSummaryBody {
    entity_types?: readonly Open<"tool_calls" | "sessions">[] | undefined;
    filters?: {
        project_id?: readonly string[] | null | undefined;
        user_id?: readonly string[] | null | undefined;
        session_id?: readonly string[] | null | undefined;
    } | undefined;
    from?: number | undefined;
    to?: number | undefined;
}

export interface PagePromise<Page, Item = ItemOf<Page>> extends ApiPromise<Page & AsyncIterable<Item>>, AsyncIterable<Item> {
    pages(): AsyncIterableIterator<Page>;
    toArray(options?: ToArrayOptions): Promise<Item[]>;
}

export type ParamsOf<E extends AnyEndpoint> = ParametersIn<E["path"]>;

export declare class PermissionDeniedError extends ApiError {
}

export interface Project {
    created_at?: string | undefined;
    deleted?: boolean | undefined;
    email?: string | null | undefined;
    event_webhook_url?: string | null | undefined;
    id: string;
    is_new_webhook?: boolean | undefined;
    last_subscribed_at?: string | null | undefined;
    name: string;
    nano_id?: string | undefined;
    org_id?: string | undefined;
    triggers_enabled?: boolean | undefined;
    updated_at?: string | undefined;
    webhook_secret?: string | null | undefined;
    webhook_url?: string | null | undefined;
    webhook_version?: Open<"V3" | "V2" | "V1"> | null | undefined;
}

export interface ProjectApiKey {
    created_at: string;
    id: string;
    key: string;
    name: string;
}

export interface ProjectConfig {
    display_name?: string | null | undefined;
    is_2FA_enabled?: boolean | null | undefined;
    is_svc_link_enabled_for_managed_auth?: boolean | null | undefined;
    log_visibility_setting?: Open<"show_all" | "dont_store_data"> | null | undefined;
    logo_url?: string | null | undefined;
    mask_secret_keys_in_connected_account?: boolean | null | undefined;
    require_mcp_api_key?: boolean | null | undefined;
    signed_url_file_expiry_in_seconds?: number | null | undefined;
}

export interface ProjectDetail {
    api_keys: ProjectApiKey[];
    created_at?: string | undefined;
    deleted?: boolean | undefined;
    email?: string | null | undefined;
    event_webhook_url?: string | null | undefined;
    id: string;
    is_new_webhook?: boolean | undefined;
    last_subscribed_at?: string | null | undefined;
    name: string;
    nano_id?: string | undefined;
    org_id?: string | undefined;
    triggers_enabled?: boolean | undefined;
    updated_at?: string | undefined;
    webhook_secret?: string | null | undefined;
    webhook_url?: string | null | undefined;
    webhook_version?: Open<"V3" | "V2" | "V1"> | null | undefined;
}

export interface ProjectPage {
    current_page: number;
    data: Project[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export interface ProjectUsageBody {
    filters?: {
        user_id?: readonly string[] | null | undefined;
        session_id?: readonly string[] | null | undefined;
    } | undefined;
    from?: number | undefined;
    group_by?: string | undefined;
    limit?: number | undefined;
    order_by?: "key" | "total_quantity" | "event_count" | undefined;
    order_direction?: "asc" | "desc" | undefined;
    to?: number | undefined;
}

export interface ProjectUsageSummaryBody {
    entity_types?: readonly Open<"tool_calls" | "sessions">[] | undefined;
    filters?: {
        user_id?: readonly string[] | null | undefined;
        session_id?: readonly string[] | null | undefined;
    } | undefined;
    from?: number | undefined;
    to?: number | undefined;
}

export declare class Projects extends Resource {
    create(body: shapes.CreateProjectBody, options?: RequestOptions): ApiPromise<shapes.CreatedProject>;
    delete(id: string, query?: shapes.DeleteProjectQuery, options?: RequestOptions): ApiPromise<shapes.DeletedProject>;
    get(id: string, options?: RequestOptions): ApiPromise<shapes.ProjectDetail>;
    getConfig(options?: RequestOptions): ApiPromise<shapes.ProjectConfig>;
    list(query?: shapes.ListProjectsQuery, options?: RequestOptions): PagePromise<shapes.ProjectPage>;
    listMine(query?: shapes.ListMyProjectsQuery, options?: RequestOptions): PagePromise<shapes.ProjectPage>;
    listOrganizations(query?: shapes.ListOrganizationsQuery, options?: RequestOptions): ApiPromise<shapes.OrganizationList>;
    regenerateApiKey(id: string, options?: RequestOptions): ApiPromise<shapes.RegeneratedApiKey>;
    updateConfig(body: shapes.UpdateProjectConfigBody, options?: RequestOptions): ApiPromise<shapes.ProjectConfig>;
}

export interface ProxyConfig {
    proxy_auth_key?: string | undefined;
    proxy_url: string;
}

export interface ProxyRequestBody {
    binary_body?: {
        url: string;
        content_type?: string | undefined;
    } | {
        base64: string;
        content_type?: string | undefined;
    } | undefined;
    body?: unknown | undefined;
    connected_account_id?: string | undefined;
    custom_connection_data?: CustomConnectionData | undefined;
    endpoint: string;
    method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD";
    parameters?: readonly {
        name: string;
        value: string;
        type: "query" | "header";
    }[] | undefined;
}

export interface ProxyResponse {
    binary_data?: {
        url: string;
        content_type: string;
        size: number;
        expires_at?: string | undefined;
    } | undefined;
    data?: unknown | undefined;
    headers?: Record<string, string> | undefined;
    status: number;
}

export type QueryOf<E extends AnyEndpoint> = E extends Endpoint<string, string, infer Query, unknown, unknown> ? Query : never;

export interface RateLimit {
    readonly limit: number | undefined;
    readonly remaining: number | undefined;
    readonly windowMs: number | undefined;
}

export declare class RateLimitError extends ApiError {
    constructor(response: FailedResponse);
    readonly isServiceLimit: boolean;
    readonly rateLimit: RateLimit | undefined;
}

export interface RateLimitState {
    readonly inFlight: number;
    readonly isBlocked: boolean;
    readonly isShared: boolean;
    readonly queued: number;
    readonly remaining: number | undefined;
    readonly reported: RateLimit | undefined;
    readonly resetsInMs: number | undefined;
}

export interface RefreshConnectedAccountBody {
    redirect_url?: string | undefined;
    validate_credentials?: boolean | undefined;
}

export interface RefreshConnectedAccountQuery {
    redirect_url?: string | undefined;
}

export interface RefreshedConnectedAccount {
    id: string;
    redirect_url: string | null;
    status: ConnectionStatus;
}

export interface RegeneratedApiKey {
    api_key: ProjectApiKey;
    message: string;
}

export interface ReplaceWebhookEndpointBody {
    data: Record<string, string>;
}

export interface RequestEvent extends OfCall {
    readonly method: HttpMethod;
    readonly origin: string;
    readonly path: string;
    readonly tool: string | undefined;
    readonly type: "request";
}

export interface RequestOptions {
    deadlineMs?: number | undefined;
    headers?: Readonly<Record<string, string>> | undefined;
    maxRetries?: number | undefined;
    priority?: "normal" | "high" | undefined;
    signal?: AbortSignal | undefined;
    timeoutMs?: number | undefined;
}

export interface RequestUploadBody {
    filename: string;
    md5: string;
    mimetype: string;
    tool_slug: string;
    toolkit_slug: string;
}

export interface RequiredScopes {
    per_tool_requirements: {
        tool: string;
        scope_requirements: ScopeRequirements | null;
    }[];
    scopes_required: string[];
}

export interface RequiredScopesBody {
    tools: readonly string[];
    version?: string | undefined;
}

export declare class ResponseError extends SvcError implements CallInfo {
    readonly attempts: number;
    constructor(message: string, facts: CallInfo & {
        readonly status: number;
        readonly snippet?: string | undefined;
        readonly retryAfterMs?: number | undefined;
    });
    readonly operation: string;
    readonly outcome: CallOutcome | undefined;
    readonly retryAfterMs: number | undefined;
    readonly snippet: string | undefined;
    readonly status: number;
}

export interface ResponseEvent extends OfAttempt {
    readonly durationMs: number;
    readonly rateLimit: RateLimit | undefined;
    readonly requestId: string | undefined;
    readonly status: number;
    readonly type: "response";
}

export interface ResponseMeta {
    readonly alreadyApplied: boolean;
    readonly attempts: number;
    readonly headers: Headers;
    readonly mismatches: readonly Mismatch[];
    readonly operation: string;
    readonly rateLimit: RateLimit | undefined;
    readonly requestId: string | undefined;
    readonly status: number;
}

export type ResponseOf<E extends AnyEndpoint> = E extends Endpoint<string, string, unknown, unknown, infer Response> ? Response : never;

export interface ResultEvent extends OfCall {
    readonly attempts: number;
    readonly durationMs: number;
    readonly error: string | undefined;
    readonly outcome: CallOutcome | undefined;
    readonly status: number | undefined;
    readonly succeeded: boolean;
    readonly type: "result";
}

export declare class RetryBudget {
    earn(): void;
    spend(error: unknown): boolean;
    get tokens(): number;
}

export type RetryClass = "safe" | "idempotent" | "effect";

export interface RetryEvent extends OfCall {
    readonly attempt: number;
    readonly delayMs: number;
    readonly error: string;
    readonly status: number | undefined;
    readonly type: "retry";
}

export interface RevokeApiKeysBody {
    api_keys: readonly string[];
}

export interface RevokedApiKeys {
    received: true;
}

export interface RevokedConnectedAccount {
    connected_account: {
        id: string;
        status: ConnectionStatus;
    };
    revoked_tokens: Open<"refresh_token" | "access_token" | "credential">[];
}

export interface RotatedWebhookSecret {
    id: string;
    secret: string;
}

export interface S2sOauth2State {
    authScheme: "S2S_OAUTH2";
    val: {
        status: "ACTIVE" | "INACTIVE";
        access_token: string;
        client_id?: string | undefined;
        client_secret?: string | undefined;
        expires_at?: string | undefined;
        token_type?: string | undefined;
        expires_in?: string | number | null | undefined;
        scope?: string[] | undefined | null | string;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "FAILED";
        error?: string | undefined;
        error_description?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "EXPIRED";
        expired_at?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIALIZING" | "INITIATED" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export interface SamlState {
    authScheme: "SAML";
    val: {
        status: "FAILED";
        error?: string | undefined;
        error_description?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "EXPIRED";
        expired_at?: string | undefined;
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        status: "INITIALIZING" | "INITIATED" | "ACTIVE" | "INACTIVE" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export interface ScopeRequirements {
    all_of: (string | {
        any_of?: string[] | undefined;
    })[];
}

export interface SearchToolsBody {
    experimental?: CustomDefinitions | undefined;
    model?: string | undefined;
    queries: readonly {
        use_case: string;
        known_fields?: string | undefined;
    }[];
}

export declare class ServerError extends ApiError {
}

export interface ServiceAccountState {
    authScheme: "SERVICE_ACCOUNT";
    val: {
        status: "INITIALIZING" | "INITIATED" | "FAILED" | "EXPIRED" | "REVOKED";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    } | {
        application_id: string;
        installation_id: string;
        private_key: string;
        status: "ACTIVE" | "INACTIVE";
    } & CommonConnectionFields & {
        [key: string]: unknown;
    };
}

export declare class Session extends Resource {
    info(options?: RequestOptions): ApiPromise<SessionInfo>;
}

export interface SessionApiKey {
    auto_id: number;
    created_at: string;
    deleted: boolean;
    deleted_at: string | null;
    id: string;
    key: string;
    name: string;
    org_member_id: string;
    project_id: string;
    updated_at: string;
}

export interface SessionConnections {
    callback_url?: string | undefined;
    enable?: boolean | null | undefined;
    enable_connection_removal?: boolean | null | undefined;
    enable_wait_for_connections?: boolean | null | undefined;
}

export interface SessionExperiments {
    assistive_prompt_config?: {
        user_timezone?: string | undefined;
    } | undefined;
    custom_toolkits?: readonly CustomToolkit[] | undefined;
    custom_tools?: readonly CustomTool[] | undefined;
    link_url_overwrite?: string | undefined;
    permissions?: SessionPermissions | undefined;
}

export interface SessionInfo {
    api_key: SessionApiKey | null;
    org_member: OrgMember;
    project: SessionProject | null;
}

export declare class SessionMcp {
    get headers(): Readonly<Record<string, string>>;
    readonly type: ToolRouterSessionRecord["mcp"]["type"];
    readonly url: string;
}

export interface SessionMultiAccount {
    enable?: boolean | undefined;
    max_accounts_per_toolkit?: number | undefined;
    require_explicit_selection?: boolean | undefined;
}

export interface SessionPermissions {
    default?: "allow_all" | "ask_every_call" | "ask_once_per_session" | undefined;
    overrides?: Record<string, "always_allow" | "always_deny" | "ask_once" | "ask_always"> | undefined;
}

export interface SessionProject {
    auto_id: number;
    created_at: string;
    deleted: boolean;
    email: string;
    event_webhook_url: string | null;
    id: string;
    is_new_webhook: boolean;
    last_subscribed_at: string | null;
    name: string;
    nano_id: string;
    org: {
        id: string;
        name: string;
        plan: string;
    };
    org_id: string;
    triggers_enabled: boolean;
    updated_at: string;
    webhook_secret: string | null;
    webhook_url: string | null;
    webhook_version: Open<"V3" | "V2" | "V1">;
}

export interface SessionProxyBody {
    binary_body?: {
        url: string;
        content_type?: string | undefined;
    } | {
        base64: string;
        content_type?: string | undefined;
    } | undefined;
    body?: unknown | undefined;
    custom_connection_data?: CustomConnectionData | undefined;
    endpoint: string;
    method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD";
    parameters?: readonly {
        name: string;
        value: string;
        type: "query" | "header";
    }[] | undefined;
    toolkit_slug: string;
}

export type SessionTags = readonly ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint")[] | {
    enable?: readonly ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint")[] | undefined;
    disable?: readonly ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint")[] | undefined;
};

export interface SessionToolResult {
    data: Record<string, unknown>;
    error: string | null;
    log_id: string;
}

export type SessionToolResultOf<Slug extends string> = ToolCatalog extends Readonly<Record<Slug, infer Entry extends {
    data: unknown;
}>> ? ExecutedWith<Entry> | (shapes.SessionToolResult & {
    error: string;
}) : shapes.SessionToolResult;

export type SessionToolkits = {
    enable: readonly string[];
    disable?: never | undefined;
} | {
    disable: readonly string[];
    enable?: never | undefined;
};

export type SessionTools = {
    enable: readonly string[];
    disable?: never | undefined;
    tags?: never | undefined;
} | {
    disable: readonly string[];
    enable?: never | undefined;
    tags?: never | undefined;
} | {
    tags: SessionTags;
    enable?: never | undefined;
    disable?: never | undefined;
};

export interface SessionWorkbench {
    auto_offload_threshold?: number | undefined;
    enable?: boolean | undefined;
    enable_proxy_execution?: boolean | undefined;
    sandbox_size?: "standard" | "medium" | "large" | "xlarge" | undefined;
}

export interface SetConnectionStatusBody {
    enabled: boolean;
}

export interface SetTriggerStatusBody {
    status: "enable" | "disable";
}

export interface SettleOptions extends RequestOptions {
    deadlineMs?: number | undefined;
    exclusive?: boolean | undefined;
    loggedWithinMs?: number | undefined;
    pollMs?: number | undefined;
}

export type Settlement = {
    readonly outcome: "succeeded";
    readonly logId: string;
    readonly data: unknown;
} | {
    readonly outcome: "failed";
    readonly logId: string;
    readonly error: string | undefined;
    readonly data: unknown;
} | {
    readonly outcome: "not_run";
} | {
    readonly outcome: "unknown";
    readonly reason: UnsettledReason;
    readonly cause?: unknown;
};

export interface SharedConnectionAcl {
    allow_all_users?: boolean | undefined;
    allowed_user_ids?: readonly string[] | undefined;
    not_allowed_user_ids?: readonly string[] | undefined;
}

export interface SharedRateLimit {
    open(settings: PacerSettings): Pacer;
}

export interface StartingCall {
    readonly requestId: string | undefined;
    readonly signal: AbortSignal | undefined;
    readonly waitedMs: number;
}

export declare class Svc {
    readonly apiKeys: ApiKeys;
    readonly authConfigs: AuthConfigs;
    call<E extends AnyEndpoint>(endpoint: E, input: EndpointInput<E>, options?: RequestOptions): ApiPromise<ResponseOf<E>>;
    readonly connectedAccounts: ConnectedAccounts;
    constructor(options?: SvcOptions);
    readonly files: Files;
    readonly integrations: Integrations;
    readonly logs: Logs;
    readonly mcp: Mcp;
    readonly projects: Projects;
    get rateLimit(): RateLimitState;
    readonly session: Session;
    readonly toolRouter: ToolRouter;
    readonly toolkits: Toolkits;
    readonly tools: Tools;
    readonly triggers: Triggers;
    readonly usage: Usage;
    readonly webhookEndpoints: WebhookEndpoints;
    readonly webhookSubscriptions: WebhookSubscriptions;
}

export declare class SvcError extends Error {
    readonly [BRAND]: readonly string[];
    static [Symbol.hasInstance](value: unknown): boolean;
    constructor(message: string, options?: ErrorOptions);
    toJSON(): object;
}

export type SvcEvent = RequestEvent | WaitEvent | AttemptEvent | ResponseEvent | FailureEvent | RetryEvent | DriftEvent | DeprecationEvent | WarningEvent | ResultEvent;

export interface SvcOptions {
    allowInsecureHttp?: boolean | undefined;
    apiKey?: string | undefined;
    apiVersion?: "v3.1" | "v3" | undefined;
    baseUrl?: string | undefined;
    clock?: Clock | undefined;
    deadlineMs?: number | undefined;
    env?: object | undefined;
    fetch?: Fetch | undefined;
    headers?: Readonly<Record<string, string>> | undefined;
    maxBodyBytes?: number | undefined;
    maxRetries?: number | undefined;
    maxRetryDelayMs?: number | undefined;
    orgApiKey?: string | undefined;
    sessionCookie?: string | undefined;
    sharedRateLimit?: SharedRateLimit | undefined;
    timeoutMs?: number | undefined;
    toolVersions?: Readonly<Record<string, ToolVersion>> | undefined;
    toolkitVersions?: Readonly<Record<string, ToolVersion>> | undefined;
    use?: readonly Middleware[] | undefined;
    userApiKey?: string | undefined;
}

export declare class TimeoutError extends ConnectionError {
    constructor(facts: CallInfo & {
        readonly phase: CallPhase;
        readonly timeoutMs: number;
        readonly option: "timeoutMs" | "deadlineMs";
        readonly retryAfterMs?: number | undefined;
        readonly retryAt?: Date | undefined;
        readonly state?: string | undefined;
    });
    readonly option: "timeoutMs" | "deadlineMs";
    readonly retryAfterMs: number | undefined;
    readonly retryAt: Date | undefined;
    readonly timeoutMs: number;
}

export interface ToArrayOptions {
    max?: number | undefined;
}

export interface Tool {
    available_versions: string[];
    deprecated: {
        displayName: string;
        version: string;
        available_versions: string[];
        is_deprecated: boolean;
        toolkit: {
            logo: string;
        };
    };
    description: string;
    human_description?: string | undefined;
    input_parameters: Record<string, unknown>;
    is_deprecated: boolean;
    name: string;
    no_auth: boolean;
    output_parameters: Record<string, unknown>;
    scope_requirements: ScopeRequirements | null;
    scopes: string[];
    slug: string;
    tags: string[];
    toolkit: {
        slug: string;
        name: string;
        logo: string;
    };
    version: string;
}

export interface ToolAccessConfig {
    tools_available_for_execution?: string[] | undefined;
    tools_for_connected_account_creation?: string[] | undefined;
}

export interface ToolCatalog {
}

export interface ToolExecutionLog {
    id: string;
    level: Open<"info" | "error" | "warn">;
    message?: string | null | undefined;
    metadata: Record<string, unknown>;
    metrics: Record<string, unknown>;
    parent: {
        log_id?: string | undefined;
        tool_slug?: string | undefined;
    } | null;
    status: Open<"success" | "failed">;
    timestamp: string;
    type: string;
}

export interface ToolExecutionLogDetail {
    context: {
        session_id?: string | null | undefined;
        trace_id?: string | null | undefined;
        request_id?: string | null | undefined;
    };
    data: unknown;
    id: string;
    level: Open<"info" | "error" | "warn">;
    message?: string | null | undefined;
    metadata: Record<string, unknown>;
    metrics: Record<string, unknown>;
    parent: {
        log_id?: string | undefined;
        tool_slug?: string | undefined;
    } | null;
    source: {
        host?: string | null | undefined;
        framework?: string | null | undefined;
        language?: string | null | undefined;
    };
    status: Open<"success" | "failed">;
    timestamp: string;
    timings?: {
        start_time?: string | number | null | undefined;
        end_time?: string | number | null | undefined;
    } | null | undefined;
    type: string;
}

export interface ToolExecutionLogFilter {
    field: "toolkit_slug" | "status" | "user_id" | "auth_config_id" | "connected_account_id" | "tool_slug" | "session_id" | "sandbox_id" | "request_id" | "log_id";
    operator: "==" | "!=" | "contains" | "not_contains";
    value: string;
}

export interface ToolExecutionLogPage {
    logs: ToolExecutionLog[];
    next_cursor: string | null;
}

export interface ToolFailure {
    data: Record<string, unknown>;
    error: string | null;
    log_id?: string | undefined;
    session_info?: unknown | undefined;
    successful: false;
}

export interface ToolLock {
    readonly formatVersion: number;
    readonly toolkits: Readonly<Record<string, {
        readonly version: string;
    }>>;
    readonly tools: Readonly<Record<string, LockedTool>>;
}

export declare class ToolLockError extends ValidationError {
    constructor(operation: string, slug: string, lockedVersion: string | undefined, meant?: string, difference?: string);
    readonly lockedVersion: string | undefined;
    readonly slug: string;
}

export interface ToolLockOptions {
    rejectUnlocked?: boolean | undefined;
    trustHints?: boolean | undefined;
}

export interface ToolPage {
    current_page: number;
    items: Tool[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export type ToolResult = ToolSuccess | ToolFailure;

export type ToolResultOf<Slug extends string> = ToolCatalog extends Readonly<Record<Slug, infer Entry extends {
    data: unknown;
}>> ? ToolSuccessOf<Entry["data"]> | shapes.ToolFailure : shapes.ToolResult;

export declare class ToolRouter extends Resource {
    create(body: CreateToolRouterSessionBody, options?: RequestOptions): ApiPromise<ToolRouterSession>;
    get(sessionId: string, options?: RequestOptions): ApiPromise<ToolRouterSession>;
    use(sessionId: string): ToolRouterSessionHandle;
}

export interface ToolRouterConfig {
    auth_configs?: Record<string, string> | null | undefined;
    connected_accounts?: Record<string, string[] | string> | null | undefined;
    execute: {
        enable_multi_execute?: boolean | null | undefined;
    };
    experimental?: Record<string, unknown> | null | undefined;
    manage_connections?: {
        enabled?: boolean | null | undefined;
        callback_url?: string | null | undefined;
        enable_wait_for_connections?: boolean | null | undefined;
        enable_connection_removal?: boolean | null | undefined;
    } | null | undefined;
    multi_account?: {
        enable?: boolean | null | undefined;
        max_accounts_per_toolkit?: number | null | undefined;
        require_explicit_selection?: boolean | null | undefined;
    } | null | undefined;
    preload: {
        tools?: string[] | string | null | undefined;
    };
    search: {
        enable?: boolean | null | undefined;
    };
    tags?: {
        enabled?: Open<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint">[] | null | undefined;
        disabled?: Open<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint">[] | null | undefined;
    } | null | undefined;
    toolkits?: {
        enabled?: string[] | null | undefined;
        disabled?: string[] | null | undefined;
    } | null | undefined;
    tools?: Record<string, {
        enabled?: string[] | null | undefined;
        disabled?: string[] | null | undefined;
        tags?: {
            enabled?: Open<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint">[] | null | undefined;
            disabled?: Open<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint">[] | null | undefined;
        } | null | undefined;
    }> | null | undefined;
    user_id: string;
    workbench?: {
        enable?: boolean | null | undefined;
        proxy_execution_enabled?: boolean | null | undefined;
        auto_offload_threshold?: number | null | undefined;
        sandbox_size?: Open<"standard" | "medium" | "large" | "xlarge"> | null | undefined;
    } | null | undefined;
}

export declare class ToolRouterMount extends Resource {
    delete(body: shapes.MountPathBody, options?: RequestOptions): ApiPromise<shapes.DeletedMountItem>;
    downloadUrl(body: shapes.MountPathBody, options?: RequestOptions): ApiPromise<shapes.MountDownload>;
    readonly id: string;
    items(query?: shapes.ListMountItemsQuery, options?: RequestOptions): PagePromise<shapes.MountItemPage>;
    readonly sessionId: string;
    uploadUrl(body: shapes.MountUploadBody, options?: RequestOptions): ApiPromise<shapes.MountUpload>;
}

export declare class ToolRouterSession extends ToolRouterSessionHandle {
    get mcp(): SessionMcp;
    readonly record: shapes.ToolRouterSessionRecord;
}

export declare class ToolRouterSessionHandle extends Resource {
    [Symbol.asyncDispose](): Promise<void>;
    attach(body?: shapes.AttachToolRouterSessionBody, options?: RequestOptions): ApiPromise<ToolRouterSession>;
    configHistory(query?: shapes.ListConfigVersionsQuery, options?: RequestOptions): PagePromise<shapes.ConfigVersionPage>;
    delete(options?: RequestOptions): ApiPromise<shapes.DeletedToolRouterSession>;
    execute<Slug extends ToolSlug>(body: ExecuteSessionToolBodyOf<Slug>, options?: ExecuteOptions): ApiPromise<SessionToolResultOf<Slug>>;
    executeMeta(body: shapes.ExecuteMetaToolBody, options?: ExecuteOptions): ApiPromise<shapes.SessionToolResult>;
    get(options?: RequestOptions): ApiPromise<ToolRouterSession>;
    readonly id: string;
    link(body: shapes.LinkToolkitBody, options?: RequestOptions): ApiPromise<shapes.LinkedToolkit>;
    mounts(mountId?: string): ToolRouterMount;
    proxy(body: shapes.SessionProxyBody, options?: ExecuteOptions): ApiPromise<ProxyResponse>;
    search(body: shapes.SearchToolsBody, options?: RequestOptions): ApiPromise<shapes.ToolSearch>;
    settle(error: unknown, options?: SettleOptions): Promise<Settlement>;
    toolkits(query?: shapes.ListToolRouterToolkitsQuery, options?: RequestOptions): PagePromise<shapes.ToolRouterToolkitPage>;
    tools(query?: shapes.ListToolRouterToolsQuery, options?: RequestOptions): PagePromise<ToolPage>;
    update(body: shapes.UpdateToolRouterSessionBody, options?: RequestOptions): ApiPromise<ToolRouterSession>;
}

export interface ToolRouterSessionRecord {
    config: ToolRouterConfig;
    config_version?: number | undefined;
    experimental?: {
        assistive_prompt?: string | null | undefined;
        custom_toolkits?: ExposedCustomDefinition[] | null | undefined;
        custom_tools?: ExposedCustomDefinition[] | null | undefined;
    } | null | undefined;
    mcp: {
        type: Open<"http">;
        url: string;
    };
    session_id: string;
    tool_router_tools: string[];
    warnings?: {
        code: Open<"PRELOAD_TOOLS_HIGH_CONTEXT_USAGE">;
        message: string;
    }[] | null | undefined;
}

export interface ToolRouterToolkit {
    connected_account?: {
        id: string;
        user_id: string;
        status: string;
        created_at: string;
        auth_config: {
            id: string;
            auth_scheme: AuthScheme;
            is_svc_managed: boolean;
        };
    } | null | undefined;
    enabled: boolean;
    is_no_auth: boolean;
    meta: {
        logo?: string | undefined;
        description?: string | undefined;
    };
    name: string;
    slug: string;
    svc_managed_auth_schemes?: string[] | undefined;
}

export interface ToolRouterToolkitPage {
    current_page: number;
    items: ToolRouterToolkit[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export interface ToolSearch {
    error: string | null;
    next_steps_guidance: string[];
    results: ToolSearchResult[];
    session: {
        id: string;
        generate_id: unknown;
        instructions: string;
    };
    success: boolean;
    time_info: {
        current_time_utc: string;
        current_time_utc_epoch_seconds: number;
        message: string;
    };
    tool_schemas: Record<string, FoundToolSchema>;
    toolkit_connection_statuses: ToolkitConnectionStatus[];
}

export interface ToolSearchResult {
    difficulty?: string | null | undefined;
    error?: string | null | undefined;
    execution_guidance?: string | null | undefined;
    index: number;
    known_pitfalls?: string[] | null | undefined;
    memory?: Record<string, string[]> | null | undefined;
    plan_id?: string | null | undefined;
    primary_tool_slugs: string[];
    recommended_plan_steps?: string[] | null | undefined;
    reference_workbench_snippets?: {
        description?: string | null | undefined;
        code?: string | null | undefined;
    }[] | null | undefined;
    related_tool_slugs: string[];
    toolkits: string[];
    use_case: string;
}

export type ToolSlug = keyof ToolCatalog | OtherSlug;

export type ToolSlugs = string[];

export interface ToolSuccess {
    data: Record<string, unknown>;
    error?: null | undefined;
    log_id?: string | undefined;
    session_info?: unknown | undefined;
    successful: true;
}

export interface ToolSuccessOf<Data> extends Omit<shapes.ToolSuccess, "data"> {
    data: Data;
}

export type ToolVersion = "latest" | (string & {});

export type ToolVersionLocation = "toolkits_query" | "query" | "body" | "required_body";

export declare class ToolVersionRequiredError extends ValidationError {
    constructor(operation: string, toolSlug: string);
    readonly toolSlug: string;
}

export interface Toolkit {
    auth_guide_url?: string | null | undefined;
    auth_schemes?: string[] | undefined;
    deprecated: {
        toolkitId: string;
    };
    is_local_toolkit: boolean;
    meta: {
        categories: {
            id: string;
            name: string;
        }[];
        description: string;
        logo: string;
        app_url?: string | null | undefined;
        triggers_count: number;
        tools_count: number;
        version: string;
        created_at: string;
        updated_at: string;
    };
    name: string;
    no_auth?: boolean | undefined;
    slug: string;
    svc_managed_auth_schemes?: string[] | undefined;
    type?: Open<"custom" | "native"> | undefined;
}

export interface ToolkitCategory {
    id: string;
    name: string;
}

export interface ToolkitCategoryPage {
    current_page: number;
    items: ToolkitCategory[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export interface ToolkitChangelog {
    items: ToolkitChanges[];
}

export interface ToolkitChanges {
    display_name: string;
    name: string;
    slug: string;
    versions: {
        version: string;
        changelog: string;
    }[];
}

export interface ToolkitConnectionStatus {
    account_selection?: Open<"required"> | null | undefined;
    account_type?: Open<"PRIVATE" | "SHARED"> | null | undefined;
    accounts?: {
        id: string;
        alias?: string | null | undefined;
        user_info?: unknown | null | undefined;
        status: string;
        created_at: string;
        is_default: boolean;
        account_type?: Open<"PRIVATE" | "SHARED"> | null | undefined;
    }[] | null | undefined;
    connection_details?: unknown | null | undefined;
    current_user_info?: unknown | null | undefined;
    description: string;
    has_active_connection: boolean;
    status_message: string;
    toolkit: string;
}

export interface ToolkitDetail {
    auth_config_details?: AuthConfigDetails[] | undefined;
    auth_guide_url?: string | null | undefined;
    base_url?: string | undefined;
    deprecated: {
        toolkitId: string;
        getCurrentUserEndpoint?: string | undefined;
        rawProxyInfoByAuthSchemes: Record<string, unknown>[];
    };
    enabled: boolean;
    get_current_user_endpoint?: string | undefined;
    get_current_user_endpoint_method?: string | undefined;
    is_local_toolkit: boolean;
    meta: {
        categories: {
            name: string;
            slug: string;
        }[];
        available_versions: string[];
        description: string;
        logo: string;
        app_url?: string | null | undefined;
        triggers_count: number;
        tools_count: number;
        version: string;
        created_at: string;
        updated_at: string;
    };
    name: string;
    slug: string;
    svc_managed_auth?: {
        mode: string;
        scopes: {
            available: string[];
        };
        user_scopes?: {
            available: string[];
        } | undefined;
    }[] | undefined;
    svc_managed_auth_schemes?: string[] | undefined;
    type?: Open<"custom" | "native"> | undefined;
}

export interface ToolkitPage {
    current_page: number;
    items: Toolkit[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export declare class Toolkits extends Resource {
    get(slug: string, query?: shapes.GetToolkitQuery, options?: RequestOptions): ApiPromise<shapes.ToolkitDetail>;
    getChangelog(options?: RequestOptions): ApiPromise<shapes.ToolkitChangelog>;
    list(query?: shapes.ListToolkitsQuery, options?: RequestOptions): PagePromise<shapes.ToolkitPage>;
    listBySlugs(body?: shapes.ListNamedToolkitsBody, options?: RequestOptions): PagePromise<shapes.ToolkitPage>;
    listCategories(options?: RequestOptions): PagePromise<shapes.ToolkitCategoryPage>;
}

export declare class Tools extends Resource {
    execute<Slug extends ToolSlug>(toolSlug: Slug, body: ExecuteToolBodyOf<Slug>, options?: ExecuteOptions): ApiPromise<ToolResultOf<Slug>>;
    generateArguments<Slug extends ToolSlug>(toolSlug: Slug, body: shapes.GenerateInputBody, options?: RequestOptions): ApiPromise<GeneratedInputOf<Slug>>;
    get(toolSlug: ToolSlug, query?: shapes.GetToolQuery, options?: RequestOptions): ApiPromise<shapes.Tool>;
    getRequiredScopes(body: shapes.RequiredScopesBody, options?: RequestOptions): ApiPromise<shapes.RequiredScopes>;
    list(query?: shapes.ListToolsQuery, options?: RequestOptions): PagePromise<shapes.ToolPage>;
    listSlugs(options?: RequestOptions): ApiPromise<shapes.ToolSlugs>;
    proxy(body: shapes.ProxyRequestBody, options?: ExecuteOptions): ApiPromise<shapes.ProxyResponse>;
    settle(execution: ExecutionToSettle, options?: SettleOptions): Promise<Settlement>;
    settle(error: unknown, options?: SettleOptions): Promise<Settlement>;
    get toolVersions(): ReadonlyMap<string, string>;
}

export interface TriggerCatalog {
}

export interface TriggerInstance {
    connectedAccountId: string;
    connected_account_id: string;
    connected_account_uuid: string;
    deprecated?: {
        createdAt?: string | undefined;
    } | undefined;
    disabledAt: string | null;
    disabled_at: string | null;
    id: string;
    state: Record<string, unknown>;
    triggerConfig: Record<string, unknown>;
    triggerName: string;
    trigger_config: Record<string, unknown>;
    trigger_data?: string | undefined;
    trigger_name: string;
    updatedAt: string;
    updated_at: string;
    user_id: string;
    uuid?: string | undefined;
    version: string;
}

export interface TriggerInstancePage {
    current_page: number;
    items: TriggerInstance[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export type TriggerSlug = keyof TriggerCatalog | OtherSlug;

export interface TriggerStatusChange {
    status: Open<"success">;
}

export interface TriggerType {
    config: Record<string, unknown>;
    description: string;
    instructions: string;
    name: string;
    payload: Record<string, unknown>;
    requires_webhook_endpoint_setup?: boolean | undefined;
    slug: string;
    toolkit: {
        slug: string;
        name: string;
        logo: string;
    };
    type: Open<"webhook" | "poll">;
    version: string;
}

export interface TriggerTypePage {
    current_page: number;
    items: TriggerType[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export type TriggerTypeSlugs = string[];

export declare class Triggers extends Resource {
    delete(triggerId: string, options?: RequestOptions): ApiPromise<shapes.DeletedTrigger>;
    disable(triggerId: string, options?: RequestOptions): ApiPromise<shapes.TriggerStatusChange>;
    enable(triggerId: string, options?: RequestOptions): ApiPromise<shapes.TriggerStatusChange>;
    getType(slug: TriggerSlug, query?: shapes.GetTriggerTypeQuery, options?: RequestOptions): ApiPromise<shapes.TriggerType>;
    listActive(query?: shapes.ListActiveTriggersQuery, options?: RequestOptions): PagePromise<shapes.TriggerInstancePage>;
    listTypeSlugs(options?: RequestOptions): ApiPromise<shapes.TriggerTypeSlugs>;
    listTypes(query?: shapes.ListTriggerTypesQuery, options?: RequestOptions): PagePromise<shapes.TriggerTypePage>;
    upsert<Slug extends TriggerSlug>(slug: Slug, body: UpsertTriggerBodyOf<Slug>, options?: RequestOptions): ApiPromise<shapes.UpsertedTrigger>;
}

export interface TypeMarker<Value> {
    readonly [TYPE]?: Value;
}

export declare const USAGE_ENTITIES: readonly [
    "tool_calls",
    "sessions"
];

export declare class UnprocessableEntityError extends ApiError {
}

export type UnsettledReason = "not_traced" | "not_in_log" | "twins" | "no_payload" | "clock" | "log_unavailable";

export type UpdateAuthConfigBody = UpdateCustomAuthConfigBody | UpdateDefaultAuthConfigBody;

export interface UpdateConnectedAccountBody {
    alias?: string | undefined;
    connection?: {
        state?: {
            authScheme: "API_KEY" | "BASIC" | "BEARER_TOKEN" | "GOOGLE_SERVICE_ACCOUNT" | "BASIC_WITH_JWT" | "SERVICE_ACCOUNT";
            val: ConnectionCredentialsPatch;
        } | undefined;
    } | undefined;
    experimental?: {
        acl_config_for_shared?: SharedConnectionAcl | undefined;
    } | undefined;
}

export interface UpdateCustomAuthConfigBody {
    credentials?: AuthConfigCredentials | undefined;
    is_enabled_for_tool_router?: boolean | undefined;
    name?: string | undefined;
    proxy_config?: ProxyConfig | null | undefined;
    restrict_to_following_tools?: readonly string[] | undefined;
    shared_credentials?: Record<string, unknown> | undefined;
    tool_access_config?: {
        tools_for_connected_account_creation?: readonly string[] | undefined;
        tools_available_for_execution?: readonly string[] | undefined;
    } | undefined;
    type: "custom";
}

export interface UpdateDefaultAuthConfigBody {
    is_enabled_for_tool_router?: boolean | undefined;
    name?: string | undefined;
    restrict_to_following_tools?: readonly string[] | undefined;
    scopes?: string | readonly string[] | undefined;
    shared_credentials?: Record<string, unknown> | undefined;
    tool_access_config?: {
        tools_for_connected_account_creation?: readonly string[] | undefined;
        tools_available_for_execution?: readonly string[] | undefined;
    } | undefined;
    type: "default";
    user_scopes?: string | readonly string[] | undefined;
}

export interface UpdateIntegrationBody {
    authConfig?: Record<string, unknown> | undefined;
    enabled?: boolean | undefined;
}

export interface UpdateMcpServerBody {
    allowed_tools?: readonly string[] | undefined;
    auth_config_ids?: readonly string[] | undefined;
    managed_auth_via_svc?: boolean | undefined;
    name?: string | undefined;
    toolkits?: readonly string[] | undefined;
}

export interface UpdateProjectConfigBody {
    display_name?: string | undefined;
    is_2FA_enabled?: boolean | undefined;
    is_svc_link_enabled_for_managed_auth?: boolean | undefined;
    log_visibility_setting?: "show_all" | "dont_store_data" | undefined;
    logo_url?: string | undefined;
    mask_secret_keys_in_connected_account?: boolean | undefined;
    require_mcp_api_key?: boolean | undefined;
    signed_url_file_expiry_in_seconds?: number | undefined;
}

export interface UpdateToolRouterSessionBody {
    auth_configs?: Record<string, string> | undefined;
    connected_accounts?: Record<string, readonly string[] | string> | null | undefined;
    execute?: {
        enable_multi_execute?: boolean | undefined;
    } | undefined;
    experimental?: SessionExperiments | null | undefined;
    manage_connections?: SessionConnections | null | undefined;
    multi_account?: SessionMultiAccount | null | undefined;
    preload?: {
        tools: readonly string[] | "all";
    } | undefined;
    search?: {
        enable?: boolean | undefined;
    } | undefined;
    tags?: SessionTags | undefined;
    toolkits?: SessionToolkits | undefined;
    tools?: Record<string, SessionTools> | undefined;
    workbench?: SessionWorkbench | null | undefined;
}

export interface UpdateWebhookEndpointBody {
    data: Record<string, string>;
}

export interface UpdateWebhookSubscriptionBody {
    enabled_events?: readonly EventType[] | undefined;
    version?: "V3" | "V2" | "V1" | undefined;
    webhook_url?: string | undefined;
}

export interface UpdatedConnectedAccount {
    id: string;
    status: ConnectionStatus;
    success: boolean;
}

export interface UpdatedIntegration {
    status: Open<"success">;
}

export interface UpsertTriggerBody {
    connectedAuthId?: string | undefined;
    connected_account_id?: string | undefined;
    toolkit_versions?: string | Record<string, string> | null | undefined;
    triggerConfig?: Record<string, unknown> | undefined;
    trigger_config?: Record<string, unknown> | undefined;
    user_id?: string | undefined;
    version?: string | Record<string, string> | null | undefined;
}

export type UpsertTriggerBodyOf<Slug extends string> = TriggerCatalog extends Readonly<Record<Slug, {
    config: infer Config;
}>> ? Omit<shapes.UpsertTriggerBody, "trigger_config" | "triggerConfig"> & ConfigOf<Config> : shapes.UpsertTriggerBody;

export interface UpsertedTrigger {
    deprecated?: {
        uuid: string;
    } | undefined;
    trigger_id: string;
}

export declare class Usage extends Resource {
    getOrganization(entityType: shapes.UsageEntity, body?: shapes.OrganizationUsageBody, options?: RequestOptions): ApiPromise<shapes.UsageBreakdown>;
    getOrganizationSummary(body?: shapes.OrganizationUsageSummaryBody, options?: RequestOptions): ApiPromise<shapes.UsageSummary>;
    getProject(entityType: shapes.UsageEntity, body?: shapes.ProjectUsageBody, options?: RequestOptions): ApiPromise<shapes.UsageBreakdown>;
    getProjectSummary(body?: shapes.ProjectUsageSummaryBody, options?: RequestOptions): ApiPromise<shapes.UsageSummary>;
}

export interface UsageBreakdown {
    entity_type: Open<"tool_calls" | "sessions">;
    event_count: number;
    groups: {
        key: string;
        total_quantity: string;
        event_count: number;
    }[];
    total_quantity: string;
    unit: string;
}

export type UsageEntity = (typeof USAGE_ENTITIES)[number];

export interface UsageSummary {
    entities: Record<string, {
        unit: string;
        total_quantity: string;
        event_count: number;
    }>;
}

export declare class ValidationError extends SvcError {
    constructor(operation: string, message: string, mismatches?: readonly Mismatch[]);
    readonly mismatches: readonly Mismatch[];
    readonly operation: string;
    readonly outcome: "not_sent";
}

export interface WaitEvent extends OfCall {
    readonly expectedMs: number | undefined;
    readonly type: "wait";
}

export interface WaitUntilActiveOptions extends RequestOptions {
    deadlineMs?: number | undefined;
    pollMs?: number | undefined;
}

export interface WarningEvent extends OfCall {
    readonly message: string;
    readonly type: "warning";
}

export interface WebhookEndpoint {
    client_id: string | null;
    created_at: string;
    data: Record<string, string> | null;
    id: string;
    toolkit_slug: string;
    webhook_url: string;
}

export interface WebhookEndpointField {
    description?: string | undefined;
    display_name?: string | undefined;
    is_required?: boolean | undefined;
    is_secret?: boolean | undefined;
}

export interface WebhookEndpointList {
    items: WebhookEndpointSummary[];
}

export interface WebhookEndpointSchema {
    setup_fields?: Record<string, WebhookEndpointField> | undefined;
    toolkit_slug?: string | undefined;
}

export interface WebhookEndpointSummary {
    client_id: string | null;
    id: string;
    toolkit_slug: string;
}

export declare class WebhookEndpoints extends Resource {
    create(body: CreateWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint>;
    get(id: string, options?: RequestOptions): ApiPromise<WebhookEndpoint>;
    getSchema(query: GetWebhookEndpointSchemaQuery, options?: RequestOptions): ApiPromise<WebhookEndpointSchema>;
    list(query?: ListWebhookEndpointsQuery, options?: RequestOptions): ApiPromise<WebhookEndpointList>;
    replace(id: string, body: ReplaceWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint>;
    update(id: string, body: UpdateWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint>;
}

export interface WebhookEventTypeList {
    items: {
        event_type: EventType;
        description: string;
        supported_versions: Open<"V3" | "V2" | "V1">[];
    }[];
}

export interface WebhookSubscription {
    created_at: string;
    enabled_events: EventType[];
    id: string;
    secret: string;
    updated_at: string;
    version: Open<"V3" | "V2" | "V1">;
    webhook_url: string;
}

export interface WebhookSubscriptionPage {
    current_page: number;
    items: WebhookSubscription[];
    next_cursor?: string | null | undefined;
    total_items: number;
    total_pages: number;
}

export declare class WebhookSubscriptions extends Resource {
    create(body: shapes.CreateWebhookSubscriptionBody, options?: RequestOptions): ApiPromise<shapes.WebhookSubscription>;
    delete(id: string, options?: RequestOptions): ApiPromise<shapes.DeletedWebhookSubscription>;
    ensure(given: shapes.CreateWebhookSubscriptionBody, options?: RequestOptions): Promise<shapes.WebhookSubscription>;
    get(id: string, options?: RequestOptions): ApiPromise<shapes.WebhookSubscription>;
    list(query?: shapes.ListWebhookSubscriptionsQuery, options?: RequestOptions): PagePromise<shapes.WebhookSubscriptionPage>;
    listEventTypes(options?: RequestOptions): ApiPromise<shapes.WebhookEventTypeList>;
    rotateSecret(id: string, options?: RequestOptions): ApiPromise<shapes.RotatedWebhookSecret>;
    update(id: string, body: shapes.UpdateWebhookSubscriptionBody, options?: RequestOptions): ApiPromise<shapes.WebhookSubscription>;
}

export interface WithResponse<Data> {
    readonly data: Data;
    readonly meta: ResponseMeta;
}

export declare function canUseSharedConnection(acl: SharedConnectionAcl | null | undefined, { userId, creatorId }: {
    readonly userId: string;
    readonly creatorId: string;
}): boolean;

export declare function endpoint<const Name extends string, const Path extends string, Query = undefined, Body = undefined, Response = undefined>(facts: Endpoint<Name, Path, Query, Body, Response>): Endpoint<Name, Path, Query, Body, Response>;

export declare function logCalls(options?: LogOptions): Middleware;

export declare function mayHaveRun(error: unknown): boolean;

export declare function needsConnection(error: unknown): ConnectionNeed | undefined;

export declare function observe(listener: (event: SvcEvent) => void): Middleware;

export declare function parseConnectCallback(url: string | URL): ConnectCallback;

export declare function shareRetryBudget(budget?: Pick<RetryBudget, "spend" | "earn">): Middleware;

export declare const systemClock: Clock;

export declare function toolLock(lock: ToolLock, options?: ToolLockOptions): Middleware;

export declare function typed<Value>(): TypeMarker<Value>;

// Not exported, but exports are made of it.

type ArgumentsOf<Entry extends {
    arguments: unknown;
}> = Record<never, never> extends Entry["arguments"] ? Partial<Pick<Entry, "arguments">> : Pick<Entry, "arguments">;

export declare class AttemptFailure extends Error {
    readonly code: string | undefined;
    constructor(kind: FailureKind, phase: CallPhase, { cause, status, hasBegun }?: FailureFacts);
    readonly isLasting: boolean;
    readonly isUnsent: boolean;
    readonly kind: FailureKind;
    readonly phase: CallPhase;
    readonly rejected: "port" | "request" | undefined;
    readonly status: number | undefined;
    readonly words: string | undefined;
}

declare const BRAND: unique symbol;

export declare const COMMON_FIELDS: readonly [
    "subdomain",
    "your-domain",
    "region",
    "shop",
    "account_url",
    "COMPANYDOMAIN",
    "extension",
    "form_api_base_url",
    "instanceEndpoint",
    "api_url",
    "borneo_dashboard_url",
    "proxy_username",
    "proxy_password",
    "domain",
    "version",
    "dc",
    "site_name",
    "instanceName",
    "account_id",
    "your_server",
    "server_location",
    "base_url"
];

export declare class CallEnded extends Error {
    readonly by: "caller" | "deadline" | "limit";
    constructor(by: CallEnded["by"], retryAfterMs?: number);
    readonly retryAfterMs: number | undefined;
}

export interface CallObserver {
    attempted(result: Received | AttemptFailure): void;
    begin(): void;
    emit(happening: Happening): void;
    ended(failed: {
        readonly error: unknown;
    } | undefined): void;
    on(listener: (event: SvcEvent) => unknown): void;
    retrying(error: unknown, delayMs: number): void;
    sent(): void;
}

type ConfigOf<Config> = Record<never, never> extends Config ? {
    trigger_config?: Config;
} : {
    trigger_config: Config;
};

type EndpointPart<Key extends string, Value> = [
    Value
] extends [
    undefined
] ? {
    readonly [K in Key]?: undefined;
} : Record<never, never> extends Value ? {
    readonly [K in Key]?: Value | undefined;
} : {
    readonly [K in Key]: Value;
};

type ExecutedWith<Entry extends {
    data: unknown;
}> = Omit<shapes.SessionToolResult, "data" | "error"> & Pick<Entry, "data"> & {
    error: null;
};

export interface FailedResponse extends CallInfo {
    readonly headers: Readonly<Record<string, string>>;
    readonly isServiceLimit: boolean;
    readonly message?: string | undefined;
    readonly path: string;
    readonly rateLimit: RateLimit | undefined;
    readonly retryAfterMs: number | undefined;
    readonly retryAt: Date | undefined;
    readonly status: number;
    readonly text: string;
}

interface FailureFacts {
    readonly cause?: unknown;
    readonly hasBegun?: boolean;
    readonly status?: number | undefined;
}

export type FailureKind = "timeout" | "connection" | "too_large" | CallEnded["by"];

type Fields<Parts> = {
    [Key in keyof Parts]: Parts[Key];
};

export type Happening = SvcEvent extends infer Event ? Event extends SvcEvent ? Omit<Event, "callNumber" | "operation" | "at"> : never : never;

interface InWords extends Required<Pick<shapes.ExecuteToolBody, "text">> {
    arguments?: undefined;
}

export type ItemOf<Page> = Page extends {
    readonly items: readonly (infer Item)[];
} | {
    readonly logs: readonly (infer Item)[];
} | {
    readonly data: readonly (infer Item)[];
} ? Item : never;

declare const LOG_LEVELS: readonly [
    "off",
    "warn",
    "info",
    "debug"
];

declare const METHODS: readonly [
    "GET",
    "POST",
    "PATCH",
    "PUT",
    "DELETE"
];

export interface Observed extends CallContext, RunningCall {
    readonly retry: RetryClass;
    readonly retryBudget: CallContext["retryBudget"];
}

interface OfAttempt extends OfCall {
    readonly attempt: number;
}

interface OfCall {
    readonly at: number;
    readonly callNumber: number;
    readonly operation: string;
}

export type Open<Known extends string> = Known | (string & {});

type OtherSlug = CatalogSettings extends {
    strict: true;
} ? never : string & {};

export declare class Pacer {
    constructor({ clock, maxRetryDelayMs }: PacerSettings);
    done(slot: Slot, report: RateLimitReport | undefined): void;
    isCurrent({ own }: Slot): boolean;
    get state(): RateLimitState;
    take(priority: Priority | undefined, call: Waiting): Promise<Slot>;
    takeNow(): Slot | undefined;
}

export interface PacerSettings {
    readonly clock: Clock;
    readonly maxRetryDelayMs: number;
}

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Exclude<Name, "apiVersion"> | ParameterNames<Rest> : never;

type ParametersIn<Path extends string> = {
    readonly [Name in ParameterNames<Path>]: string;
};

export type Priority = "high" | "normal";

export interface RateLimitReport {
    readonly isRejected: boolean;
    readonly isServed: boolean;
    readonly rateLimit: RateLimit | undefined;
    readonly waitMs: number | undefined;
}

export declare class Received {
    add(piece: Uint8Array): void;
    constructor(response: Response, clock: Clock);
    end(): void;
    readonly headers: Headers;
    get isRejected(): boolean;
    readonly isServed: boolean;
    get isServiceLimit(): boolean;
    get outcome(): CallOutcome;
    readonly rateLimit: RateLimit | undefined;
    readonly retryAt: Date | undefined;
    readonly status: number;
    get text(): string;
    readonly waitMs: number | undefined;
}

export type Redact = (text: string) => string;

export declare class Resource {
}

export interface RunningCall {
    readonly attempts: number;
    readonly endpoint: AnyEndpoint;
    facts(): CallInfo;
    onSend(): void;
    readonly origin: string;
    readonly redact: Redact;
    readonly retry: RetryClass;
    readonly retryBudget: {
        spend(error: unknown): boolean;
    };
    readonly settings: {
        readonly clock: Clock;
        readonly maxBodyBytes: number;
        readonly maxRetryDelayMs: number;
        readonly fetch: Fetch | undefined;
        readonly apiVersion: string;
        readonly isLocal: boolean;
        readonly origin: string;
    };
    readonly signal: AbortSignal | undefined;
    readonly startedAt: number;
    timeLeft(): number;
    readonly timeoutMs: number;
}

export interface Slot {
    readonly own: number;
    readonly shared: number | undefined;
    readonly waitedMs: number;
}

declare const TYPE: unique symbol;

export interface Versions {
    readonly toolVersions: ReadonlyMap<string, string>;
    readonly toolkitVersions: ReadonlyMap<string, string>;
}

export interface Waiting {
    emit(waiting: {
        readonly type: "wait";
        readonly expectedMs: number | undefined;
    }): void;
    readonly signal: AbortSignal | undefined;
    timeLeft(): number;
}

type WithArguments<Entry extends {
    arguments: unknown;
}> = Pick<Entry, "arguments"> & {
    text?: undefined;
};
