import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { PagePromise } from "../../client/pages.js";
import type { RequestOptions } from "../../client/request-options.js";
import { toolkits } from "./endpoints.js";
import type * as shapes from "./schema.js";

/** Applications that tools are available for. */
export class Toolkits extends Resource {
  /** Lists toolkits. Await it for one page, or iterate over all items. */
  list(query?: shapes.ListToolkitsQuery, options?: RequestOptions): PagePromise<shapes.ToolkitPage> {
    return coreOf(this).list(toolkits().list, { query }, options);
  }

  /**
   * Returns a toolkit with its versions and the requirements of each auth scheme.
   *
   * @throws {NotFoundError} 404: no such toolkit. Slugs are lower case.
   */
  get(slug: string, query?: shapes.GetToolkitQuery, options?: RequestOptions): ApiPromise<shapes.ToolkitDetail> {
    return coreOf(this).call(toolkits().get, { params: { slug }, query }, options);
  }

  /** Lists the categories of toolkits. Requires the project key. */
  listCategories(options?: RequestOptions): PagePromise<shapes.ToolkitCategoryPage> {
    return coreOf(this).list(toolkits().listCategories, {}, options);
  }

  /** Returns the changes of every toolkit in up to its last 10 versions, in one response. Requires the project key. */
  getChangelog(options?: RequestOptions): ApiPromise<shapes.ToolkitChangelog> {
    return coreOf(this).call(toolkits().getChangelog, {}, options);
  }

  /** Lists the given toolkits. Read-only, although it's a POST. Requires the project key. */
  listBySlugs(body: shapes.ListNamedToolkitsBody = {}, options?: RequestOptions): PagePromise<shapes.ToolkitPage> {
    return coreOf(this).list(toolkits().listBySlugs, { body }, options);
  }
}
