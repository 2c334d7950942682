// The room of the contract: the shapes of every operation, checks of responses and of tools' arguments, and the OpenAPI
// document. `run-schema.ts` has the reports of toolsets to an emulator, which the service doesn't know. It imports the
// shapes and endpoints of `resources`, `json-schema`, and types of `client`. Start here, at the table of operations.

import { apiKeys } from "../resources/api-keys/endpoints.js";
import { authConfigs } from "../resources/auth-configs/endpoints.js";
import { connectedAccounts } from "../resources/connected-accounts/endpoints.js";
import { files } from "../resources/files/endpoints.js";
import { integrations } from "../resources/integrations/endpoints.js";
import { logs } from "../resources/logs/endpoints.js";
import { mcp } from "../resources/mcp/endpoints.js";
import { type Operation, operationsOf } from "../resources/operation.js";
import { projects } from "../resources/projects/endpoints.js";
import { session } from "../resources/session/endpoints.js";
import { toolRouter } from "../resources/tool-router/endpoints.js";
import { toolkits } from "../resources/toolkits/endpoints.js";
import { tools } from "../resources/tools/endpoints.js";
import { triggers } from "../resources/triggers/endpoints.js";
import { usage } from "../resources/usage/endpoints.js";
import { webhookEndpoints } from "../resources/webhook-endpoints/endpoints.js";
import { webhookSubscriptions } from "../resources/webhook-subscriptions/endpoints.js";
import * as shapes from "./shapes.js";

