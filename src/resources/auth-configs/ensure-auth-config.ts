import type { Core } from "../../client/client.js";
import type { RequestOptions } from "../../client/request-options.js";
import { calledAs } from "../../errors/base.js";
import { ValidationError } from "../../errors/local.js";
import { isString } from "../../shared/json.js";
import { authConfigs } from "./endpoints.js";
import type * as shapes from "./schema.js";

/**
 * Finds or creates an auth config. See `AuthConfigs.ensure`.
 *
 * @param shared - Options with the deadline that all requests share.
 */
export async function ensureAuthConfig(
  core: Core,
  body: shapes.CreateAuthConfigBody,
  shared: RequestOptions,
  signal: AbortSignal | undefined,
): Promise<shapes.AuthConfig> {
  const slug = body?.toolkit?.slug;
  if (!isString(slug) || slug === "") {
    throw new ValidationError("authConfigs.ensure", 'the body must name a toolkit: { toolkit: { slug: "github" } }.');
  }
  const { auth_config: wanted } = body;
  // An account must never be connected to another toolkit, whatever the list contains.
  const isWanted = (config: shapes.AuthConfig) =>
    config.toolkit?.slug?.toLowerCase() === slug.toLowerCase() &&
    config.status === "ENABLED" &&
    (wanted === undefined || isManaged(config) === (wanted.type !== "use_custom_auth")) &&
    (wanted?.type !== "use_custom_auth" || config.auth_scheme === wanted.authScheme) &&
    (wanted?.name === undefined || wanted.name === config.name);
  try {
    const found: shapes.AuthConfig[] = [];
    for await (const config of core.list(authConfigs().list, { query: { toolkit_slug: slug } }, shared)) {
      if (isWanted(config)) found.push(config);
    }
    if (new Set(found.map(kindOfConfig)).size > 1) throw severalKinds(slug, found);
    // The oldest, so that every process finds the same one.
    const [oldest] = found.sort((left, right) => ((left.created_at ?? "") < (right.created_at ?? "") ? -1 : 1));
    if (oldest) return oldest;
    const create = { ...authConfigs().create, requiredFields: ["auth_config"] };
    const { auth_config } = await core.call(create, { body }, shared);
    return await core.call(authConfigs().get, { params: { nanoid: auth_config.id } }, shared);
  } catch (error) {
    throw calledAs("authConfigs.ensure", error, signal);
  }
}

/** The specification requires only `type`. */
const isManaged = ({ is_svc_managed, type }: shapes.AuthConfig) => is_svc_managed ?? type === "default";

/** Who may be asked for what: configs of one kind differ only in their names and scopes. */
const kindOfConfig = (config: shapes.AuthConfig) => `${isManaged(config) ? "managed" : "custom"} ${config.auth_scheme}`;

function severalKinds(slug: string, configs: readonly shapes.AuthConfig[]): ValidationError {
  const shown = configs.slice(0, 10).map((config) => `${config.id} (${kindOfConfig(config)})`);
  return new ValidationError(
    "authConfigs.ensure",
    `${slug} has several enabled auth configs: ${shown.join(", ")}. Pass auth_config with the type of the one to use, or use its id.`,
  );
}
