import type { JsonObject } from "../catalog/definitions.js";
import { pickAccount } from "../connected-accounts/execution-rules.js";
import type { HandlersOf } from "../host/context.js";
import { defaultVersion, findTool, paginate, projectOf } from "../host/lookup-and-page.js";
import { invalidRequest } from "../host/responses.js";
import { proxy } from "./proxy.js";
import { runTool } from "./run.js";
import { allTools, matchesQuery, shownTool, versionFor } from "./show.js";

export const tools: HandlersOf<"tools"> = {
  "tools.list": ({ query, catalog, state, apiVersion }) => {
    const matching = allTools(catalog, query.toolkit_versions, apiVersion).filter((tool) =>
      matchesQuery(tool, query, state),
    );
    return paginate(matching.map(shownTool), query);
  },

  "tools.get": ({ params, query, catalog, apiVersion }) => {
    const [oldest = ""] = catalog.versionsWith(params.tool_slug) ?? [];
    const toolkit = catalog.tool(params.tool_slug, oldest)?.toolkit.slug ?? "";
    const version = query.version ?? versionFor(toolkit, query.toolkit_versions) ?? defaultVersion(apiVersion);
    return shownTool(findTool(catalog, params.tool_slug, version));
  },

  "tools.enum": ({ catalog }) => catalog.toolSlugs,

  "tools.requiredScopes": ({ body, catalog, apiVersion }) => {
    const found = body.tools.map((slug) => findTool(catalog, slug, body.version ?? defaultVersion(apiVersion)));
    if (new Set(found.map(({ toolkit }) => toolkit.slug)).size > 1) {
      throw invalidRequest(["body.tools: expected tools of one toolkit"]);
    }
    return {
      scopes_required: [...new Set(found.flatMap(({ facts }) => facts.scopes ?? []))],
      per_tool_requirements: found.map(({ tool, facts }) => ({
        tool: tool.slug,
        scope_requirements: facts.scopeRequirements ?? null,
      })),
    };
  },

  "tools.execute": async ({ params, body, apiVersion, origin, key, ...world }) => {
    if ((body.arguments === undefined) === (body.text === undefined)) {
      throw invalidRequest(["body: expected exactly one of arguments and text"]);
    }
    const versioned = findTool(world.catalog, params.tool_slug, body.version ?? defaultVersion(apiVersion));
    const suppliedToolkit = body.custom_connection_data?.toolkitSlug;
    if (suppliedToolkit !== undefined && suppliedToolkit !== versioned.toolkit.slug) {
      throw invalidRequest([`body.custom_connection_data.toolkitSlug: expected ${versioned.toolkit.slug}`]);
    }
    const account = pickAccount(versioned.toolkit, body, world);
    const given = body.arguments ?? deriveArguments(versioned.facts.input, body.text ?? "").found;
    const userId = body.user_id ?? body.entity_id;
    const project = projectOf(key, world.state);
    return runTool({ versioned, arguments: given, userId, account, project, origin }, world);
  },

  "tools.input": ({ params, body, catalog, apiVersion }) => {
    const { facts } = findTool(catalog, params.tool_slug, body.version ?? defaultVersion(apiVersion));
    const { found, missing } = deriveArguments(facts.input, body.text);
    return missing.length > 0
      ? { arguments: found, error: `The text does not say: ${missing.join(", ")}` }
      : { arguments: found };
  },

  ...proxy,
};

/**
 * Derives a tool's arguments from text, as the service's model would, but by matching `name: value`, `name=value`, and
 * `name "value"` for the tool's argument names. See assumption E5.
 */
function deriveArguments(input: JsonObject, text: string): { found: JsonObject; missing: string[] } {
  const found: JsonObject = {};
  for (const [name, schema] of Object.entries(asObject(input["properties"]))) {
    const pattern = name.replace(/[^\w]/g, "\\$&").replaceAll("_", "[ _]");
    // Each space matches in only one way; otherwise a long run of them takes quadratic time.
    const match = new RegExp(`\\b${pattern}\\b\\s*(?:(?:[:=]|is)\\s*)?(?:"([^"]*)"|'([^']*)'|([^\\s,;]+))`, "i").exec(
      text,
    );
    const value = match?.[1] ?? match?.[2] ?? match?.[3];
    if (value !== undefined) found[name] = typed(value, asObject(schema)["type"]);
  }
  const required: unknown = input["required"];
  const missing = Array.isArray(required) ? required.map(String).filter((name) => !Object.hasOwn(found, name)) : [];
  return { found, missing };
}

function typed(text: string, type: unknown): unknown {
  if ((type === "number" || type === "integer") && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function asObject(value: unknown): JsonObject {
  // These JSON Schema keywords contain objects.
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
}
