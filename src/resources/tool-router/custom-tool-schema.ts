import * as z from "zod/mini";
import { boolean, JsonObject, list, request, string, unknown } from "../schema-kit.js";

/** The longest name under which a session may show a custom tool: `LOCAL_<TOOLKIT>_<TOOL>` or `LOCAL_<TOOL>`. */
const MAX_EXPOSED = 60;
const PREFIX = "LOCAL_".length;

const slug = (most: number) => string.check(z.minLength(1), z.maxLength(most), z.regex(/^[A-Za-z0-9_-]*$/));
const text = (most: number) => string.check(z.minLength(1), z.maxLength(most));

/** JSON Schema of a custom tool's arguments: an object schema with `properties`. */
export const CustomToolInputSchema = z.catchall(
  request({
    type: z.literal("object"),
    /** A schema per argument. */
    properties: JsonObject,
  }),
  unknown,
);
export interface CustomToolInputSchema extends z.infer<typeof CustomToolInputSchema> {}

/** A tool that your program runs. The session shows it to the agent next to the service's tools. */
export const CustomTool = request({
  /**
   * Letters, digits, `_` and `-`. The session shows it as `LOCAL_<TOOL>`, or as `LOCAL_<TOOLKIT>_<TOOL>` if it's in a
   * custom toolkit or extends a toolkit. The shown name has at most 60 characters.
   */
  slug: slug(MAX_EXPOSED - PREFIX),
  /** 1 to 128 characters. */
  name: text(128),
  /** 1 to 5120 characters. */
  description: text(5120),
  /** JSON Schema of the arguments. */
  input_schema: CustomToolInputSchema,
  /** JSON Schema of the result. */
  output_schema: z.optional(JsonObject),
  /** Slug of the service's toolkit that the tool extends. */
  extends_toolkit: z.optional(string),
  /** Whether to show the tool from the start instead of only in search results. */
  preload: z.optional(boolean),
});
export interface CustomTool extends z.infer<typeof CustomTool> {}

/** Issues with tools whose names would be too long because they contain a toolkit's. */
function tooLong(tools: readonly CustomTool[], toolkitOf: (tool: CustomTool) => string | undefined, above: string[]) {
  return tools.flatMap((tool, index) => {
    const maximum = Math.max(MAX_EXPOSED - PREFIX - (toolkitOf(tool)?.length ?? -Infinity) - 1, 0);
    const path = [...above, index, "slug"];
    const issue = { code: "too_big" as const, origin: "string" as const, maximum, inclusive: true, path };
    return tool.slug.length > maximum ? [{ ...issue, input: tool.slug }] : [];
  });
}

/** A group of custom tools. */
export const CustomToolkit = request({
  /** Letters, digits, `_` and `-`. Part of its tools' names, which have at most 60 characters. */
  slug: slug(MAX_EXPOSED - PREFIX - 2),
  /** 1 to 128 characters. */
  name: text(128),
  /** 1 to 2048 characters. */
  description: text(2048),
  /** 1 to 100 tools. */
  tools: list(CustomTool).check(z.minLength(1), z.maxLength(100)),
  /** Whether to show its tools from the start, except tools with `preload: false`. */
  preload: z.optional(boolean),
}).check(({ value, issues }) => {
  for (const issue of tooLong(value.tools, () => value.slug, ["tools"])) issues.push(issue);
});
export interface CustomToolkit extends z.infer<typeof CustomToolkit> {}

const definitions = {
  /** Groups of custom tools. */
  custom_toolkits: z.optional(list(CustomToolkit)),
  /** Custom tools outside a group. */
  custom_tools: z.optional(
    list(CustomTool).check(({ value, issues }) => {
      for (const issue of tooLong(value, ({ extends_toolkit: toolkit }) => toolkit, [])) issues.push(issue);
    }),
  ),
};

/** Custom tools of a call. The service doesn't store them on v3.1, so pass them to each call that needs them. */
export const CustomDefinitions = request(definitions);
export interface CustomDefinitions extends z.infer<typeof CustomDefinitions> {}

/** Whether the agent may run tools without asking. */
export const SessionPermissions = request({
  /** The permission for tools without an override. */
  default: z.optional(z.enum(["allow_all", "ask_every_call", "ask_once_per_session"])),
  /**
   * Permissions by `<toolSlug>:<account id>`, or `*:<account id>` for all tools of an account. Use `__none__` as the
   * account id of tools without an account.
   */
  overrides: z.optional(
    z.record(
      string.check(z.regex(/^[^:]+:(ca_.+|__none__)$/)),
      z.enum(["always_allow", "always_deny", "ask_once", "ask_always"]),
    ),
  ),
});
export interface SessionPermissions extends z.infer<typeof SessionPermissions> {}

/** Experimental settings of a session. */
export const SessionExperiments = request({
  /** Facts for the session's `assistive_prompt`. */
  assistive_prompt_config: z.optional(
    request({
      /** Time zone of the user, such as `Europe/Berlin`. */
      user_timezone: z.optional(string),
    }),
  ),
  ...definitions,
  /** Whether the agent may run tools without asking. */
  permissions: z.optional(SessionPermissions),
  /** Replaces the URL of the page on which users connect accounts. */
  link_url_overwrite: z.optional(string),
});
export interface SessionExperiments extends z.infer<typeof SessionExperiments> {}
