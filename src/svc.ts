import { type ApiPromise, apiPromise } from "./client/api-promise.js";
import { Core, coreOf, holdCore } from "./client/client.js";
import { type AnyEndpoint, type EndpointInput, type ResponseOf, statedProblem } from "./client/endpoint.js";
import type { SvcOptions } from "./client/options/options.js";
import { resolveSettings } from "./client/options/settings.js";
import type { RateLimitState } from "./client/pacing/pacer.js";
import type { RequestOptions } from "./client/request-options.js";
import { ValidationError } from "./errors/local.js";
import { ApiKeys } from "./resources/api-keys/api-keys.js";
import { AuthConfigs } from "./resources/auth-configs/auth-configs.js";
import { ConnectedAccounts } from "./resources/connected-accounts/connected-accounts.js";
import { Files } from "./resources/files/files.js";
import { Integrations } from "./resources/integrations/integrations.js";
import { Logs } from "./resources/logs/logs.js";
import { Mcp } from "./resources/mcp/mcp.js";
import { Projects } from "./resources/projects/projects.js";
import { Session } from "./resources/session/session.js";
import { ToolRouter } from "./resources/tool-router/tool-router.js";
import { Toolkits } from "./resources/toolkits/toolkits.js";
import { Tools } from "./resources/tools/tools.js";
import { Triggers } from "./resources/triggers/triggers.js";
import { Usage } from "./resources/usage/usage.js";
import { WebhookEndpoints } from "./resources/webhook-endpoints/webhook-endpoints.js";
import { WebhookSubscriptions } from "./resources/webhook-subscriptions/webhook-subscriptions.js";

/**
 * The client.
 *
 * ```ts
 * const svc = new Svc(); // SVC_BASE_URL and SVC_API_KEY, from the environment; or new Svc({ baseUrl, apiKey })
 * ```
 *
 * It keeps no connection open and doesn't need to be closed. Create one and share it: its calls share one rate limit
 * and retry budget.
 */
export class Svc {
  /** Project, key and member behind the client's key. */
  readonly session: Session;
  /** Auth configs: how users authenticate with toolkits. */
  readonly authConfigs: AuthConfigs;
  /** Toolkits: the applications that tools are available for. */
  readonly toolkits: Toolkits;
  /** Tools: execute, list and describe them. */
  readonly tools: Tools;
  /** Legacy connectors, from before auth configs. */
  readonly integrations: Integrations;
  /** Revocation of leaked keys. */
  readonly apiKeys: ApiKeys;
  /** Users' authenticated connections. */
  readonly connectedAccounts: ConnectedAccounts;
  /** Files that tools accept and return. */
  readonly files: Files;
  /** Logs of tool executions. */
  readonly logs: Logs;
  /** MCP servers of the older kind. */
  readonly mcp: Mcp;
  /** Projects of an organization. */
  readonly projects: Projects;
  /** Agent sessions. */
  readonly toolRouter: ToolRouter;
  /** Trigger types and instances. */
  readonly triggers: Triggers;
  /** Usage and billing counters. */
  readonly usage: Usage;
  /** Inbound URLs for providers' events. */
  readonly webhookEndpoints: WebhookEndpoints;
  /** Webhook subscriptions: where events are delivered. */
  readonly webhookSubscriptions: WebhookSubscriptions;

  /** @throws {ConfigError} if options or variables are missing or invalid. Lists all problems. */
  constructor(options: SvcOptions = {}) {
    const core = new Core(resolveSettings(options));
    holdCore(this, core);
    this.session = new Session(core);
    this.authConfigs = new AuthConfigs(core);
    this.toolkits = new Toolkits(core);
    this.tools = new Tools(core);
    this.apiKeys = new ApiKeys(core);
    this.connectedAccounts = new ConnectedAccounts(core);
    this.files = new Files(core);
    this.logs = new Logs(core);
    this.mcp = new Mcp(core);
    this.projects = new Projects(core);
    this.toolRouter = new ToolRouter(core);
    this.triggers = new Triggers(core);
    this.usage = new Usage(core);
    this.webhookEndpoints = new WebhookEndpoints(core);
    this.webhookSubscriptions = new WebhookSubscriptions(core);
    this.integrations = new Integrations(core);
  }

  /** The client's current rate limit state: what the service reported, and whether calls are throttled. */
  get rateLimit(): RateLimitState {
    return coreOf(this).rateLimit;
  }

  /**
   * Calls an operation that the SDK doesn't know, with the same credentials, retries, throttling and errors. Define it
   * with `endpoint`.
   */
  call<E extends AnyEndpoint>(
    endpoint: E,
    input: EndpointInput<E>,
    options?: RequestOptions,
  ): ApiPromise<ResponseOf<E>> {
    const problem = statedProblem(Object(endpoint), input);
    if (problem !== undefined) return apiPromise(Promise.reject(new ValidationError("svc.call", problem)));
    return apiPromise(coreOf(this).send(endpoint, input, options));
  }
}
