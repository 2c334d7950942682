import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import { calledAs } from "../../errors/base.js";
import { authConfigs } from "./endpoints.js";
import type { AuthConfig, CreateAuthConfigBody } from "./schema.js";

/** Returns the toolkit's oldest enabled auth config of the wanted kind, or creates one. See `AuthConfigs.ensure`. */
export async function ensureAuthConfig(
  core: Core,
  body: CreateAuthConfigBody,
  options: RequestOptions,
): Promise<AuthConfig> {
  const shared = core.sharedDeadline("authConfigs.ensure", options);
  const { toolkit, auth_config: wanted } = body;
  const isWanted = ({ status, is_svc_managed, auth_scheme, name }: AuthConfig) =>
    status === "ENABLED" &&
    (wanted?.type === "use_custom_auth"
      ? is_svc_managed === false && auth_scheme === wanted.authScheme
      : is_svc_managed === true) &&
    (wanted?.name === undefined || wanted.name === name);
  try {
    const found: AuthConfig[] = [];
    for await (const config of core.list(authConfigs.list, { query: { toolkit_slug: toolkit.slug } }, shared)) {
      if (isWanted(config)) found.push(config);
    }
    // The oldest, so that every process finds the same one.
    const [oldest] = found.sort((one, other) => ((one.created_at ?? "") < (other.created_at ?? "") ? -1 : 1));
    if (oldest) return oldest;
    const create = { ...authConfigs.create, requiredFields: ["auth_config"] };
    const { auth_config } = await core.call(create, { body }, shared);
    return await core.call(authConfigs.get, { params: { nanoid: auth_config.id } }, shared);
  } catch (error) {
    throw calledAs("authConfigs.ensure", error, options?.signal);
  }
}
