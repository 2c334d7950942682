import type { KeySeed } from "../seed.js";
import type { State } from "../state.js";
import { FIRST_PROJECT, newProject, type StoredProject } from "./stored.js";

/** The project a key speaks for: its own, or for a key of a person or an organization the first one. See assumption E54. */
export function projectOf(key: KeySeed | undefined, { projects, projectKeys }: State): StoredProject {
  const id = (key && projectKeys.get(key.value)?.projectId) ?? FIRST_PROJECT;
  return projects.get(id) ?? newProject(id, id, new Date(0).toISOString());
}
