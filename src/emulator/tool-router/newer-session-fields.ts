import type { ToolRouterConfig } from "../../resources/tool-router/schema.js";
import type { Json } from "../../shared/json.js";
import { ApiFailure, invalidRequest } from "../engine/responses.js";

/** The blocks that null resets to a default. */
const DEFAULTS: Readonly<Record<string, object>> = {
  preload: { tools: [] },
  search: { enable: true },
  execute: { enable_multi_execute: true },
};

/** A configuration with the newer fields of a request: kept and shown again, and what null resets. */
export function withNewerFields(config: ToolRouterConfig, newer: Json): ToolRouterConfig {
  const changed: Record<string, unknown> = { ...config };
  for (const [path, value] of Object.entries(newer)) {
    const [block = "", name] = path.split(".");
    if (block === "expected_config_version") continue;
    // Null in a block: the block in the request has replaced the stored one, without the field.
    if (name !== undefined) {
      if (value !== null) changed[block] = { ...Object(changed[block]), [name]: value };
    } else if (value !== null) changed[block] = value;
    else if (DEFAULTS[block]) changed[block] = { ...DEFAULTS[block] };
    else delete changed[block];
  }
  // The contract's response is open, so more fields fit.
  return changed as ToolRouterConfig;
}

/** @throws {ApiFailure} 400 for a stored configuration next to what it contains. */
export function checkNewerFields(body: Json, newer: Json): void {
  if (typeof newer["experimental.session_config_id"] !== "string") return;
  const experimental = Object(body["experimental"]);
  const excluded = [
    ...["toolkits", "tools", "tags"].filter((name) => body[name] !== undefined),
    ...["custom_tools", "custom_toolkits"].filter((name) => experimental[name] !== undefined),
  ];
  if (excluded.length === 0) return;
  throw invalidRequest([`body.experimental.session_config_id: can't be combined with ${excluded.join(", ")}`]);
}

/** @throws {ApiFailure} 409 if a change is for another version of the configuration. */
export function checkExpectedVersion(newer: Json, current: number): void {
  const expected = newer["expected_config_version"];
  if (expected === undefined || expected === current) return;
  const message = `The session's configuration has version ${current}, not ${expected}`;
  throw new ApiFailure(409, 4315, "ToolRouterV2_Conflict", message, "Read the session, and change its latest version");
}
