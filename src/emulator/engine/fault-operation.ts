// Written by node scripts/operations-page.ts, so that users' compilers don't read the contract.
/** The operation whose requests get a fault, or `*` for all. */
export type FaultOperation =
  | "*"
  | "apiKeys.revoke"
  | `authConfigs.${"create" | "list" | "get" | "update" | "delete" | "setStatus"}`
  | `connectedAccounts.${"list" | "create" | "link" | "get" | "update" | "setStatus" | "refresh" | "revoke" | "delete" | "completeAuth"}`
  | `files.${"list" | "requestUpload"}`
  | "integrations.update"
  | `logs.${"listToolExecutions" | "getToolExecution"}`
  | `mcp.${"list" | "create" | "createCustom" | "generateUrl" | "get" | "update" | "delete" | "listByApp" | "listInstances" | "createInstance" | "deleteInstance"}`
  | `projects.${"create" | "list" | "get" | "delete" | "regenerateApiKey" | "getConfig" | "updateConfig" | "listOrganizations" | "listMine"}`
  | "session.info"
  | `toolRouter.${"create" | "get" | "update" | "delete" | "attach" | "configHistory" | "search" | "toolkits" | "tools" | "execute" | "executeMeta" | "proxy" | "link" | "mountItems" | "mountUploadUrl" | "mountDownloadUrl" | "mountDelete"}`
  | `toolkits.${"list" | "get" | "listCategories" | "getChangelog" | "listBySlugs"}`
  | `tools.${"get" | "list" | "listSlugs" | "execute" | "generateArguments" | "proxy" | "getRequiredScopes"}`
  | `triggers.${"listTypes" | "getType" | "listTypeSlugs" | "upsert" | "listActive" | "setStatus" | "delete"}`
  | `usage.${"getOrganizationSummary" | "getOrganization" | "getProjectSummary" | "getProject"}`
  | `webhookEndpoints.${"getSchema" | "create" | "list" | "get" | "update" | "replace"}`
  | `webhookSubscriptions.${"create" | "list" | "get" | "update" | "delete" | "rotateSecret" | "listEventTypes"}`;
