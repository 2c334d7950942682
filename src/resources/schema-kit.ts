import * as z from "zod/mini";

/**
 * An object in a response. Other fields than these are allowed and kept: responses are checked, never rebuilt.
 *
 * It returns the shape itself instead of zod's mapped type, because otherwise the published types would have no docs of
 * fields.
 */
export function object<const Shape extends z.core.$ZodShape>(shape: Shape): z.ZodMiniObject<Shape> {
  return z.object(shape) as z.ZodMiniObject<Shape>;
}

/** An object in a request. An unknown field is a mismatch. */
export function request<const Shape extends z.core.$ZodShape>(shape: Shape): z.ZodMiniObject<Shape, z.core.$strict> {
  return z.strictObject(shape) as z.ZodMiniObject<Shape, z.core.$strict>;
}

/** The schema of a {@link list}. */
export interface ReadonlyList<Item extends z.core.$ZodType>
  extends z.ZodMiniType<readonly z.output<Item>[], readonly z.input<Item>[]> {}

/** A list in a request. Frozen arrays are accepted, because the client only reads it. */
export function list<Item extends z.core.$ZodType>(item: Item): ReadonlyList<Item> {
  return z.array(item);
}

/** A known value, which editors complete, or any other string, because the service may add values. */
export type Open<Known extends string> = Known | (string & {});

/** The schema of an {@link Open} value, with the list of known values. */
export interface OpenEnum<Known extends string> extends z.ZodMiniType<Open<Known>, Open<Known>> {
  /** The values known in this version. */
  readonly known: readonly Known[];
}

/** An enum in a response. The service may add values at any time, so a `switch` over it needs a `default`. */
export function openEnum<const Known extends string>(known: readonly Known[]): OpenEnum<Known> {
  return Object.assign(z.string() as z.ZodMiniType<Open<Known>, Open<Known>>, { known });
}

// One schema for all fields of a type, because creating one for each of hundreds would slow down every start.
/** Any string. */
export const string = z.string();
/** Either boolean. */
export const boolean = z.boolean();
/** Any finite number. */
export const number = z.number();
/** Any value. */
export const unknown = z.unknown();

/** A field that may be absent or null. */
export const nullish = <Schema extends z.core.$ZodType>(schema: Schema) => z.optional(z.nullable(schema));

/** Any JSON object: a schema, a provider's credentials, a tool's arguments. */
export const JsonObject = z.record(string, unknown);
/** A JSON object: arguments, results, schemas. */
export type JsonObject = Record<string, unknown>;

/**
 * A field, or a whole shape, that the service still accepts or sends but replaces. It says so in the OpenAPI document;
 * the `@deprecated` in its doc says so in the editor.
 */
export function deprecated<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  // A copy, because other fields may use the same schema. To zod it stays the schema that it's copied from.
  return Object.assign(z.clone(schema, undefined, { parent: true }), { isDeprecated: true });
}

/** Names of identifier formats. */
export type IdFormat =
  | "projectId"
  | "orgId"
  | "connectedAccountId"
  | "authConfigId"
  | "triggerInstanceId"
  | "toolRouterSessionId"
  | "webhookSubscriptionId";

/** An identifier. The format is in the OpenAPI document and isn't checked, because the service may change it. */
export function identifier(format: IdFormat): z.ZodMiniString {
  return Object.assign(z.string(), { idFormat: format });
}
