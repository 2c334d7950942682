import * as z from "zod/mini";
import { boolean, object, request, string } from "../schema-kit.js";

const recordFields = {
  /** Starts with `we_`. */
  id: string,
  /** The toolkit whose events it receives. */
  toolkit_slug: string,
  /** The OAuth application it belongs to. */
  client_id: z.nullable(string),
};

/** The inbound URL to which a provider sends events of one OAuth application. */
export const WebhookEndpoint = object({
  ...recordFields,
  /** The URL to enter at the provider. */
  webhook_url: string,
  /** Stored values by field, with secrets masked. Null if nothing was stored. */
  data: z.nullable(z.record(string, string)),
  /** ISO 8601. */
  created_at: string,
});
export interface WebhookEndpoint extends z.infer<typeof WebhookEndpoint> {}

/** An inbound webhook endpoint, as in the list. */
export const WebhookEndpointSummary = object(recordFields);
export interface WebhookEndpointSummary extends z.infer<typeof WebhookEndpointSummary> {}

/** Inbound webhook endpoints, on one page. */
export const WebhookEndpointList = object({ items: z.array(WebhookEndpointSummary) });
export interface WebhookEndpointList extends z.infer<typeof WebhookEndpointList> {}

/** Filter of the webhook endpoint list. */
export const ListWebhookEndpointsQuery = request({
  /** Endpoints of this toolkit. */
  toolkit_slug: z.optional(string),
});
export interface ListWebhookEndpointsQuery extends z.infer<typeof ListWebhookEndpointsQuery> {}

/** Parameters for getting the fields of a toolkit's endpoints. */
export const GetWebhookEndpointSchemaQuery = request({
  /** The toolkit whose events it receives. */
  toolkit_slug: string,
});
export interface GetWebhookEndpointSchemaQuery extends z.infer<typeof GetWebhookEndpointSchemaQuery> {}

/** A field of the values that an endpoint stores. */
export const WebhookEndpointField = object({
  display_name: z.optional(string),
  description: z.optional(string),
  /** Whether `webhookEndpoints.replace` requires the field. */
  is_required: z.optional(boolean),
  /** Whether responses mask the value. */
  is_secret: z.optional(boolean),
});
export interface WebhookEndpointField extends z.infer<typeof WebhookEndpointField> {}

/** The values that a toolkit's endpoints need, such as the provider's signing secret. */
export const WebhookEndpointSchema = object({
  /** The toolkit whose events it receives. */
  toolkit_slug: z.optional(string),
  /** Fields by their key in `data`. */
  setup_fields: z.optional(z.record(string, WebhookEndpointField)),
});
export interface WebhookEndpointSchema extends z.infer<typeof WebhookEndpointSchema> {}

/** Body for creating an endpoint. */
export const CreateWebhookEndpointBody = request({
  /** The toolkit whose events it receives. */
  toolkit_slug: string,
  /** The OAuth application's client id at the provider. */
  client_id: string,
});
export interface CreateWebhookEndpointBody extends z.infer<typeof CreateWebhookEndpointBody> {}

const data = z.record(string, string);

/** Body for updating an endpoint. */
export const UpdateWebhookEndpointBody = request({
  /** Values for some of the toolkit's `setup_fields`. Other values stay unchanged. */
  data,
});
export interface UpdateWebhookEndpointBody extends z.infer<typeof UpdateWebhookEndpointBody> {}

/** Body for replacing an endpoint's values. */
export const ReplaceWebhookEndpointBody = request({
  /** Values for all required fields of the toolkit's `setup_fields`. */
  data,
});
export interface ReplaceWebhookEndpointBody extends z.infer<typeof ReplaceWebhookEndpointBody> {}
