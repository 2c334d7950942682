import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
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
 * Inbound URLs to which providers send the events for triggers, one per OAuth application. For events that you receive,
 * see `webhookSubscriptions`. Every method requires the project key.
 */
export class WebhookEndpoints extends Resource {
  /**
   * Returns the fields that a toolkit's webhook endpoints need, such as the provider's signing secret.
   *
   * @throws {NotFoundError} 404: no such toolkit.
   */
  getSchema(query: GetWebhookEndpointSchemaQuery, options?: RequestOptions): ApiPromise<WebhookEndpointSchema> {
    return coreOf(this).call(webhookEndpoints().getSchema, { query }, options);
  }

  /**
   * Creates the webhook endpoint of an OAuth application, or returns the existing one. `.withResponse()` shows whether
   * the endpoint is new (status 201) or existed (200). Enter its `webhook_url` at the provider.
   *
   * @throws {NotFoundError} 404: no such toolkit.
   */
  create(body: CreateWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return coreOf(this).call(webhookEndpoints().create, { body }, options);
  }

  /** Lists all webhook endpoints, without their URLs and values, in one response. */
  list(query?: ListWebhookEndpointsQuery, options?: RequestOptions): ApiPromise<WebhookEndpointList> {
    return coreOf(this).call(webhookEndpoints().list, { query }, options);
  }

  /**
   * Returns a webhook endpoint. Secrets in `data` are masked.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  get(id: string, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return coreOf(this).call(webhookEndpoints().get, { params: { nano_id: id } }, options);
  }

  /**
   * Stores some values of a webhook endpoint. Other values stay unchanged. Pass complete values: `get` returns masked
   * values.
   *
   * @throws {BadRequestError} 400: a value doesn't match the toolkit's {@link getSchema}.
   * @throws {NotFoundError} 404: no such id.
   */
  update(id: string, body: UpdateWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return coreOf(this).call(webhookEndpoints().update, { params: { nano_id: id }, body }, options);
  }

  /**
   * Replaces all values of a webhook endpoint. Pass complete values: `get` returns masked values. Never retried if it
   * may have run.
   *
   * @throws {BadRequestError} 400: a required value of the toolkit's {@link getSchema} is missing.
   * @throws {NotFoundError} 404: no such id.
   */
  replace(id: string, body: ReplaceWebhookEndpointBody, options?: RequestOptions): ApiPromise<WebhookEndpoint> {
    return coreOf(this).call(webhookEndpoints().replace, { params: { nano_id: id }, body }, options);
  }
}
