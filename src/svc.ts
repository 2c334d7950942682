import { Core } from "./core/call.js";
import type { AnyEndpoint, InputOf, ResponseOf } from "./core/endpoint.js";
import type { RequestOptions, SvcOptions } from "./core/options.js";
import type { ApiPromise } from "./core/result.js";
import { resolveSettings } from "./core/settings.js";
import type { RateLimit } from "./errors/api-error.js";
import { AuthConfigs } from "./resources/auth-configs/auth-configs.js";
import { Integrations } from "./resources/integrations/integrations.js";
import { Session } from "./resources/session/session.js";
import { Toolkits } from "./resources/toolkits/toolkits.js";
import { Tools } from "./resources/tools/tools.js";

/**
 * The client.
 *
 * ```ts
 * const svc = new Svc({ baseUrl: "https://api.example.com", apiKey: "ak_…" }); // or SVC_BASE_URL, SVC_API_KEY
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
  readonly #core: Core;

  /** @throws {ConfigError} listing every option and variable that is missing or wrong. */
  constructor(options: SvcOptions = {}) {
    this.#core = new Core(resolveSettings(options));
    this.session = new Session(this.#core);
    this.authConfigs = new AuthConfigs(this.#core);
    this.toolkits = new Toolkits(this.#core);
    this.tools = new Tools(this.#core);
    this.integrations = new Integrations(this.#core);
  }

  /** What the service last said about the rate window; `undefined` before its first answer. */
  get rateLimit(): RateLimit | undefined {
    return this.#core.rateLimit;
  }

  /**
   * Calls an operation that the SDK does not know, with the same credentials, retries, pacing and errors. State it with
   * `endpoint`.
   */
  call<E extends AnyEndpoint>(endpoint: E, input: InputOf<E>, options?: RequestOptions): ApiPromise<ResponseOf<E>> {
    return this.#core.call(endpoint, input, options);
  }
}
