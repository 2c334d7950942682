import { pickAccount } from "../account-lookup.js";
import type { HandlersOf } from "../context.js";
import { projectOf } from "../projects/lookup.js";
import { invalidRequest, Refusal } from "../refusal.js";
import { deriveArguments } from "../text-arguments.js";
import { defaultVersion, findTool } from "../tool-lookup.js";
import { runTool } from "../tool-run.js";
import { proxy } from "./tool-proxy.js";

/** Meta tools live in agent sessions only. Spec: What the service does. */
const META_TOOL = /^SVC_/;

export const execution: Pick<HandlersOf<"tools">, "tools.execute" | "tools.input" | "tools.proxy"> = {
  "tools.execute": async ({ params, body, apiVersion, origin, key, ...world }) => {
    if (META_TOOL.test(params.tool_slug)) {
      throw new Refusal({
        status: 400,
        code: 4300,
        slug: "ToolRouterV2_BadRequest",
        message: `${params.tool_slug} can only be called inside a tool-router session`,
      });
    }
    if ((body.arguments === undefined) === (body.text === undefined)) {
      throw invalidRequest(["body: expected exactly one of arguments and text"]);
    }
    const versioned = findTool(world.catalogue, params.tool_slug, body.version ?? defaultVersion(apiVersion));
    const brought = body.custom_connection_data?.toolkitSlug;
    if (brought !== undefined && brought !== versioned.toolkit.slug) {
      throw invalidRequest([`body.custom_connection_data.toolkitSlug: expected ${versioned.toolkit.slug}`]);
    }
    const account = pickAccount(versioned.toolkit, body, world);
    const given = body.arguments ?? deriveArguments(versioned.facts.input, body.text ?? "").found;
    const userId = body.user_id ?? body.entity_id;
    const project = projectOf(key, world.state);
    return runTool({ versioned, arguments: given, userId, account, project, origin }, world);
  },

  "tools.input": ({ params, body, catalogue, apiVersion }) => {
    const { facts } = findTool(catalogue, params.tool_slug, body.version ?? defaultVersion(apiVersion));
    const { found, missing } = deriveArguments(facts.input, body.text);
    return missing.length > 0
      ? { arguments: found, error: `The text does not say: ${missing.join(", ")}` }
      : { arguments: found };
  },

  ...proxy,
};
