// What svc-sdk/contract exports. Written by npm run docs:api; what changes here changes for users.

export interface CheckContractOptions {
    contract?: ContractChecker | undefined;
    onMismatch?: "report" | "throw" | ((report: MismatchReport) => void) | undefined;
}

export interface ContractChecker {
    check(operation: string, part: "query" | "body" | "response", value: unknown): readonly Mismatch[];
}

export type EndpointOf<Name extends OperationName> = (typeof byName)[Name]["endpoint"];

export interface MismatchReport {
    readonly mismatches: readonly Mismatch[];
    readonly operation: string;
}

export type Open<Known extends string> = Known | (string & {});

export interface OpenEnum<Known extends string> extends z.ZodMiniType<Open<Known>, Open<Known>> {
    readonly known: readonly Known[];
}

export interface Operation<E extends AnyEndpoint = AnyEndpoint> {
    readonly body: z.ZodMiniType | undefined;
    readonly endpoint: E;
    readonly headers: readonly string[];
    readonly query: z.ZodMiniType | undefined;
    readonly response: z.ZodMiniType;
    readonly spec: string;
    readonly status: SuccessStatus;
}

export type OperationName = keyof typeof byName;

export declare function checkContract(options?: CheckContractOptions): Middleware;

export declare const contract: ContractChecker;

export declare function openApiDocument(version: string): Record<string, unknown>;

export declare const operations: readonly Operation<EndpointOf<OperationName>>[];

export * from "../resources/api-keys/schema.zod.js";
export * from "../resources/auth-configs/schema.zod.js";
export * from "../resources/connected-accounts/schema.zod.js";
export * from "../resources/errors/schema.zod.js";
export * from "../resources/files/schema.zod.js";
export * from "../resources/integrations/schema.zod.js";
export * from "../resources/logs/schema.zod.js";
export * from "../resources/mcp/schema.zod.js";
export * from "../resources/projects/schema.zod.js";
export * from "../resources/session/schema.zod.js";
export { AUTH_SCHEMES, AuthScheme, EmptyObject } from "../resources/shared.zod.js";
export * from "../resources/tool-router/schema.zod.js";
export * from "../resources/toolkits/schema.zod.js";
export * from "../resources/tools/schema.zod.js";
export * from "../resources/triggers/schema.zod.js";
export * from "../resources/usage/schema.zod.js";
export * from "../resources/webhook-endpoints/schema.zod.js";
export * from "../resources/webhook-subscriptions/schema.zod.js";


// Not exported, but exports are made of it.

export declare const AUTH_SCHEMES: readonly [
    "OAUTH2",
    "OAUTH1",
    "API_KEY",
    "BASIC",
    "BILLCOM_AUTH",
    "BEARER_TOKEN",
    "GOOGLE_SERVICE_ACCOUNT",
    "NO_AUTH",
    "BASIC_WITH_JWT",
    "CALCOM_AUTH",
    "SERVICE_ACCOUNT",
    "SAML",
    "DCR_OAUTH",
    "S2S_OAUTH2"
];

export declare const AttachToolRouterSessionBody: z.ZodMiniType<AttachToolRouterSessionBody>;

export type AttachToolRouterSessionBody = PlainAttachToolRouterSessionBody;

export declare const AuthConfig: z.ZodMiniType<AuthConfig>;

export type AuthConfig = PlainAuthConfig;

export declare const AuthConfigPage: z.ZodMiniType<AuthConfigPage>;

export type AuthConfigPage = PlainAuthConfigPage;

export declare const AuthScheme: z.ZodMiniType<AuthScheme>;

export type AuthScheme = PlainAuthScheme;

export declare const CompleteAuthBody: z.ZodMiniType<CompleteAuthBody>;

export type CompleteAuthBody = PlainCompleteAuthBody;

export declare const CompletedConnection: z.ZodMiniType<CompletedConnection>;

export type CompletedConnection = PlainCompletedConnection;

export declare const ConfigVersionPage: z.ZodMiniType<ConfigVersionPage>;

export type ConfigVersionPage = PlainConfigVersionPage;

export declare const ConnectedAccountDetail: z.ZodMiniType<ConnectedAccountDetail>;

export type ConnectedAccountDetail = PlainConnectedAccountDetail;

export declare const ConnectedAccountPage: z.ZodMiniType<ConnectedAccountPage>;

export type ConnectedAccountPage = PlainConnectedAccountPage;

export declare const ConnectionLink: z.ZodMiniType<ConnectionLink>;

export type ConnectionLink = PlainConnectionLink;

export declare const ConnectionStatusChange: z.ZodMiniType<ConnectionStatusChange>;

export type ConnectionStatusChange = PlainConnectionStatusChange;

export declare const CreateAuthConfigBody: z.ZodMiniType<CreateAuthConfigBody>;

export type CreateAuthConfigBody = PlainCreateAuthConfigBody;

export declare const CreateConnectedAccountBody: z.ZodMiniType<CreateConnectedAccountBody>;

export type CreateConnectedAccountBody = PlainCreateConnectedAccountBody;

export declare const CreateCustomMcpServerBody: z.ZodMiniType<CreateCustomMcpServerBody>;

export type CreateCustomMcpServerBody = PlainCreateCustomMcpServerBody;

export declare const CreateMcpInstanceBody: z.ZodMiniType<CreateMcpInstanceBody>;

export type CreateMcpInstanceBody = PlainCreateMcpInstanceBody;

export declare const CreateMcpServerBody: z.ZodMiniType<CreateMcpServerBody>;

export type CreateMcpServerBody = PlainCreateMcpServerBody;

export declare const CreateProjectBody: z.ZodMiniType<CreateProjectBody>;

export type CreateProjectBody = PlainCreateProjectBody;

export declare const CreateToolRouterSessionBody: z.ZodMiniType<CreateToolRouterSessionBody>;

export type CreateToolRouterSessionBody = PlainCreateToolRouterSessionBody;

export declare const CreateWebhookEndpointBody: z.ZodMiniType<CreateWebhookEndpointBody>;

export type CreateWebhookEndpointBody = PlainCreateWebhookEndpointBody;

