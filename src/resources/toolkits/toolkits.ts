import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise, PagePromise } from "../../core/promises.js";
import {
  getToolkit,
  getToolkitChangelog,
  listNamedToolkits,
  listToolkitCategories,
  listToolkits,
} from "./endpoints.js";
import type {
  GetToolkitQuery,
  ListNamedToolkitsBody,
  ListToolkitsQuery,
  Toolkit,
  ToolkitCategory,
  ToolkitCategoryPage,
  ToolkitChangelog,
  ToolkitDetail,
  ToolkitPage,
} from "./schema.js";

/** The external applications there are tools for. See assumption A6. */
export class Toolkits {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Lists toolkits. Awaited, one page; iterated, all of them. */
  list(query?: ListToolkitsQuery, options?: RequestOptions): PagePromise<ToolkitPage, Toolkit> {
    return this.#core.list(listToolkits, { query }, options);
  }

  /**
   * One toolkit with its versions and with what each auth scheme needs.
   *
   * @throws {NotFoundError} 404: no such toolkit. Slugs are lower case.
   */
  get(slug: string, query?: GetToolkitQuery, options?: RequestOptions): ApiPromise<ToolkitDetail> {
    return this.#core.call(getToolkit, { params: { slug }, query }, options);
  }

  /** The categories toolkits are filed under. Takes the project key. */
  categories(options?: RequestOptions): PagePromise<ToolkitCategoryPage, ToolkitCategory> {
    return this.#core.list(listToolkitCategories, {}, options);
  }

  /** What changed in each toolkit, at most its last 10 versions. One answer holds all. Takes the project key. */
  changelog(options?: RequestOptions): ApiPromise<ToolkitChangelog> {
    return this.#core.call(getToolkitChangelog, {}, options);
  }

  /** Lists the named toolkits. Only reads, although it is a POST. Takes the project key. */
  multi(body: ListNamedToolkitsBody = {}, options?: RequestOptions): PagePromise<ToolkitPage, Toolkit> {
    return this.#core.list(listNamedToolkits, { body }, options);
  }
}
