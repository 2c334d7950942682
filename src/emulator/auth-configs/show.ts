import type { ProxyConfig } from "../../resources/auth-configs/request-schema.js";
import type { AuthConfig } from "../../resources/auth-configs/schema.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import { REDACTED } from "../../shared/control-plane.js";
import type { StoredAuthConfig } from "../engine/account-records.js";
import { maskAsService } from "../engine/masking.js";
import type { State } from "../engine/state.js";

export function shownAuthConfig({ isDeleted: _, ...config }: StoredAuthConfig, state: State): AuthConfig {
  const accounts = [...state.connectedAccounts.values()];
  const { credentials, shared_credentials, proxy_config: proxy, ...rest } = structuredClone(config);
  return {
    ...rest,
    credentials: redactCredentials(credentials, config.is_svc_managed),
    proxy_config: proxy && withMaskedKey(proxy),
    ...(shared_credentials && { shared_credentials: mapValues(shared_credentials, maskAsService) }),
    no_of_connections: accounts.filter(({ authConfigId, status }) => authConfigId === config.id && status === "ACTIVE")
      .length,
  };
}

function withMaskedKey({ proxy_auth_key: key, ...proxy }: ProxyConfig): ProxyConfig {
  return { ...proxy, ...(key !== undefined && { proxy_auth_key: maskAsService(key) }) };
}

const SCOPES = ["scopes", "user_scopes"];

const IN_CLEAR = [...SCOPES, "client_id", "consumer_key"];

/** An auth config's credentials as responses show them: hidden if managed, otherwise only the public ones. */
function redactCredentials(credentials: JsonObject, isManaged: boolean): JsonObject {
  const clear = isManaged ? SCOPES : IN_CLEAR;
  return mapValues(credentials, (value, name) => {
    if (clear.includes(name)) return value;
    return isManaged ? REDACTED : maskAsService(value);
  });
}

function mapValues(record: JsonObject, map: (value: unknown, name: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
