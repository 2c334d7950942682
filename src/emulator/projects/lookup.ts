import { notFound } from "../refusal.js";
import type { KeySeed } from "../seed.js";
import type { State } from "../state.js";
import { FIRST_PROJECT, type StoredProject } from "./stored.js";

/**
 * The project a key speaks for: its own, or for a key of a person or an organization the first one. See assumption E54.
 *
 * @throws {Refusal} 404 for one that was deleted.
 */
export function projectOf(key: KeySeed | undefined, state: State): StoredProject {
  const id = projectIdOf(key, state);
  const project = state.projects.get(id);
  if (project && !project.isDeleted) return project;
  throw notFound("Project", `Project ${id}`, 10404);
}

/** The id of the project a key speaks for, deleted or not. */
export function projectIdOf(key: KeySeed | undefined, { projectKeys }: State): string {
  return (key && projectKeys.get(key.value)?.projectId) ?? FIRST_PROJECT;
}
