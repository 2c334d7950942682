import { coreOf, Resource } from "../../client/client.js";
import type { ApiPromise } from "../../client/promises.js";
import type { RequestOptions } from "../../client/request-options.js";
import { webhookEndpoints } from "./endpoints.js";
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
 * Inbound URLs, one per OAuth application, to which providers send the events for triggers. For events that you
 * receive, see `webhookSubscriptions`. Every method requires the project key.
 */
export class WebhookEndpoints extends Resource {
  /**
   * Returns the fields of the values that a toolkit's endpoints need.
   *
   * @throws {NotFoundError} 404: no such toolkit.
   */
  getSchema(query: GetWebhookEndpointSchemaQuery, options?: RequestOptions): ApiPromise<WebhookEndpointSchema> {
    return coreOf(this).call(webhookEndpoints.getSchema, { query }, options);
  }

  /**
   * Creates the endpoint of an OAuth application, or returns the existing one: `.withResponse()` shows whether it's new
   * (status 201) or existed (200). Enter its `webhook_url` at the provider.
   *
   * @throws {NotFoundError} 404: no such toolkit.
   */
  create(body: CreateWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return coreOf(this).call(webhookEndpoints.create, { body }, options);
  }

  /** Lists endpoints, without their URLs and values. One response contains all. */
  list(query?: ListWebhookEndpointsQuery, options?: RequestOptions): ApiPromise<WebhookEndpointList> {
    return coreOf(this).call(webhookEndpoints.list, { query }, options);
  }

  /**
   * Returns an endpoint. Secrets in `data` are masked.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  get(id: string, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return coreOf(this).call(webhookEndpoints.get, { params: { nano_id: id } }, options);
  }

  /**
   * Stores some values; the others stay unchanged. Pass real values: the ones from `get` are masked.
   *
   * @throws {BadRequestError} 400: a value doesn't match the toolkit's {@link getSchema}.
   * @throws {NotFoundError} 404: no such id.
   */
  update(id: string, body: UpdateWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return coreOf(this).call(webhookEndpoints.update, { params: { nano_id: id }, body }, options);
  }

  /**
   * Replaces all values. Pass real values: the ones from `get` are masked. Never retried if it may have run.
   *
   * @throws {BadRequestError} 400: a required value of the toolkit's {@link getSchema} is missing.
   * @throws {NotFoundError} 404: no such id.
   */
  replace(id: string, body: ReplaceWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return coreOf(this).call(webhookEndpoints.replace, { params: { nano_id: id }, body }, options);
  }
}
