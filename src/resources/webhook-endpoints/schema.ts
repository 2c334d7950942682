import * as z from "zod/mini";
import { object, request } from "../../schema-kit.js";

const recordFields = {
  /** Starts with `we_`. */
  id: z.string(),
  /** The toolkit whose events come in. */
  toolkit_slug: z.string(),
  /** The OAuth application it belongs to. */
  client_id: z.nullable(z.string()),
};

/** The inbound address to which a provider reports events of one OAuth application. See assumption C7. */
export const WebhookEndpoint = object({
  ...recordFields,
  /** The address to enter at the provider. */
  webhook_url: z.string(),
  /** What was stored for it, by field; secrets are masked. Null if nothing was stored. */
  data: z.nullable(z.record(z.string(), z.string())),
  /** ISO 8601. */
  created_at: z.string(),
});
/** The inbound address to which a provider reports events of one OAuth application. See assumption C7. */
export interface WebhookEndpoint extends z.infer<typeof WebhookEndpoint> {}

/** An inbound webhook endpoint, as the list shows it. */
export const WebhookEndpointSummary = object(recordFields);
/** An inbound webhook endpoint, as the list shows it. */
export interface WebhookEndpointSummary extends z.infer<typeof WebhookEndpointSummary> {}

/** Inbound webhook endpoints, on one page. */
export const WebhookEndpointList = object({ items: z.array(WebhookEndpointSummary) });
/** Inbound webhook endpoints, on one page. */
export interface WebhookEndpointList extends z.infer<typeof WebhookEndpointList> {}

/** Filter of the list. */
export const ListWebhookEndpointsQuery = request({
  /** Endpoints of this toolkit. */
  toolkit_slug: z.optional(z.string()),
});
/** Filter of the list. */
export interface ListWebhookEndpointsQuery extends z.infer<typeof ListWebhookEndpointsQuery> {}

/** Which toolkit's set-up is asked for. */
export const GetWebhookEndpointSchemaQuery = request({
  /** The toolkit whose events come in. */
  toolkit_slug: z.string(),
});
/** Which toolkit's set-up is asked for. */
export interface GetWebhookEndpointSchemaQuery extends z.infer<typeof GetWebhookEndpointSchemaQuery> {}

/** One value that has to be stored for an endpoint. */
export const WebhookEndpointField = object({
  display_name: z.optional(z.string()),
  description: z.optional(z.string()),
  /** Whether a replacement must give it. */
  is_required: z.optional(z.boolean()),
  /** True when answers mask it. */
  is_secret: z.optional(z.boolean()),
});
/** One value that has to be stored for an endpoint. */
export interface WebhookEndpointField extends z.infer<typeof WebhookEndpointField> {}

/** What a toolkit's endpoints need, such as a signing secret of the provider. */
export const WebhookEndpointSchema = object({
  /** The toolkit whose events come in. */
  toolkit_slug: z.optional(z.string()),
  /** By the key that `data` uses. */
  setup_fields: z.optional(z.record(z.string(), WebhookEndpointField)),
});
/** What a toolkit's endpoints need, such as a signing secret of the provider. */
export interface WebhookEndpointSchema extends z.infer<typeof WebhookEndpointSchema> {}

/** Body of an endpoint's creation. */
export const CreateWebhookEndpointBody = request({
  /** The toolkit whose events come in. */
  toolkit_slug: z.string(),
  /** The OAuth application's client id at the provider. */
  client_id: z.string(),
});
/** Body of an endpoint's creation. */
export interface CreateWebhookEndpointBody extends z.infer<typeof CreateWebhookEndpointBody> {}

const data = z.record(z.string(), z.string());

/** Body of an endpoint's update. */
export const UpdateWebhookEndpointBody = request({
  /** Some of the toolkit's `setup_fields`; the others stay. */
  data,
});
/** Body of an endpoint's update. */
export interface UpdateWebhookEndpointBody extends z.infer<typeof UpdateWebhookEndpointBody> {}

/** Body of an endpoint's replacement. */
export const ReplaceWebhookEndpointBody = request({
  /** All required ones of the toolkit's `setup_fields`. */
  data,
});
/** Body of an endpoint's replacement. */
export interface ReplaceWebhookEndpointBody extends z.infer<typeof ReplaceWebhookEndpointBody> {}
