import { isObject, type Json } from "../../shared/json.js";
import { isSecretName } from "../../shared/secret-names.js";

/**
 * The kind of a value that a cassette must not contain: a credential, the id of a person, or a URL that works without a
 * key.
 */
export type Kind = "secret" | "user" | "url";

/** Part of an exchange, to know fields whose meaning depends on the operation. */
export interface Place {
  /** Path of the request, without query. */
  readonly path: string;
  /** Body of the request. */
  readonly sent: unknown;
}

const USER = /^(user_?ids?|user_ids_url|entity_?ids?|(not_)?allowed_user_ids|instance_?id|org_member_id|email)$/i;

/** A provider's data about a person. */
const USER_INFO = /^(current_)?user_info$/;

const SECRET =
  /secret|passw(or)?d|passphrase|credential|authorization|cookie|signature|bearer|(api|auth|private|access|dev|signing)[_-]?keys?$|token$|verifier$|encoded$|_json$|sessionid$|^(jwt|otp|pin)$/i;

/** Their names look like credentials, or they are next to credentials, but they aren't. */
const HARMLESS =
  /^(name|in|type|scopes?|user_scopes|status|authScheme|toolkitSlug|base_url|((next|page)_?)+token|(next_)?cursor|token_type|token_url|authorization_url|storage_backend)$/i;

/** Inside of them, every string is a credential, unless it's harmless. */
const CONTAINER =
  /^(val|credentials|shared_credentials|connection_?data|custom_connection_data|custom_auth_params|authed_user|extra_token_data)$/i;

/** Containers of one resource. The names mean something else elsewhere. */
const CONTAINERS_OF: readonly { readonly path: RegExp; readonly name: RegExp }[] = [
  { path: /\/connected_accounts(\/|$)/, name: /^(data|params)$/ },
  { path: /\/webhook_endpoints(\/|$)/, name: /^data$/ },
  { path: /\/integrations(\/|$)/, name: /^authConfig$/ },
];

/** Signed URLs of storages, and the pages on which a user connects an account. */
const URL_FIELD =
  /^(new_?presigned_?url|upload_url|download_url|s3_?url|redirect_?ur[li]|auth_?uri|session_uri|connect_url)$/i;

/** Descriptions of fields, which have the same names as the fields. */
const SCHEMA = /^(input|output)(_parameters|_schema|Schema)$|^(expected_input_fields|auth_config_details)$/;

/** Query parameters that authorize anyone who has them. */
const SIGNED =
  /^(signature|sig|x-(amz|goog)-.+|awsaccesskeyid|googleaccessid|policy|key-pair-id|se|sp|sv|st|code|state)$/i;

/** More of them in a URL. Elsewhere, fields with these names mean something else. */
const KEY_PARAMETER = /^(key|auth|appid|pwd)$|(subscription|app|application|consumer|client|user|license)[_-]?key$/i;

/** The kind of a value, from its name alone. */
export function kindOfName(name: string): Kind | undefined {
  if (USER.test(name)) return "user";
  if (URL_FIELD.test(name)) return "url";
  if (HARMLESS.test(name)) return undefined;
  return SECRET.test(name) || SIGNED.test(name) ? "secret" : undefined;
}

export function kindOfParameter(name: string): Kind | undefined {
  return kindOfName(name) ?? (KEY_PARAMETER.test(name) ? "secret" : undefined);
}

/** The kind of a header or parameter of a proxied request. */
function kindOfPair(name: string, type: unknown): Kind | undefined {
  if (type === "query") return kindOfParameter(name);
  return kindOfName(name) ?? (type === "header" && isSecretName(name) ? "secret" : undefined);
}

/** The kind of a field's value, from its name and the objects around it. */
function kindOfField(name: string, parents: readonly string[], place: Place, siblings: Json): Kind | undefined {
  if (parents.some((parent) => SCHEMA.test(parent))) return undefined;
  const parent = parents.at(-1) ?? "";
  if (USER.test(name)) return "user";
  if ((parent === "org_member" && /^(id|name)$/.test(name)) || parents.some((one) => USER_INFO.test(one)))
    return "user";
  // A condition on a field, and a group of usage: the field is named next to the value.
  if (name === "value" && siblings["field"] === "user_id") return "user";
  if (name === "key" && parent === "groups" && USER.test(String(Object(place.sent)["group_by"]))) return "user";
  if (name === "key" && /^api_keys?$/.test(parent)) return "secret";
  // A header or parameter, as a pair of name and value.
  if (name === "value" && typeof siblings["name"] === "string") {
    return kindOfPair(siblings["name"], siblings["type"]) ?? (parents.some(isContainer(place)) ? "secret" : undefined);
  }
  if (URL_FIELD.test(name)) return "url";
  if (HARMLESS.test(name)) return undefined;
  return SECRET.test(name) || parents.some(isContainer(place)) ? "secret" : undefined;
}

function isContainer({ path }: Place): (name: string) => boolean {
  return (name) =>
    CONTAINER.test(name) || CONTAINERS_OF.some((other) => other.path.test(path) && other.name.test(name));
}

/** Calls back with each string and number of a JSON value, and returns the value with what the callback returned. */
export function mapLeaves(
  value: unknown,
  place: Place,
  leaf: (value: string | number, kind: Kind | undefined) => unknown,
  key: (name: string) => string = (name) => name,
): unknown {
  const visit = (part: unknown, name: string, parents: readonly string[], siblings: Json): unknown => {
    if (typeof part === "string") return leaf(part, kindOfField(name, parents, place, siblings));
    // Expiry times and the like are numbers in the same objects, so only the name counts.
    if (typeof part === "number") {
      const kind = parents.some((parent) => SCHEMA.test(parent)) ? undefined : kindOfName(name);
      return kind === undefined ? part : leaf(part, kind);
    }
    if (Array.isArray(part)) return part.map((item) => visit(item, name, parents, siblings));
    if (!isObject(part)) return part;
    const around = name === "" ? parents : [...parents, name];
    return Object.fromEntries(
      Object.entries(part).map(([field, inner]) => [key(field), visit(inner, field, around, part)]),
    );
  };
  return visit(value, "", [], {});
}