export declare const CreateWebhookSubscriptionBody: z.ZodMiniType<CreateWebhookSubscriptionBody>;

export type CreateWebhookSubscriptionBody = PlainCreateWebhookSubscriptionBody;

export declare const CreatedAuthConfig: z.ZodMiniType<CreatedAuthConfig>;

export type CreatedAuthConfig = PlainCreatedAuthConfig;

export declare const CreatedConnectedAccount: z.ZodMiniType<CreatedConnectedAccount>;

export type CreatedConnectedAccount = PlainCreatedConnectedAccount;

export declare const CreatedCustomMcpServer: z.ZodMiniType<CreatedCustomMcpServer>;

export type CreatedCustomMcpServer = PlainCreatedCustomMcpServer;

export declare const CreatedProject: z.ZodMiniType<CreatedProject>;

export type CreatedProject = PlainCreatedProject;

export declare const DeleteAuthConfigQuery: z.ZodMiniType<DeleteAuthConfigQuery>;

export type DeleteAuthConfigQuery = PlainDeleteAuthConfigQuery;

export declare const DeleteConnectedAccountQuery: z.ZodMiniType<DeleteConnectedAccountQuery>;

export type DeleteConnectedAccountQuery = PlainDeleteConnectedAccountQuery;

export declare const DeleteProjectQuery: z.ZodMiniType<DeleteProjectQuery>;

export type DeleteProjectQuery = PlainDeleteProjectQuery;

export declare const DeletedAuthConfig: z.ZodMiniType<DeletedAuthConfig>;

export type DeletedAuthConfig = PlainDeletedAuthConfig;

export declare const DeletedConnectedAccount: z.ZodMiniType<DeletedConnectedAccount>;

export type DeletedConnectedAccount = PlainDeletedConnectedAccount;

export declare const DeletedMcpInstance: z.ZodMiniType<DeletedMcpInstance>;

export type DeletedMcpInstance = PlainDeletedMcpInstance;

export declare const DeletedMcpServer: z.ZodMiniType<DeletedMcpServer>;

export type DeletedMcpServer = PlainDeletedMcpServer;

export declare const DeletedMountItem: z.ZodMiniType<DeletedMountItem>;

export type DeletedMountItem = PlainDeletedMountItem;

export declare const DeletedProject: z.ZodMiniType<DeletedProject>;

export type DeletedProject = PlainDeletedProject;

export declare const DeletedToolRouterSession: z.ZodMiniType<DeletedToolRouterSession>;

export type DeletedToolRouterSession = PlainDeletedToolRouterSession;

export declare const DeletedTrigger: z.ZodMiniType<DeletedTrigger>;

export type DeletedTrigger = PlainDeletedTrigger;

export declare const DeletedWebhookSubscription: z.ZodMiniType<DeletedWebhookSubscription>;

export type DeletedWebhookSubscription = PlainDeletedWebhookSubscription;

export declare const EmptyObject: z.ZodMiniType<EmptyObject>;

export type EmptyObject = PlainEmptyObject;

export declare const ExecuteMetaToolBody: z.ZodMiniType<ExecuteMetaToolBody>;

export type ExecuteMetaToolBody = PlainExecuteMetaToolBody;

export declare const ExecuteSessionToolBody: z.ZodMiniType<ExecuteSessionToolBody>;

export type ExecuteSessionToolBody = PlainExecuteSessionToolBody;

export declare const ExecuteToolBody: z.ZodMiniType<ExecuteToolBody>;

export type ExecuteToolBody = PlainExecuteToolBody;

export declare const FilePage: z.ZodMiniType<FilePage>;

export type FilePage = PlainFilePage;

export declare const FileUploadTarget: z.ZodMiniType<FileUploadTarget>;

export type FileUploadTarget = PlainFileUploadTarget;

export declare const GenerateInputBody: z.ZodMiniType<GenerateInputBody>;

export type GenerateInputBody = PlainGenerateInputBody;

export declare const GenerateMcpUrlBody: z.ZodMiniType<GenerateMcpUrlBody>;

export type GenerateMcpUrlBody = PlainGenerateMcpUrlBody;

export declare const GeneratedInput: z.ZodMiniType<GeneratedInput>;

export type GeneratedInput = PlainGeneratedInput;

export declare const GetToolQuery: z.ZodMiniType<GetToolQuery>;

export type GetToolQuery = PlainGetToolQuery;

export declare const GetToolkitQuery: z.ZodMiniType<GetToolkitQuery>;

export type GetToolkitQuery = PlainGetToolkitQuery;

export declare const GetTriggerTypeQuery: z.ZodMiniType<GetTriggerTypeQuery>;

export type GetTriggerTypeQuery = PlainGetTriggerTypeQuery;

export declare const GetWebhookEndpointSchemaQuery: z.ZodMiniType<GetWebhookEndpointSchemaQuery>;

export type GetWebhookEndpointSchemaQuery = PlainGetWebhookEndpointSchemaQuery;

export declare const LinkConnectedAccountBody: z.ZodMiniType<LinkConnectedAccountBody>;

export type LinkConnectedAccountBody = PlainLinkConnectedAccountBody;

export declare const LinkToolkitBody: z.ZodMiniType<LinkToolkitBody>;

export type LinkToolkitBody = PlainLinkToolkitBody;

export declare const LinkedToolkit: z.ZodMiniType<LinkedToolkit>;

export type LinkedToolkit = PlainLinkedToolkit;

export declare const ListActiveTriggersQuery: z.ZodMiniType<ListActiveTriggersQuery>;

export type ListActiveTriggersQuery = PlainListActiveTriggersQuery;

export declare const ListAuthConfigsQuery: z.ZodMiniType<ListAuthConfigsQuery>;

export type ListAuthConfigsQuery = PlainListAuthConfigsQuery;

export declare const ListConfigVersionsQuery: z.ZodMiniType<ListConfigVersionsQuery>;

export type ListConfigVersionsQuery = PlainListConfigVersionsQuery;

export declare const ListConnectedAccountsQuery: z.ZodMiniType<ListConnectedAccountsQuery>;

export type ListConnectedAccountsQuery = PlainListConnectedAccountsQuery;

export declare const ListFilesQuery: z.ZodMiniType<ListFilesQuery>;

