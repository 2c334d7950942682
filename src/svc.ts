import { Core } from "./core/client.js";
import { type AnyEndpoint, type InputOf, type ResponseOf, statedProblem } from "./core/endpoint.js";
import type { SvcOptions } from "./core/options/options.js";
import type { RequestOptions } from "./core/options/request-options.js";
import { resolveSettings } from "./core/options/settings.js";
import type { RateLimitState } from "./core/pacing/pacer.js";
import { type ApiPromise, apiPromise } from "./core/promises.js";
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
 * It holds no connection and needs no closing. Make one and share it: its calls share one rate window and retry budget.
 */
export class Svc {
  /** Who is calling. */
  readonly session: Session;
  /** The ways users authenticate against toolkits. */
  readonly authConfigs: AuthConfigs;
  /** The external applications. */
  readonly toolkits: Toolkits;
  /** Their operations. */
  readonly tools: Tools;
  /** Legacy connectors. */
  readonly integrations: Integrations;
  /** Revocation of leaked keys. */
  readonly apiKeys: ApiKeys;
  /** Users' authenticated connections. */
  readonly connectedAccounts: ConnectedAccounts;
  /** Files that tools take and give. */
  readonly files: Files;
  /** What tools did. */
  readonly logs: Logs;
  /** MCP servers of the older kind. */
  readonly mcp: Mcp;
  /** Projects of an organization. */
  readonly projects: Projects;
  /** Agent sessions. */
  readonly toolRouter: ToolRouter;
  /** What is listened for. */
  readonly triggers: Triggers;
  /** What was used. */
  readonly usage: Usage;
  /** Inbound addresses for providers' events. */
  readonly webhookEndpoints: WebhookEndpoints;
  /** Where events are posted to. */
  readonly webhookSubscriptions: WebhookSubscriptions;
  readonly #core: Core;

  /** @throws {ConfigError} listing every option and variable that is missing or wrong. */
  constructor(options: SvcOptions = {}) {
    this.#core = new Core(resolveSettings(options));
    this.session = new Session(this.#core);
    this.authConfigs = new AuthConfigs(this.#core);
    this.toolkits = new Toolkits(this.#core);
    this.tools = new Tools(this.#core);
    this.apiKeys = new ApiKeys(this.#core);
    this.connectedAccounts = new ConnectedAccounts(this.#core);
    this.files = new Files(this.#core);
    this.logs = new Logs(this.#core);
    this.mcp = new Mcp(this.#core);
    this.projects = new Projects(this.#core);
    this.toolRouter = new ToolRouter(this.#core);
    this.triggers = new Triggers(this.#core);
    this.usage = new Usage(this.#core);
    this.webhookEndpoints = new WebhookEndpoints(this.#core);
    this.webhookSubscriptions = new WebhookSubscriptions(this.#core);
    this.integrations = new Integrations(this.#core);
  }

  /** How the client stands with the service's rate window right now: what it was told, and what it does about it. */
  get rateLimit(): RateLimitState {
    return this.#core.rateLimit;
  }

  /**
   * Calls an operation that the SDK does not know, with the same credentials, retries, pacing and errors. State it with
   * `endpoint`.
   */
  call<E extends AnyEndpoint>(endpoint: E, input: InputOf<E>, options?: RequestOptions): ApiPromise<ResponseOf<E>> {
    const problem = statedProblem(Object(endpoint), input);
    if (problem !== undefined) return apiPromise(Promise.reject(new ValidationError("svc.call", problem)));
    return this.#core.call(endpoint, input, options);
  }
}
