import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise, PagePromise } from "../../core/promises.js";
import { toolkits } from "./endpoints.js";
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

/** Applications that tools are available for. */
export class Toolkits {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Lists toolkits. Await for one page, or iterate for all. */
  list(query?: ListToolkitsQuery, options?: RequestOptions): PagePromise<ToolkitPage, Toolkit> {
    return this.#core.list(toolkits.list, { query }, options);
  }

  /**
   * Returns a toolkit with its versions and the requirements of each auth scheme.
   *
   * @throws {NotFoundError} 404: no such toolkit. Slugs are lower case.
   */
  get(slug: string, query?: GetToolkitQuery, options?: RequestOptions): ApiPromise<ToolkitDetail> {
    return this.#core.call(toolkits.get, { params: { slug }, query }, options);
  }

  /** Lists the categories of toolkits. Requires the project key. */
  categories(options?: RequestOptions): PagePromise<ToolkitCategoryPage, ToolkitCategory> {
    return this.#core.list(toolkits.categories, {}, options);
  }

  /**
   * Lists the changes of each toolkit in at most its last 10 versions. One response contains all. Requires the project
   * key.
   */
  changelog(options?: RequestOptions): ApiPromise<ToolkitChangelog> {
    return this.#core.call(toolkits.changelog, {}, options);
  }

  /** Lists the given toolkits. Read-only, although it's a POST. Requires the project key. */
  multi(body: ListNamedToolkitsBody = {}, options?: RequestOptions): PagePromise<ToolkitPage, Toolkit> {
    return this.#core.list(toolkits.multi, { body }, options);
  }
}