export type ListFilesQuery = PlainListFilesQuery;

export declare const ListMcpInstancesQuery: z.ZodMiniType<ListMcpInstancesQuery>;

export type ListMcpInstancesQuery = PlainListMcpInstancesQuery;

export declare const ListMcpServersQuery: z.ZodMiniType<ListMcpServersQuery>;

export type ListMcpServersQuery = PlainListMcpServersQuery;

export declare const ListMountItemsQuery: z.ZodMiniType<ListMountItemsQuery>;

export type ListMountItemsQuery = PlainListMountItemsQuery;

export declare const ListMyProjectsQuery: z.ZodMiniType<ListMyProjectsQuery>;

export type ListMyProjectsQuery = PlainListMyProjectsQuery;

export declare const ListNamedToolkitsBody: z.ZodMiniType<ListNamedToolkitsBody>;

export type ListNamedToolkitsBody = PlainListNamedToolkitsBody;

export declare const ListOrganizationsQuery: z.ZodMiniType<ListOrganizationsQuery>;

export type ListOrganizationsQuery = PlainListOrganizationsQuery;

export declare const ListProjectsQuery: z.ZodMiniType<ListProjectsQuery>;

export type ListProjectsQuery = PlainListProjectsQuery;

export declare const ListToolExecutionLogsBody: z.ZodMiniType<ListToolExecutionLogsBody>;

export type ListToolExecutionLogsBody = PlainListToolExecutionLogsBody;

export declare const ListToolRouterToolkitsQuery: z.ZodMiniType<ListToolRouterToolkitsQuery>;

export type ListToolRouterToolkitsQuery = PlainListToolRouterToolkitsQuery;

export declare const ListToolRouterToolsQuery: z.ZodMiniType<ListToolRouterToolsQuery>;

export type ListToolRouterToolsQuery = PlainListToolRouterToolsQuery;

export declare const ListToolkitsQuery: z.ZodMiniType<ListToolkitsQuery>;

export type ListToolkitsQuery = PlainListToolkitsQuery;

export declare const ListToolsQuery: z.ZodMiniType<ListToolsQuery>;

export type ListToolsQuery = PlainListToolsQuery;

export declare const ListTriggerTypesQuery: z.ZodMiniType<ListTriggerTypesQuery>;

export type ListTriggerTypesQuery = PlainListTriggerTypesQuery;

export declare const ListWebhookEndpointsQuery: z.ZodMiniType<ListWebhookEndpointsQuery>;

export type ListWebhookEndpointsQuery = PlainListWebhookEndpointsQuery;

export declare const ListWebhookSubscriptionsQuery: z.ZodMiniType<ListWebhookSubscriptionsQuery>;

export type ListWebhookSubscriptionsQuery = PlainListWebhookSubscriptionsQuery;

export declare const McpInstance: z.ZodMiniType<McpInstance>;

export type McpInstance = PlainMcpInstance;

export declare const McpInstancePage: z.ZodMiniType<McpInstancePage>;

export type McpInstancePage = PlainMcpInstancePage;

export declare const McpServer: z.ZodMiniType<McpServer>;

export type McpServer = PlainMcpServer;

export declare const McpServerPage: z.ZodMiniType<McpServerPage>;

export type McpServerPage = PlainMcpServerPage;

export declare const McpUrls: z.ZodMiniType<McpUrls>;

export type McpUrls = PlainMcpUrls;

export declare const MountDownload: z.ZodMiniType<MountDownload>;

export type MountDownload = PlainMountDownload;

export declare const MountItemPage: z.ZodMiniType<MountItemPage>;

export type MountItemPage = PlainMountItemPage;

export declare const MountPathBody: z.ZodMiniType<MountPathBody>;

export type MountPathBody = PlainMountPathBody;

export declare const MountUpload: z.ZodMiniType<MountUpload>;

export type MountUpload = PlainMountUpload;

export declare const MountUploadBody: z.ZodMiniType<MountUploadBody>;

export type MountUploadBody = PlainMountUploadBody;

export declare const OrganizationList: z.ZodMiniType<OrganizationList>;

export type OrganizationList = PlainOrganizationList;

export declare const OrganizationUsageBody: z.ZodMiniType<OrganizationUsageBody>;

export type OrganizationUsageBody = PlainOrganizationUsageBody;

export declare const OrganizationUsageSummaryBody: z.ZodMiniType<OrganizationUsageSummaryBody>;

export type OrganizationUsageSummaryBody = PlainOrganizationUsageSummaryBody;

export declare const ProjectConfig: z.ZodMiniType<ProjectConfig>;

export type ProjectConfig = PlainProjectConfig;

export declare const ProjectDetail: z.ZodMiniType<ProjectDetail>;

export type ProjectDetail = PlainProjectDetail;

export declare const ProjectPage: z.ZodMiniType<ProjectPage>;

export type ProjectPage = PlainProjectPage;

export declare const ProjectUsageBody: z.ZodMiniType<ProjectUsageBody>;

export type ProjectUsageBody = PlainProjectUsageBody;

export declare const ProjectUsageSummaryBody: z.ZodMiniType<ProjectUsageSummaryBody>;

export type ProjectUsageSummaryBody = PlainProjectUsageSummaryBody;

export declare const ProxyRequestBody: z.ZodMiniType<ProxyRequestBody>;

export type ProxyRequestBody = PlainProxyRequestBody;

export declare const ProxyResponse: z.ZodMiniType<ProxyResponse>;

export type ProxyResponse = PlainProxyResponse;

export declare const RefreshConnectedAccountBody: z.ZodMiniType<RefreshConnectedAccountBody>;

export type RefreshConnectedAccountBody = PlainRefreshConnectedAccountBody;

export declare const RefreshConnectedAccountQuery: z.ZodMiniType<RefreshConnectedAccountQuery>;

export type RefreshConnectedAccountQuery = PlainRefreshConnectedAccountQuery;

export declare const RefreshedConnectedAccount: z.ZodMiniType<RefreshedConnectedAccount>;

export type RefreshedConnectedAccount = PlainRefreshedConnectedAccount;

export declare const RegeneratedApiKey: z.ZodMiniType<RegeneratedApiKey>;

