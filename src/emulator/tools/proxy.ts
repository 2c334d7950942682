import type { ProxyRequestBody } from "../../resources/tools/schema.js";
import { ProviderError, type ToolkitDefinition } from "../catalog/definitions.js";
import { usableAccount } from "../connected-accounts/execution-rules.js";
import type { HandlersOf, World } from "../host/context.js";
import { ApiFailure } from "../host/responses.js";
import { dataOf } from "../host/state.js";

/** Proxies a request to the provider through a connected account. */
export const proxy: Pick<HandlersOf<"tools">, "tools.proxy"> = {
  "tools.proxy": ({ body, ...world }) => {
    const toolkit = toolkitOf(body, world);
    const { baseUrl } = toolkit;
    if (baseUrl === undefined) throw proxyError("MissingBaseUrl", `Toolkit ${toolkit.slug} has no base URL`);
    const url = endpointUrl(body.endpoint, baseUrl);
    if (!url || siteOf(url) !== siteOf(new URL(baseUrl))) {
      throw proxyError("OriginMismatch", `The endpoint is not where ${toolkit.slug} lives: ${baseUrl}`);
    }
    for (const { name, value, type } of body.parameters ?? []) {
      if (type === "query") url.searchParams.append(name, value);
    }
    const base = new URL(baseUrl).pathname.replace(/\/+$/, "");
    const path = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
    return { ...callProvider(toolkit, body, path, url, world), headers: { "content-type": "application/json" } };
  },
};

function toolkitOf(
  { connected_account_id, custom_connection_data }: ProxyRequestBody,
  world: World,
): ToolkitDefinition {
  const slug =
    connected_account_id === undefined
      ? custom_connection_data?.toolkitSlug
      : usableAccount(connected_account_id, world).toolkit;
  if (slug === undefined)
    throw proxyError(
      "MissingAuthContext",
      "Pass connected_account_id or custom_connection_data",
      "Connect an account first",
    );
  const toolkit = world.catalog.toolkits.get(slug);
  if (toolkit) return toolkit;
  throw proxyError("MissingBaseUrl", `Unknown toolkit ${slug}`);
}

/** The provider's response; a ProviderError becomes one. */
function callProvider(
  toolkit: ToolkitDefinition,
  body: ProxyRequestBody,
  path: string,
  { searchParams }: URL,
  world: World,
) {
  const call = { method: body.method, path, query: searchParams, body: body.body, data: dataOf(toolkit, world.state) };
  try {
    return toolkit.proxy?.(call) ?? { status: 404, data: { message: "Not Found" } };
  } catch (error) {
    if (error instanceof ProviderError) return { status: error.status, data: { message: error.message } };
    throw error;
  }
}

function endpointUrl(endpoint: string, baseUrl: string): URL | undefined {
  const base = `${baseUrl.replace(/\/+$/, "")}/`;
  // Relative to the base, except for two slashes, which start another host.
  const relative = endpoint.replace(/^\/(?!\/)/, "");
  return URL.canParse(relative, base) ? new URL(relative, base) : undefined;
}

/** Scheme and registrable domain, assumed to be the last two labels; see assumption E7. */
function siteOf({ protocol, hostname }: URL): string {
  return `${protocol}//${hostname.split(".").slice(-2).join(".")}`;
}

function proxyError(slug: string, message: string, suggestedFix?: string): ApiFailure {
  return new ApiFailure({
    status: 400,
    code: 10400,
    slug,
    message,
    ...(suggestedFix !== undefined && { suggestedFix }),
  });
}
