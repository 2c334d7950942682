import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise, PagePromise } from "../../core/promises.js";
import {
  createProject,
  deleteProject,
  getProject,
  getProjectConfig,
  listMyProjects,
  listOrganizations,
  listProjects,
  regenerateProjectApiKey,
  updateProjectConfig,
} from "./endpoints.js";
import type {
  CreatedProject,
  CreateProjectBody,
  DeletedProject,
  DeleteProjectQuery,
  ListMyProjectsQuery,
  ListOrganizationsQuery,
  ListProjectsQuery,
  OrganizationList,
  Project,
  ProjectConfig,
  ProjectDetail,
  ProjectPage,
  RegeneratedApiKey,
  UpdateProjectConfigBody,
} from "./schema.js";

/**
 * The projects of an organization and their settings. Projects take the organization key, settings the project or the user
 * key, what belongs to a user the user key. Spec: Authentication; see assumption R9.
 */
export class Projects {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Creates a project. Takes the organization key. Never sent twice when the first may have run.
   *
   * @throws {BadRequestError} 400: the name is too short, too long, or holds other characters.
   */
  create(body: CreateProjectBody, options?: RequestOptions): ApiPromise<CreatedProject> {
    return this.#core.call(createProject, { body }, options);
  }

  /** Lists the organization's projects. Awaited, one page; iterated, all of them. Takes the organization key. */
  list(query?: ListProjectsQuery, options?: RequestOptions): PagePromise<ProjectPage, Project> {
    return this.#core.list(listProjects, { query }, options);
  }

  /**
   * One project with its keys. Takes the organization key.
   *
   * @throws {NotFoundError} 404: no such project.
   */
  get(id: string, options?: RequestOptions): ApiPromise<ProjectDetail> {
    return this.#core.call(getProject, { params: { nano_id: id } }, options);
  }

  /**
   * Deletes a project. Takes the organization key.
   *
   * @throws {NotFoundError} 404: no such project, or it was deleted before.
   */
  delete(id: string, query?: DeleteProjectQuery, options?: RequestOptions): ApiPromise<DeletedProject> {
    return this.#core.call(deleteProject, { params: { nano_id: id }, query }, options);
  }

  /**
   * Makes a new key for a project; the answer holds it. Takes the organization key. Never sent twice when the first may
   * have run.
   *
   * @throws {NotFoundError} 404: no such project.
   */
  regenerateApiKey(id: string, options?: RequestOptions): ApiPromise<RegeneratedApiKey> {
    return this.#core.call(regenerateProjectApiKey, { params: { nano_id: id } }, options);
  }

  /** The settings of the key's own project. Takes the project key, or the user key. */
  getConfig(options?: RequestOptions): ApiPromise<ProjectConfig> {
    return this.#core.call(getProjectConfig, {}, options);
  }

  /**
   * Changes the given settings of the key's own project; the others stay. Takes the project key, or the user key.
   *
   * @throws {BadRequestError} 400: a value does not fit.
   */
  updateConfig(body: UpdateProjectConfigBody, options?: RequestOptions): ApiPromise<ProjectConfig> {
    return this.#core.call(updateProjectConfig, { body }, options);
  }

  /** A page of the organizations the user belongs to. Takes the user key. */
  listOrganizations(query?: ListOrganizationsQuery, options?: RequestOptions): ApiPromise<OrganizationList> {
    return this.#core.call(listOrganizations, { query }, options);
  }

  /** Lists the user's projects. Awaited, one page; iterated, all of them. Takes the user key. */
  listMine(query?: ListMyProjectsQuery, options?: RequestOptions): PagePromise<ProjectPage, Project> {
    return this.#core.list(listMyProjects, { query }, options);
  }
}