export type RegeneratedApiKey = PlainRegeneratedApiKey;

export declare const ReplaceWebhookEndpointBody: z.ZodMiniType<ReplaceWebhookEndpointBody>;

export type ReplaceWebhookEndpointBody = PlainReplaceWebhookEndpointBody;

export declare const RequestUploadBody: z.ZodMiniType<RequestUploadBody>;

export type RequestUploadBody = PlainRequestUploadBody;

export declare const RequiredScopes: z.ZodMiniType<RequiredScopes>;

export type RequiredScopes = PlainRequiredScopes;

export declare const RequiredScopesBody: z.ZodMiniType<RequiredScopesBody>;

export type RequiredScopesBody = PlainRequiredScopesBody;

export declare const RevokeApiKeysBody: z.ZodMiniType<RevokeApiKeysBody>;

export type RevokeApiKeysBody = PlainRevokeApiKeysBody;

export declare const RevokedApiKeys: z.ZodMiniType<RevokedApiKeys>;

export type RevokedApiKeys = PlainRevokedApiKeys;

export declare const RevokedConnectedAccount: z.ZodMiniType<RevokedConnectedAccount>;

export type RevokedConnectedAccount = PlainRevokedConnectedAccount;

export declare const RotatedWebhookSecret: z.ZodMiniType<RotatedWebhookSecret>;

export type RotatedWebhookSecret = PlainRotatedWebhookSecret;

export declare const SearchToolsBody: z.ZodMiniType<SearchToolsBody>;

export type SearchToolsBody = PlainSearchToolsBody;

export declare const SessionInfo: z.ZodMiniType<SessionInfo>;

export type SessionInfo = PlainSessionInfo;

export declare const SessionProxyBody: z.ZodMiniType<SessionProxyBody>;

export type SessionProxyBody = PlainSessionProxyBody;

export declare const SessionToolResult: z.ZodMiniType<SessionToolResult>;

export type SessionToolResult = PlainSessionToolResult;

export declare const SetConnectionStatusBody: z.ZodMiniType<SetConnectionStatusBody>;

export type SetConnectionStatusBody = PlainSetConnectionStatusBody;

export declare const SetTriggerStatusBody: z.ZodMiniType<SetTriggerStatusBody>;

export type SetTriggerStatusBody = PlainSetTriggerStatusBody;

export type SuccessStatus = 200 | 201 | 204 | readonly [
    200,
    201
];

export declare const Tool: z.ZodMiniType<Tool>;

export type Tool = PlainTool;

export declare const ToolExecutionLogDetail: z.ZodMiniType<ToolExecutionLogDetail>;

export type ToolExecutionLogDetail = PlainToolExecutionLogDetail;

export declare const ToolExecutionLogPage: z.ZodMiniType<ToolExecutionLogPage>;

export type ToolExecutionLogPage = PlainToolExecutionLogPage;

export declare const ToolPage: z.ZodMiniType<ToolPage>;

export type ToolPage = PlainToolPage;

export declare const ToolResult: z.ZodMiniType<ToolResult>;

export type ToolResult = PlainToolResult;

export declare const ToolRouterSessionRecord: z.ZodMiniType<ToolRouterSessionRecord>;

export type ToolRouterSessionRecord = PlainToolRouterSessionRecord;

export declare const ToolRouterToolkitPage: z.ZodMiniType<ToolRouterToolkitPage>;

export type ToolRouterToolkitPage = PlainToolRouterToolkitPage;

export declare const ToolSearch: z.ZodMiniType<ToolSearch>;

export type ToolSearch = PlainToolSearch;

export declare const ToolkitCategoryPage: z.ZodMiniType<ToolkitCategoryPage>;

export type ToolkitCategoryPage = PlainToolkitCategoryPage;

export declare const ToolkitChangelog: z.ZodMiniType<ToolkitChangelog>;

export type ToolkitChangelog = PlainToolkitChangelog;

export declare const ToolkitDetail: z.ZodMiniType<ToolkitDetail>;

export type ToolkitDetail = PlainToolkitDetail;

export declare const ToolkitPage: z.ZodMiniType<ToolkitPage>;

export type ToolkitPage = PlainToolkitPage;

export declare const TriggerInstancePage: z.ZodMiniType<TriggerInstancePage>;

export type TriggerInstancePage = PlainTriggerInstancePage;

export declare const TriggerStatusChange: z.ZodMiniType<TriggerStatusChange>;

export type TriggerStatusChange = PlainTriggerStatusChange;

export declare const TriggerType: z.ZodMiniType<TriggerType>;

export type TriggerType = PlainTriggerType;

export declare const TriggerTypePage: z.ZodMiniType<TriggerTypePage>;

export type TriggerTypePage = PlainTriggerTypePage;

export declare const UpdateAuthConfigBody: z.ZodMiniType<UpdateAuthConfigBody>;

export type UpdateAuthConfigBody = PlainUpdateAuthConfigBody;

export declare const UpdateConnectedAccountBody: z.ZodMiniType<UpdateConnectedAccountBody>;

export type UpdateConnectedAccountBody = PlainUpdateConnectedAccountBody;

export declare const UpdateIntegrationBody: z.ZodMiniType<UpdateIntegrationBody>;

export type UpdateIntegrationBody = PlainUpdateIntegrationBody;

export declare const UpdateMcpServerBody: z.ZodMiniType<UpdateMcpServerBody>;

export type UpdateMcpServerBody = PlainUpdateMcpServerBody;

export declare const UpdateProjectConfigBody: z.ZodMiniType<UpdateProjectConfigBody>;

export type UpdateProjectConfigBody = PlainUpdateProjectConfigBody;

export declare const UpdateToolRouterSessionBody: z.ZodMiniType<UpdateToolRouterSessionBody>;

export type UpdateToolRouterSessionBody = PlainUpdateToolRouterSessionBody;

export declare const UpdateWebhookEndpointBody: z.ZodMiniType<UpdateWebhookEndpointBody>;

export type UpdateWebhookEndpointBody = PlainUpdateWebhookEndpointBody;

export declare const UpdateWebhookSubscriptionBody: z.ZodMiniType<UpdateWebhookSubscriptionBody>;

