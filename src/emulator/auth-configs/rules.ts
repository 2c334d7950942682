import type { CreateAuthConfigBody } from "../../resources/auth-configs/schema.js";
import type { ServedCatalog } from "../catalog/catalog.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import { ApiFailure } from "../engine/responses.js";
import type { SharedSettings } from "./settings.js";

export function schemeOf(toolkit: ToolkitDefinition, input: NonNullable<CreateAuthConfigBody["auth_config"]>): string {
  if (input.type === "use_svc_managed_auth") {
    const managed = toolkit.auth.find(({ isManaged }) => isManaged);
    if (managed) return managed.scheme;
    const message = `The service has no managed credentials for toolkit ${toolkit.slug}`;
    throw badRequest(message, "Create it with type use_custom_auth");
  }
  const schemes = toolkit.auth.map(({ scheme }) => scheme);
  // Toolkits with OAuth2 also accept bearer tokens.
  const accepted = schemes.includes("OAUTH2") ? [...schemes, "BEARER_TOKEN"] : schemes;
  if (accepted.includes(input.authScheme)) return input.authScheme;
  const fix = accepted.length > 0 ? `Use ${accepted.join(" or ")}` : "Its tools need no account";
  throw badRequest(`Toolkit ${toolkit.slug} does not support ${input.authScheme}`, fix);
}

function badRequest(message: string, suggestedFix: string): ApiFailure {
  return new ApiFailure(400, 300, "AuthConfig_BadRequest", message, suggestedFix);
}

/**
 * Scopes of the tools a request lists for connection creation; `undefined` without such tools, or if the scheme isn't
 * OAuth. Spec: Endpoints > Auth configs.
 *
 * @throws {ApiFailure} 400 for a tool the toolkit doesn't have. Assumption E94.
 */
export function scopesOfTools(
  access: SharedSettings["tool_access_config"],
  scheme: string,
  toolkit: ToolkitDefinition,
  catalog: ServedCatalog,
): string[] | undefined {
  const named = access?.tools_for_connected_account_creation ?? [];
  const tools = new Map(catalog.toolsOf(toolkit, "latest").map((listed) => [listed.tool.slug, listed]));
  const unknown = named.filter((slug) => !tools.has(slug));
  if (unknown.length > 0) {
    const message = `Toolkit ${toolkit.slug} has no tool ${unknown.join(", ")}`;
    throw badRequest(message, "Name tools of this toolkit in tools_for_connected_account_creation");
  }
  if (named.length === 0 || !scheme.includes("OAUTH")) return undefined;
  return [...new Set(named.flatMap((slug) => tools.get(slug)?.facts.scopes ?? []))];
}
