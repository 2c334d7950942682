import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise } from "../../core/promises.js";
import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  getWebhookEndpointSchema,
  listWebhookEndpoints,
  replaceWebhookEndpoint,
  updateWebhookEndpoint,
} from "./endpoints.js";
import type {
  CreateWebhookEndpointBody,
  GetWebhookEndpointSchemaQuery,
  ListWebhookEndpointsQuery,
  ReplaceWebhookEndpointBody,
  UpdateWebhookEndpointBody,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointSchema,
} from "./schema.js";

/**
 * Inbound addresses, one per OAuth application, to which providers report the events that feed triggers. For the events
 * that come to you, see `webhookSubscriptions`. All of it takes the project key. Spec: What the service does. See
 * assumption C7.
 */
export class WebhookEndpoints {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * The values that a toolkit's endpoints need.
   *
   * @throws {NotFoundError} 404: no such toolkit.
   */
  schema(query: GetWebhookEndpointSchemaQuery, options?: RequestOptions): ApiPromise<WebhookEndpointSchema> {
    return this.#core.call(getWebhookEndpointSchema, { query }, options);
  }

  /**
   * Makes the endpoint of an OAuth application, or gives the one there is: `.withResponse()` tells a new one (status 201)
   * from a known one (200). Enter its `webhook_url` at the provider.
   *
   * @throws {NotFoundError} 404: no such toolkit.
   */
  create(body: CreateWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.#core.call(createWebhookEndpoint, { body }, options);
  }

  /** Lists endpoints, without their addresses and values. One answer holds all. */
  list(query?: ListWebhookEndpointsQuery, options?: RequestOptions): ApiPromise<WebhookEndpointList> {
    return this.#core.call(listWebhookEndpoints, { query }, options);
  }

  /**
   * One endpoint. Secrets in `data` are masked.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  get(id: string, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.#core.call(getWebhookEndpoint, { params: { nano_id: id } }, options);
  }

  /**
   * Stores some values; the others stay. Give real ones: what `get` shows is masked.
   *
   * @throws {BadRequestError} 400: a value does not fit the toolkit's {@link schema}.
   * @throws {NotFoundError} 404: no such id.
   */
  update(id: string, body: UpdateWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.#core.call(updateWebhookEndpoint, { params: { nano_id: id }, body }, options);
  }

  /**
   * Stores all values anew. Give real ones: what `get` shows is masked. Never sent twice when the first may have run.
   *
   * @throws {BadRequestError} 400: a required value of the toolkit's {@link schema} is missing.
   * @throws {NotFoundError} 404: no such id.
   */
  replace(id: string, body: ReplaceWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return this.#core.call(replaceWebhookEndpoint, { params: { nano_id: id }, body }, options);
  }
}