export type UpdateWebhookSubscriptionBody = PlainUpdateWebhookSubscriptionBody;

export declare const UpdatedConnectedAccount: z.ZodMiniType<UpdatedConnectedAccount>;

export type UpdatedConnectedAccount = PlainUpdatedConnectedAccount;

export declare const UpdatedIntegration: z.ZodMiniType<UpdatedIntegration>;

export type UpdatedIntegration = PlainUpdatedIntegration;

export declare const UpsertTriggerBody: z.ZodMiniType<UpsertTriggerBody>;

export type UpsertTriggerBody = PlainUpsertTriggerBody;

export declare const UpsertedTrigger: z.ZodMiniType<UpsertedTrigger>;

export type UpsertedTrigger = PlainUpsertedTrigger;

export declare const UsageBreakdown: z.ZodMiniType<UsageBreakdown>;

export type UsageBreakdown = PlainUsageBreakdown;

export declare const UsageSummary: z.ZodMiniType<UsageSummary>;

export type UsageSummary = PlainUsageSummary;

export declare const WebhookEndpoint: z.ZodMiniType<WebhookEndpoint>;

export type WebhookEndpoint = PlainWebhookEndpoint;

export declare const WebhookEndpointList: z.ZodMiniType<WebhookEndpointList>;

export type WebhookEndpointList = PlainWebhookEndpointList;

export declare const WebhookEndpointSchema: z.ZodMiniType<WebhookEndpointSchema>;

export type WebhookEndpointSchema = PlainWebhookEndpointSchema;

export declare const WebhookEventTypeList: z.ZodMiniType<WebhookEventTypeList>;

export type WebhookEventTypeList = PlainWebhookEventTypeList;

export declare const WebhookSubscription: z.ZodMiniType<WebhookSubscription>;

export type WebhookSubscription = PlainWebhookSubscription;

export declare const WebhookSubscriptionPage: z.ZodMiniType<WebhookSubscriptionPage>;

export type WebhookSubscriptionPage = PlainWebhookSubscriptionPage;