/** By name: the schemas of each operation, its section of the specification, and its status if that isn't 200. */
const byName = {
  ...operationsOf(apiKeys(), "assumption C8", {
    revoke: { body: shapes.RevokeApiKeysBody, response: shapes.RevokedApiKeys },
  }),
  ...operationsOf(authConfigs(), "Endpoints > Auth configs", {
    create: { status: 201, body: shapes.CreateAuthConfigBody, response: shapes.CreatedAuthConfig },
    list: { query: shapes.ListAuthConfigsQuery, response: shapes.AuthConfigPage },
    get: { response: shapes.AuthConfig },
    update: { body: shapes.UpdateAuthConfigBody, response: shapes.EmptyObject },
    delete: { query: shapes.DeleteAuthConfigQuery, response: shapes.DeletedAuthConfig },
    setStatus: { spec: "Resources > Auth config; assumption A7", response: shapes.EmptyObject },
  }),
  ...operationsOf(connectedAccounts(), "assumption C3", {
    list: {
      spec: "Resources > Connected account; assumption C3",
      query: shapes.ListConnectedAccountsQuery,
      response: shapes.ConnectedAccountPage,
    },
    create: { status: 201, body: shapes.CreateConnectedAccountBody, response: shapes.CreatedConnectedAccount },
    link: { status: 201, body: shapes.LinkConnectedAccountBody, response: shapes.ConnectionLink },
    get: { spec: "Resources > Connected account; assumption C3", response: shapes.ConnectedAccountDetail },
    update: {
      spec: "Connected account update",
      body: shapes.UpdateConnectedAccountBody,
      response: shapes.UpdatedConnectedAccount,
    },
    setStatus: { body: shapes.SetConnectionStatusBody, response: shapes.ConnectionStatusChange },
    refresh: {
      query: shapes.RefreshConnectedAccountQuery,
      body: shapes.OptionalRefreshBody,
      response: shapes.RefreshedConnectedAccount,
    },
    revoke: { response: shapes.RevokedConnectedAccount },
    delete: { query: shapes.DeleteConnectedAccountQuery, response: shapes.DeletedConnectedAccount },
    completeAuth: { body: shapes.CompleteAuthBody, response: shapes.CompletedConnection },
  }),
  ...operationsOf(files(), "assumption R7", {
    list: { query: shapes.ListFilesQuery, response: shapes.FilePage },
    requestUpload: { body: shapes.RequestUploadBody, response: shapes.FileUploadTarget },
  }),
  ...operationsOf(integrations(), "Legacy connector update", {
    update: { status: 204, body: shapes.UpdateIntegrationBody, response: shapes.UpdatedIntegration },
  }),
  ...operationsOf(logs(), "assumption R10", {
    listToolExecutions: { body: shapes.ListToolExecutionLogsBody, response: shapes.ToolExecutionLogPage },
    getToolExecution: { response: shapes.ToolExecutionLogDetail },
  }),
  ...operationsOf(mcp(), "assumption R8", {
    list: { query: shapes.ListMcpServersQuery, response: shapes.McpServerPage },
    create: { status: 201, body: shapes.CreateMcpServerBody, response: shapes.McpServer },
    createCustom: { status: 201, body: shapes.CreateCustomMcpServerBody, response: shapes.CreatedCustomMcpServer },
    generateUrl: { body: shapes.GenerateMcpUrlBody, response: shapes.McpUrls },
    get: { response: shapes.McpServer },
    update: { body: shapes.UpdateMcpServerBody, response: shapes.McpServer },
    delete: { response: shapes.DeletedMcpServer },
    listByApp: { query: shapes.ListMcpServersQuery, response: shapes.McpServerPage },
    listInstances: { query: shapes.ListMcpInstancesQuery, response: shapes.McpInstancePage },
    createInstance: { status: 201, body: shapes.CreateMcpInstanceBody, response: shapes.McpInstance },
    deleteInstance: { response: shapes.DeletedMcpInstance },
  }),
  ...operationsOf(projects(), "assumption R9", {
    create: { body: shapes.CreateProjectBody, response: shapes.CreatedProject },
    list: { query: shapes.ListProjectsQuery, response: shapes.ProjectPage },
    get: { response: shapes.ProjectDetail },
    delete: { query: shapes.DeleteProjectQuery, response: shapes.DeletedProject },
    regenerateApiKey: { response: shapes.RegeneratedApiKey },
    getConfig: { response: shapes.ProjectConfig },
    updateConfig: { body: shapes.UpdateProjectConfigBody, response: shapes.ProjectConfig },
    listOrganizations: { query: shapes.ListOrganizationsQuery, response: shapes.OrganizationList },
    listMine: { query: shapes.ListMyProjectsQuery, response: shapes.ProjectPage },
  }),
  ...operationsOf(session(), "Endpoints > Session", {
    info: { response: shapes.SessionInfo },
  }),
  ...operationsOf(toolRouter(), "assumption R1", {
    create: {
      spec: "What the service does; assumption R1",
      status: 201,
      body: shapes.CreateToolRouterSessionBody,
      response: shapes.ToolRouterSessionRecord,
    },
    get: { response: shapes.ToolRouterSessionRecord },
    update: { body: shapes.UpdateToolRouterSessionBody, response: shapes.ToolRouterSessionRecord },
    delete: { response: shapes.DeletedToolRouterSession },
    attach: {
      spec: "assumption R3",
      body: shapes.AttachToolRouterSessionBody,
      response: shapes.ToolRouterSessionRecord,
    },
    configHistory: { spec: "assumption R2", query: shapes.ListConfigVersionsQuery, response: shapes.ConfigVersionPage },
    search: { body: shapes.SearchToolsBody, response: shapes.ToolSearch },
    toolkits: {
      spec: "Resources > Tool-router toolkit list item",
      query: shapes.ListToolRouterToolkitsQuery,
      response: shapes.ToolRouterToolkitPage,
    },
    tools: {
      spec: "Resources > Tool; assumption R1",
      query: shapes.ListToolRouterToolsQuery,
      response: shapes.ToolPage,
    },
    execute: {
      spec: "What the service does; assumption R1",
      body: shapes.ExecuteSessionToolBody,
      response: shapes.SessionToolResult,
    },
    executeMeta: { body: shapes.ExecuteMetaToolBody, response: shapes.SessionToolResult },
    proxy: { body: shapes.SessionProxyBody, response: shapes.ProxyResponse },
    link: { spec: "assumptions R1 and R4", status: 201, body: shapes.LinkToolkitBody, response: shapes.LinkedToolkit },
    mountItems: { query: shapes.ListMountItemsQuery, response: shapes.MountItemPage },
    mountUploadUrl: { status: 201, body: shapes.MountUploadBody, response: shapes.MountUpload },
    mountDownloadUrl: { status: 201, body: shapes.MountPathBody, response: shapes.MountDownload },
    mountDelete: { body: shapes.MountPathBody, response: shapes.DeletedMountItem },
  }),
  ...operationsOf(toolkits(), "assumption A6", {
    list: {
      spec: "Resources > Pagination envelope; assumption A6",
      query: shapes.ListToolkitsQuery,
      response: shapes.ToolkitPage,
    },
    get: {
      spec: "What the service does; assumption A6",
      query: shapes.GetToolkitQuery,
      response: shapes.ToolkitDetail,
    },
    listCategories: { response: shapes.ToolkitCategoryPage },
    getChangelog: { response: shapes.ToolkitChangelog },
    listBySlugs: { body: shapes.ListNamedToolkitsBody, response: shapes.ToolkitPage },
  }),
  ...operationsOf(tools(), "Tool endpoints", {
    list: { query: shapes.ListToolsQuery, response: shapes.ToolPage },
    get: { query: shapes.GetToolQuery, response: shapes.Tool },
    listSlugs: { spec: "assumption A8", response: shapes.ToolSlugs },
    execute: { headers: ["x-llm-gateway-headers"], body: shapes.ExecuteToolBody, response: shapes.ToolResult },
    generateArguments: { body: shapes.GenerateInputBody, response: shapes.GeneratedInput },
    proxy: { spec: "assumption A8", body: shapes.ProxyRequestBody, response: shapes.ProxyResponse },
    getRequiredScopes: { body: shapes.RequiredScopesBody, response: shapes.RequiredScopes },
  }),
  ...operationsOf(triggers(), "Endpoints > Triggers; assumption C4", {
    listTypes: { query: shapes.ListTriggerTypesQuery, response: shapes.TriggerTypePage },
    getType: { query: shapes.GetTriggerTypeQuery, response: shapes.TriggerType },
    listTypeSlugs: { response: shapes.TriggerTypeSlugs },
    // 200 for an instance that existed, 201 for a new one.
    upsert: { status: [200, 201], body: shapes.UpsertTriggerBody, response: shapes.UpsertedTrigger },
    listActive: { query: shapes.ListActiveTriggersQuery, response: shapes.TriggerInstancePage },
    setStatus: { body: shapes.SetTriggerStatusBody, response: shapes.TriggerStatusChange },
    delete: { spec: "Endpoints > Triggers; assumption C5", response: shapes.DeletedTrigger },
  }),
  ...operationsOf(usage(), "assumption R11", {
    getOrganizationSummary: { body: shapes.OrganizationUsageSummaryBody, response: shapes.UsageSummary },
    getOrganization: { body: shapes.OrganizationUsageBody, response: shapes.UsageBreakdown },
    getProjectSummary: { body: shapes.ProjectUsageSummaryBody, response: shapes.UsageSummary },
    getProject: { body: shapes.ProjectUsageBody, response: shapes.UsageBreakdown },
  }),
  ...operationsOf(webhookEndpoints(), "assumption C7", {
    getSchema: { query: shapes.GetWebhookEndpointSchemaQuery, response: shapes.WebhookEndpointSchema },
    // 200 for an endpoint that existed, 201 for a new one.
    create: { status: [200, 201], body: shapes.CreateWebhookEndpointBody, response: shapes.WebhookEndpoint },
    list: { query: shapes.ListWebhookEndpointsQuery, response: shapes.WebhookEndpointList },
    get: { response: shapes.WebhookEndpoint },
    update: { body: shapes.UpdateWebhookEndpointBody, response: shapes.WebhookEndpoint },
    replace: { body: shapes.ReplaceWebhookEndpointBody, response: shapes.WebhookEndpoint },
  }),
  ...operationsOf(webhookSubscriptions(), "Endpoints > Webhook subscriptions; assumption C6", {
    create: { status: 201, body: shapes.CreateWebhookSubscriptionBody, response: shapes.WebhookSubscription },
    list: { query: shapes.ListWebhookSubscriptionsQuery, response: shapes.WebhookSubscriptionPage },
    get: { response: shapes.WebhookSubscription },
    update: { body: shapes.UpdateWebhookSubscriptionBody, response: shapes.WebhookSubscription },
    delete: { response: shapes.DeletedWebhookSubscription },
    rotateSecret: { response: shapes.RotatedWebhookSecret },
    listEventTypes: { response: shapes.WebhookEventTypeList },
  }),
};

/** The name of an operation: `authConfigs.get`. */
export type OperationName = keyof typeof byName;
/** The endpoint of an operation. */
export type EndpointOf<Name extends OperationName> = (typeof byName)[Name]["endpoint"];

/** Every operation of the contract. */
export const operations: readonly Operation<EndpointOf<OperationName>>[] = Object.values(byName);
