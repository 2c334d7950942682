import * as z from "zod/mini";
import { boolean, list, request, string } from "../../resources/schema-kit.js";
import type { NewerFields } from "../engine/newer-fields.js";

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