declare const byName: {
    "webhookSubscriptions.list": Operation<import("../index.js").Endpoint<"webhookSubscriptions.list", "/api/v3.1/webhook_subscriptions", shapes.ListWebhookSubscriptionsQuery, undefined, shapes.WebhookSubscriptionPage>>;
    "webhookSubscriptions.create": Operation<import("../index.js").Endpoint<"webhookSubscriptions.create", "/api/v3.1/webhook_subscriptions", undefined, shapes.CreateWebhookSubscriptionBody, shapes.WebhookSubscription>>;
    "webhookSubscriptions.get": Operation<import("../index.js").Endpoint<"webhookSubscriptions.get", "/api/v3.1/webhook_subscriptions/{id}", undefined, undefined, shapes.WebhookSubscription>>;
    "webhookSubscriptions.update": Operation<import("../index.js").Endpoint<"webhookSubscriptions.update", "/api/v3.1/webhook_subscriptions/{id}", undefined, shapes.UpdateWebhookSubscriptionBody, shapes.WebhookSubscription>>;
    "webhookSubscriptions.delete": Operation<import("../index.js").Endpoint<"webhookSubscriptions.delete", "/api/v3.1/webhook_subscriptions/{id}", undefined, undefined, shapes.DeletedWebhookSubscription>>;
    "webhookSubscriptions.rotateSecret": Operation<import("../index.js").Endpoint<"webhookSubscriptions.rotateSecret", "/api/v3.1/webhook_subscriptions/{id}/rotate_secret", undefined, undefined, shapes.RotatedWebhookSecret>>;
    "webhookSubscriptions.listEventTypes": Operation<import("../index.js").Endpoint<"webhookSubscriptions.listEventTypes", "/api/v3.1/webhook_subscriptions/event_types", undefined, undefined, shapes.WebhookEventTypeList>>;
    "webhookEndpoints.replace": Operation<import("../index.js").Endpoint<"webhookEndpoints.replace", "/api/{apiVersion}/webhook_endpoints/{nano_id}", undefined, shapes.ReplaceWebhookEndpointBody, shapes.WebhookEndpoint>>;
    "webhookEndpoints.list": Operation<import("../index.js").Endpoint<"webhookEndpoints.list", "/api/{apiVersion}/webhook_endpoints", shapes.ListWebhookEndpointsQuery, undefined, shapes.WebhookEndpointList>>;
    "webhookEndpoints.create": Operation<import("../index.js").Endpoint<"webhookEndpoints.create", "/api/{apiVersion}/webhook_endpoints", undefined, shapes.CreateWebhookEndpointBody, shapes.WebhookEndpoint>>;
    "webhookEndpoints.get": Operation<import("../index.js").Endpoint<"webhookEndpoints.get", "/api/{apiVersion}/webhook_endpoints/{nano_id}", undefined, undefined, shapes.WebhookEndpoint>>;
    "webhookEndpoints.update": Operation<import("../index.js").Endpoint<"webhookEndpoints.update", "/api/{apiVersion}/webhook_endpoints/{nano_id}", undefined, shapes.UpdateWebhookEndpointBody, shapes.WebhookEndpoint>>;
    "webhookEndpoints.getSchema": Operation<import("../index.js").Endpoint<"webhookEndpoints.getSchema", "/api/{apiVersion}/webhook_endpoints/schema", shapes.GetWebhookEndpointSchemaQuery, undefined, shapes.WebhookEndpointSchema>>;
    "usage.getOrganizationSummary": Operation<import("../index.js").Endpoint<"usage.getOrganizationSummary", "/api/v3.1/org/usage/summary", undefined, shapes.OrganizationUsageSummaryBody, shapes.UsageSummary>>;
    "usage.getOrganization": Operation<import("../index.js").Endpoint<"usage.getOrganization", "/api/v3.1/org/usage/{entity_type}", undefined, shapes.OrganizationUsageBody, shapes.UsageBreakdown>>;
    "usage.getProjectSummary": Operation<import("../index.js").Endpoint<"usage.getProjectSummary", "/api/v3.1/project/usage/summary", undefined, shapes.ProjectUsageSummaryBody, shapes.UsageSummary>>;
    "usage.getProject": Operation<import("../index.js").Endpoint<"usage.getProject", "/api/v3.1/project/usage/{entity_type}", undefined, shapes.ProjectUsageBody, shapes.UsageBreakdown>>;
    "triggers.delete": Operation<import("../index.js").Endpoint<"triggers.delete", "/api/v3.1/trigger_instances/manage/{triggerId}", undefined, undefined, shapes.DeletedTrigger>>;
    "triggers.setStatus": Operation<import("../index.js").Endpoint<"triggers.setStatus", "/api/v3.1/trigger_instances/manage/{triggerId}", undefined, shapes.SetTriggerStatusBody, shapes.TriggerStatusChange>>;
    "triggers.listTypes": Operation<import("../index.js").Endpoint<"triggers.listTypes", "/api/v3.1/triggers_types", shapes.ListTriggerTypesQuery, undefined, shapes.TriggerTypePage>>;
    "triggers.getType": Operation<import("../index.js").Endpoint<"triggers.getType", "/api/v3.1/triggers_types/{slug}", shapes.GetTriggerTypeQuery, undefined, shapes.TriggerType>>;
    "triggers.listTypeSlugs": Operation<import("../index.js").Endpoint<"triggers.listTypeSlugs", "/api/v3.1/triggers_types/list/enum", undefined, undefined, string[]>>;
    "triggers.upsert": Operation<import("../index.js").Endpoint<"triggers.upsert", "/api/v3.1/trigger_instances/{slug}/upsert", undefined, shapes.UpsertTriggerBody, shapes.UpsertedTrigger>>;
    "triggers.listActive": Operation<import("../index.js").Endpoint<"triggers.listActive", "/api/v3.1/trigger_instances/active", shapes.ListActiveTriggersQuery, undefined, shapes.TriggerInstancePage>>;
    "tools.get": Operation<import("../index.js").Endpoint<"tools.get", "/api/{apiVersion}/tools/{tool_slug}", shapes.GetToolQuery, undefined, shapes.Tool>>;
    "tools.execute": Operation<import("../index.js").Endpoint<"tools.execute", "/api/{apiVersion}/tools/execute/{tool_slug}", undefined, shapes.ExecuteToolBody, shapes.ToolResult>>;
    "tools.proxy": Operation<import("../index.js").Endpoint<"tools.proxy", "/api/{apiVersion}/tools/execute/proxy", undefined, shapes.ProxyRequestBody, shapes.ProxyResponse>>;
    "tools.list": Operation<import("../index.js").Endpoint<"tools.list", "/api/{apiVersion}/tools", shapes.ListToolsQuery, undefined, shapes.ToolPage>>;
    "tools.listSlugs": Operation<import("../index.js").Endpoint<"tools.listSlugs", "/api/{apiVersion}/tools/enum", undefined, undefined, string[]>>;
    "tools.generateArguments": Operation<import("../index.js").Endpoint<"tools.generateArguments", "/api/{apiVersion}/tools/execute/{tool_slug}/input", undefined, shapes.GenerateInputBody, shapes.GeneratedInput>>;
    "tools.getRequiredScopes": Operation<import("../index.js").Endpoint<"tools.getRequiredScopes", "/api/v3.1/tools/scopes/required", undefined, shapes.RequiredScopesBody, shapes.RequiredScopes>>;
    "toolkits.list": Operation<import("../index.js").Endpoint<"toolkits.list", "/api/{apiVersion}/toolkits", shapes.ListToolkitsQuery, undefined, shapes.ToolkitPage>>;
    "toolkits.get": Operation<import("../index.js").Endpoint<"toolkits.get", "/api/{apiVersion}/toolkits/{slug}", shapes.GetToolkitQuery, undefined, shapes.ToolkitDetail>>;
    "toolkits.listCategories": Operation<import("../index.js").Endpoint<"toolkits.listCategories", "/api/{apiVersion}/toolkits/categories", undefined, undefined, shapes.ToolkitCategoryPage>>;
    "toolkits.getChangelog": Operation<import("../index.js").Endpoint<"toolkits.getChangelog", "/api/{apiVersion}/toolkits/changelog", undefined, undefined, shapes.ToolkitChangelog>>;
    "toolkits.listBySlugs": Operation<import("../index.js").Endpoint<"toolkits.listBySlugs", "/api/{apiVersion}/toolkits/multi", undefined, shapes.ListNamedToolkitsBody, shapes.ToolkitPage>>;
    "toolRouter.search": Operation<import("../index.js").Endpoint<"toolRouter.search", "/api/{apiVersion}/tool_router/session/{session_id}/search", undefined, shapes.SearchToolsBody, shapes.ToolSearch>>;
    "toolRouter.toolkits": Operation<import("../index.js").Endpoint<"toolRouter.toolkits", "/api/{apiVersion}/tool_router/session/{session_id}/toolkits", shapes.ListToolRouterToolkitsQuery, undefined, shapes.ToolRouterToolkitPage>>;
    "toolRouter.tools": Operation<import("../index.js").Endpoint<"toolRouter.tools", "/api/{apiVersion}/tool_router/session/{session_id}/tools", shapes.ListToolRouterToolsQuery, undefined, shapes.ToolPage>>;
    "toolRouter.create": Operation<import("../index.js").Endpoint<"toolRouter.create", "/api/{apiVersion}/tool_router/session", undefined, shapes.CreateToolRouterSessionBody, shapes.ToolRouterSessionRecord>>;
    "toolRouter.get": Operation<import("../index.js").Endpoint<"toolRouter.get", "/api/{apiVersion}/tool_router/session/{session_id}", undefined, undefined, shapes.ToolRouterSessionRecord>>;
    "toolRouter.update": Operation<import("../index.js").Endpoint<"toolRouter.update", "/api/v3.1/tool_router/session/{session_id}", undefined, shapes.UpdateToolRouterSessionBody, shapes.ToolRouterSessionRecord>>;
    "toolRouter.delete": Operation<import("../index.js").Endpoint<"toolRouter.delete", "/api/v3.1/tool_router/session/{session_id}", undefined, undefined, shapes.DeletedToolRouterSession>>;
    "toolRouter.attach": Operation<import("../index.js").Endpoint<"toolRouter.attach", "/api/v3.1/tool_router/session/{session_id}/attach", undefined, shapes.AttachToolRouterSessionBody, shapes.ToolRouterSessionRecord>>;
    "toolRouter.configHistory": Operation<import("../index.js").Endpoint<"toolRouter.configHistory", "/api/v3.1/tool_router/session/{session_id}/config_history", shapes.ListConfigVersionsQuery, undefined, shapes.ConfigVersionPage>>;
    "toolRouter.execute": Operation<import("../index.js").Endpoint<"toolRouter.execute", "/api/{apiVersion}/tool_router/session/{session_id}/execute", undefined, shapes.ExecuteSessionToolBody, shapes.SessionToolResult>>;
    "toolRouter.proxy": Operation<import("../index.js").Endpoint<"toolRouter.proxy", "/api/{apiVersion}/tool_router/session/{session_id}/proxy_execute", undefined, shapes.SessionProxyBody, shapes.ProxyResponse>>;
    "toolRouter.link": Operation<import("../index.js").Endpoint<"toolRouter.link", "/api/{apiVersion}/tool_router/session/{session_id}/link", undefined, shapes.LinkToolkitBody, shapes.LinkedToolkit>>;
    "toolRouter.executeMeta": Operation<import("../index.js").Endpoint<"toolRouter.executeMeta", "/api/{apiVersion}/tool_router/session/{session_id}/execute_meta", undefined, shapes.ExecuteMetaToolBody, shapes.SessionToolResult>>;
    "toolRouter.mountItems": Operation<import("../index.js").Endpoint<"toolRouter.mountItems", "/api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/items", shapes.ListMountItemsQuery, undefined, shapes.MountItemPage>>;
    "toolRouter.mountUploadUrl": Operation<import("../index.js").Endpoint<"toolRouter.mountUploadUrl", "/api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/upload_url", undefined, shapes.MountUploadBody, shapes.MountUpload>>;
    "toolRouter.mountDownloadUrl": Operation<import("../index.js").Endpoint<"toolRouter.mountDownloadUrl", "/api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/download_url", undefined, shapes.MountPathBody, shapes.MountDownload>>;
    "toolRouter.mountDelete": Operation<import("../index.js").Endpoint<"toolRouter.mountDelete", "/api/{apiVersion}/tool_router/session/{session_id}/mounts/{mount_id}/delete", undefined, shapes.MountPathBody, shapes.DeletedMountItem>>;
    "session.info": Operation<import("../index.js").Endpoint<"session.info", "/api/v3/auth/session/info", undefined, undefined, shapes.SessionInfo>>;
    "projects.list": Operation<import("../index.js").Endpoint<"projects.list", "/api/{apiVersion}/org/owner/project/list", shapes.ListProjectsQuery, undefined, shapes.ProjectPage>>;
    "projects.create": Operation<import("../index.js").Endpoint<"projects.create", "/api/{apiVersion}/org/owner/project/new", undefined, shapes.CreateProjectBody, shapes.CreatedProject>>;
    "projects.get": Operation<import("../index.js").Endpoint<"projects.get", "/api/{apiVersion}/org/owner/project/{nano_id}", undefined, undefined, shapes.ProjectDetail>>;
    "projects.delete": Operation<import("../index.js").Endpoint<"projects.delete", "/api/{apiVersion}/org/owner/project/{nano_id}", shapes.DeleteProjectQuery, undefined, shapes.DeletedProject>>;
    "projects.regenerateApiKey": Operation<import("../index.js").Endpoint<"projects.regenerateApiKey", "/api/{apiVersion}/org/owner/project/{nano_id}/regenerate_api_key", undefined, undefined, shapes.RegeneratedApiKey>>;
    "projects.getConfig": Operation<import("../index.js").Endpoint<"projects.getConfig", "/api/{apiVersion}/org/project/config", undefined, undefined, shapes.ProjectConfig>>;
    "projects.updateConfig": Operation<import("../index.js").Endpoint<"projects.updateConfig", "/api/{apiVersion}/org/project/config", undefined, shapes.UpdateProjectConfigBody, shapes.ProjectConfig>>;
    "projects.listOrganizations": Operation<import("../index.js").Endpoint<"projects.listOrganizations", "/api/v3.1/org/list", shapes.ListOrganizationsQuery, undefined, shapes.OrganizationList>>;
    "projects.listMine": Operation<import("../index.js").Endpoint<"projects.listMine", "/api/v3.1/org/project/list", shapes.ListMyProjectsQuery, undefined, shapes.ProjectPage>>;
    "mcp.list": Operation<import("../index.js").Endpoint<"mcp.list", "/api/{apiVersion}/mcp/servers", shapes.ListMcpServersQuery, undefined, shapes.McpServerPage>>;
    "mcp.create": Operation<import("../index.js").Endpoint<"mcp.create", "/api/{apiVersion}/mcp/servers", undefined, shapes.CreateMcpServerBody, shapes.McpServer>>;
    "mcp.get": Operation<import("../index.js").Endpoint<"mcp.get", "/api/{apiVersion}/mcp/{id}", undefined, undefined, shapes.McpServer>>;
    "mcp.update": Operation<import("../index.js").Endpoint<"mcp.update", "/api/{apiVersion}/mcp/{id}", undefined, shapes.UpdateMcpServerBody, shapes.McpServer>>;
    "mcp.delete": Operation<import("../index.js").Endpoint<"mcp.delete", "/api/{apiVersion}/mcp/{id}", undefined, undefined, shapes.DeletedMcpServer>>;
    "mcp.createCustom": Operation<import("../index.js").Endpoint<"mcp.createCustom", "/api/{apiVersion}/mcp/servers/custom", undefined, shapes.CreateCustomMcpServerBody, shapes.CreatedCustomMcpServer>>;
    "mcp.generateUrl": Operation<import("../index.js").Endpoint<"mcp.generateUrl", "/api/{apiVersion}/mcp/servers/generate", undefined, shapes.GenerateMcpUrlBody, shapes.McpUrls>>;
    "mcp.listByApp": Operation<import("../index.js").Endpoint<"mcp.listByApp", "/api/{apiVersion}/mcp/app/{appKey}", shapes.ListMcpServersQuery, undefined, shapes.McpServerPage>>;
    "mcp.listInstances": Operation<import("../index.js").Endpoint<"mcp.listInstances", "/api/{apiVersion}/mcp/servers/{serverId}/instances", shapes.ListMcpInstancesQuery, undefined, shapes.McpInstancePage>>;
    "mcp.createInstance": Operation<import("../index.js").Endpoint<"mcp.createInstance", "/api/{apiVersion}/mcp/servers/{serverId}/instances", undefined, shapes.CreateMcpInstanceBody, shapes.McpInstance>>;
    "mcp.deleteInstance": Operation<import("../index.js").Endpoint<"mcp.deleteInstance", "/api/{apiVersion}/mcp/servers/{serverId}/instances/{instanceId}", undefined, undefined, shapes.DeletedMcpInstance>>;
    "logs.listToolExecutions": Operation<import("../index.js").Endpoint<"logs.listToolExecutions", "/api/v3.1/logs/tool_execution", undefined, shapes.ListToolExecutionLogsBody, shapes.ToolExecutionLogPage>>;
    "logs.getToolExecution": Operation<import("../index.js").Endpoint<"logs.getToolExecution", "/api/v3.1/logs/tool_execution/{id}", undefined, undefined, shapes.ToolExecutionLogDetail>>;
    "integrations.update": Operation<import("../index.js").Endpoint<"integrations.update", "/api/v1/integrations/{integrationId}", undefined, shapes.UpdateIntegrationBody, shapes.UpdatedIntegration>>;
    "files.list": Operation<import("../index.js").Endpoint<"files.list", "/api/{apiVersion}/files/list", shapes.ListFilesQuery, undefined, shapes.FilePage>>;
    "files.requestUpload": Operation<import("../index.js").Endpoint<"files.requestUpload", "/api/{apiVersion}/files/upload/request", undefined, shapes.RequestUploadBody, shapes.FileUploadTarget>>;
    "connectedAccounts.link": Operation<import("../index.js").Endpoint<"connectedAccounts.link", "/api/{apiVersion}/connected_accounts/link", undefined, shapes.LinkConnectedAccountBody, shapes.ConnectionLink>>;
    "connectedAccounts.list": Operation<import("../index.js").Endpoint<"connectedAccounts.list", "/api/{apiVersion}/connected_accounts", shapes.ListConnectedAccountsQuery, undefined, shapes.ConnectedAccountPage>>;
    "connectedAccounts.revoke": Operation<import("../index.js").Endpoint<"connectedAccounts.revoke", "/api/v3.1/connected_accounts/{nanoid}/revoke", undefined, undefined, shapes.RevokedConnectedAccount>>;
    "connectedAccounts.create": Operation<import("../index.js").Endpoint<"connectedAccounts.create", "/api/{apiVersion}/connected_accounts", undefined, shapes.CreateConnectedAccountBody, shapes.CreatedConnectedAccount>>;
    "connectedAccounts.get": Operation<import("../index.js").Endpoint<"connectedAccounts.get", "/api/{apiVersion}/connected_accounts/{nanoid}", undefined, undefined, shapes.ConnectedAccountDetail>>;
    "connectedAccounts.update": Operation<import("../index.js").Endpoint<"connectedAccounts.update", "/api/{apiVersion}/connected_accounts/{nanoid}", undefined, shapes.UpdateConnectedAccountBody, shapes.UpdatedConnectedAccount>>;
    "connectedAccounts.delete": Operation<import("../index.js").Endpoint<"connectedAccounts.delete", "/api/{apiVersion}/connected_accounts/{nanoid}", shapes.DeleteConnectedAccountQuery, undefined, shapes.DeletedConnectedAccount>>;
    "connectedAccounts.setStatus": Operation<import("../index.js").Endpoint<"connectedAccounts.setStatus", "/api/{apiVersion}/connected_accounts/{nanoId}/status", undefined, shapes.SetConnectionStatusBody, shapes.ConnectionStatusChange>>;
    "connectedAccounts.refresh": Operation<import("../index.js").Endpoint<"connectedAccounts.refresh", "/api/{apiVersion}/connected_accounts/{nanoid}/refresh", shapes.RefreshConnectedAccountQuery, shapes.RefreshConnectedAccountBody | undefined, shapes.RefreshedConnectedAccount>>;
    "connectedAccounts.completeAuth": Operation<import("../index.js").Endpoint<"connectedAccounts.completeAuth", "/api/v3.1/connected_accounts/complete_auth", undefined, shapes.CompleteAuthBody, shapes.CompletedConnection>>;
    "authConfigs.list": Operation<import("../index.js").Endpoint<"authConfigs.list", "/api/v3/auth_configs", shapes.ListAuthConfigsQuery, undefined, shapes.AuthConfigPage>>;
    "authConfigs.create": Operation<import("../index.js").Endpoint<"authConfigs.create", "/api/v3/auth_configs", undefined, shapes.CreateAuthConfigBody, shapes.CreatedAuthConfig>>;
    "authConfigs.get": Operation<import("../index.js").Endpoint<"authConfigs.get", "/api/v3/auth_configs/{nanoid}", undefined, undefined, shapes.AuthConfig>>;
    "authConfigs.update": Operation<import("../index.js").Endpoint<"authConfigs.update", "/api/v3/auth_configs/{nanoid}", undefined, shapes.UpdateAuthConfigBody, shapes.EmptyObject>>;
    "authConfigs.delete": Operation<import("../index.js").Endpoint<"authConfigs.delete", "/api/v3/auth_configs/{nanoid}", shapes.DeleteAuthConfigQuery, undefined, shapes.DeletedAuthConfig>>;
    "authConfigs.setStatus": Operation<import("../index.js").Endpoint<"authConfigs.setStatus", "/api/v3/auth_configs/{nanoid}/{status}", undefined, undefined, shapes.EmptyObject>>;
    "apiKeys.revoke": Operation<import("../index.js").Endpoint<"apiKeys.revoke", "/api/v3.1/api_key_revocation", undefined, shapes.RevokeApiKeysBody, shapes.RevokedApiKeys>>;
};
