import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { PagePromise } from "../../client/pages.js";
import type { RequestOptions } from "../../client/request-options.js";
import { projects } from "./endpoints.js";
import type * as shapes from "./schema.js";

/**
 * The projects of an organization and their settings. Methods for projects require the organization key, methods for
 * settings the project key or the user key, and lists of a user's own projects the user key.
 */
export class Projects extends Resource {
  /**
   * Creates a project. Requires the organization key. Never retried if it may have run.
   *
   * @throws {BadRequestError} 400: the name is too short, too long, or contains other characters.
   */
  create(body: shapes.CreateProjectBody, options?: RequestOptions): ApiPromise<shapes.CreatedProject> {
    return coreOf(this).call(projects().create, { body }, options);
  }

  /**
   * Lists the organization's projects. Await it for one page, or iterate over all items. Requires the organization key.
   */
  list(query?: shapes.ListProjectsQuery, options?: RequestOptions): PagePromise<shapes.ProjectPage> {
    return coreOf(this).list(projects().list, { query }, options);
  }

  /**
   * Returns a project with its keys. Requires the organization key.
   *
   * @throws {NotFoundError} 404: no such project.
   */
  get(id: string, options?: RequestOptions): ApiPromise<shapes.ProjectDetail> {
    return coreOf(this).call(projects().get, { params: { nano_id: id } }, options);
  }

  /**
   * Deletes a project. Requires the organization key.
   *
   * @throws {NotFoundError} 404: no such project, or it was already deleted.
   */
  delete(id: string, query?: shapes.DeleteProjectQuery, options?: RequestOptions): ApiPromise<shapes.DeletedProject> {
    return coreOf(this).call(projects().delete, { params: { nano_id: id }, query }, options);
  }

  /**
   * Creates a new key for a project and returns it. Requires the organization key. Never retried if it may have run.
   *
   * @throws {NotFoundError} 404: no such project.
   */
  regenerateApiKey(id: string, options?: RequestOptions): ApiPromise<shapes.RegeneratedApiKey> {
    return coreOf(this).call(projects().regenerateApiKey, { params: { nano_id: id } }, options);
  }

  /** Returns the settings of the key's own project. Requires the project key or the user key. */
  getConfig(options?: RequestOptions): ApiPromise<shapes.ProjectConfig> {
    return coreOf(this).call(projects().getConfig, {}, options);
  }

  /**
   * Changes the given settings of the key's own project. Other settings stay unchanged. Requires the project key or the
   * user key.
   *
   * @throws {BadRequestError} 400: a value is invalid.
   */
  updateConfig(body: shapes.UpdateProjectConfigBody, options?: RequestOptions): ApiPromise<shapes.ProjectConfig> {
    return coreOf(this).call(projects().updateConfig, { body }, options);
  }

  /** Lists one page of the user's organizations. Requires the user key. */
  listOrganizations(
    query?: shapes.ListOrganizationsQuery,
    options?: RequestOptions,
  ): ApiPromise<shapes.OrganizationList> {
    return coreOf(this).call(projects().listOrganizations, { query }, options);
  }

  /** Lists the user's projects. Await it for one page, or iterate over all items. Requires the user key. */
  listMine(query?: shapes.ListMyProjectsQuery, options?: RequestOptions): PagePromise<shapes.ProjectPage> {
    return coreOf(this).list(projects().listMine, { query }, options);
  }
}
