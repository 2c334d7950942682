import { CALL_OPTIONS, OPTIONS } from "./names.js";

/**
 * Names of the fields of objects that are passed: the new name, an empty string for a field that is removed, or `!` and
 * a reason. A field that isn't in its table is unknown, or has the API's name if `isOpen`.
 */
export interface FieldTable {
  readonly names: Readonly<Record<string, string>>;
  readonly isOpen: boolean;
}

const BODY: Readonly<Record<string, string>> = {
  allowMultiple: "",
  authScheme: "authScheme",
  dangerouslySkipVersionCheck: "version",
  in: "type",
  isComposioManaged: "is_svc_managed",
  toolkit: "toolkit_slug",
};

/** The tables by the name that a template or the kind of argument gives them. */
export const FIELD_TABLES = {
  options: { names: OPTIONS, isOpen: false },
  callOptions: { names: CALL_OPTIONS, isOpen: false },
  body: { names: BODY, isOpen: true },
  untouched: { names: { "*": "*" }, isOpen: true },
  session: {
    names: {
      experimental: "!custom tools are tools of a toolset, next to the session's. #tools-for-models",
      mcp: "",
      sandbox: "workbench",
      sessionPreset: "!preload: { tools } shows tools directly. #from-another-client",
      waitForConnections: "enable_wait_for_connections",
    },
    isOpen: true,
  },
  toolset: {
    names: { limit: "limit", search: "search", tags: "tags", toolkits: "toolkits", tools: "tools" },
    isOpen: false,
  },
  subscription: { names: {}, isOpen: true },
  verification: { names: { verifySecret: "secret", tolerance: "toleranceSeconds" }, isOpen: false },
} as const satisfies Readonly<Record<string, FieldTable>>;

/** The name of a table. */
export type FieldTableName = keyof typeof FIELD_TABLES;
