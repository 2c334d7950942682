import * as z from "zod/mini";
import { boolean, list, request, string } from "../../resources/schema-kit.js";
import type { ToolRouterConfig } from "../../resources/tool-router/schema.js";
import type { Json } from "../../shared/json.js";
import type { NewerFields } from "../engine/newer-fields.js";
import { ApiFailure, invalidRequest } from "../engine/responses.js";

const choice = request({ enable: z.optional(list(string)), disable: z.optional(list(string)) });

/** Who may run tools that cost extra. */
const charged = (returned: string) =>
  z.union([
    z.literal(false),
    request({
      toolkits: z.optional(choice),
      tools: z.optional(z.record(string, choice)),
      [returned]: z.optional(boolean),
    }),
  ]);

const kept = {
  premium_usage: charged("return_premium_charge"),
  instant: charged("return_instant_charge"),
  "experimental.session_config_id": z.nullable(string.check(z.startsWith("sc_"))),
  "experimental.fast_mode": z.nullable(boolean),
  "experimental.submit_feedback": z.nullable(z.unknown()),
};

/** Blocks and fields of a session that null resets. */
const nullable = [
  ...["toolkits", "tools", "tags", "auth_configs", "preload", "search", "execute"],
  ...["manage_connections.callback_url", "multi_account.max_accounts_per_toolkit"],
  ...["experimental.permissions", "experimental.link_url_overwrite"],
];

/** Fields that clients of September 2026 and later send for sessions. Assumption E103. */
export const NEWER_FIELDS = {
  create: { fields: kept, nullable },
  update: { fields: { ...kept, expected_config_version: z.int() }, nullable },
  selectsAccount: { fields: { instant_account: z.unknown() } },
} satisfies Readonly<Record<string, NewerFields>>;

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
