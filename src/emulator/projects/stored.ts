import type { ProjectConfig } from "../../resources/projects/schema.js";
import type { KeySeed } from "../seed.js";

/** A project: whose sessions, files, logs and MCP servers others do not see. */
export interface StoredProject {
  /** Starts with `pr_`. */
  id: string;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  config: ProjectConfig;
  isDeleted: boolean;
}

/** What a project knows about one of its keys. Whether the key is good, `keys` of the state says. */
export interface StoredProjectKey {
  /** UUID. */
  id: string;
  name: string;
  projectId: string;
  /** ISO 8601. */
  createdAt: string;
}

/** The project that the seed's keys belong to. */
export const FIRST_PROJECT = "pr_emulator";

/** The organization of every project. */
export const ORGANIZATION = { id: "ok_emulator", name: "Emulator", plan: "hobby" } as const;

/** A project with the settings that projects begin with. See assumption E53. */
export function newProject(id: string, name: string, now: string, config: ProjectConfig = {}): StoredProject {
  const defaults: ProjectConfig = {
    is_2FA_enabled: false,
    mask_secret_keys_in_connected_account: true,
    log_visibility_setting: "show_all",
    logo_url: "",
    display_name: name,
    require_mcp_api_key: true,
    is_svc_link_enabled_for_managed_auth: true,
    signed_url_file_expiry_in_seconds: 3_600,
  };
  return { id, name, createdAt: now, updatedAt: now, config: { ...defaults, ...config }, isDeleted: false };
}

/** The first project and its keys. `now` is the emulator's first time, ISO 8601. */
export function seedProjects(keys: readonly KeySeed[], now: string) {
  const projectKeys = keys.filter(({ kind }) => kind === "apiKey");
  return {
    projects: new Map([[FIRST_PROJECT, newProject(FIRST_PROJECT, "emulator", now)]]),
    projectKeys: new Map(
      projectKeys.map(({ value }, index): [string, StoredProjectKey] => [
        value,
        {
          // Not from the sequence: a key more in the seed must not change every other id.
          id: `7d2c1c1e-5a53-4c7e-9d5e-${String(index + 1).padStart(12, "0")}`,
          name: index === 0 ? "emulator" : `emulator-${index + 1}`,
          projectId: FIRST_PROJECT,
          createdAt: now,
        },
      ]),
    ),
  };
}
