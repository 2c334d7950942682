import type { ApiPromise } from "../../client/api-promise.js";
import { type Core, coreOf, Resource } from "../../client/client.js";
import type { PagePromise } from "../../client/pages.js";
import type { RequestOptions } from "../../client/request-options.js";
import { mounts } from "./endpoints.js";
import type * as shapes from "./schema.js";

/** The files of a session's mount, a folder in the agent's sandbox. */
export class ToolRouterMount extends Resource {
  /** Id of the mount, `files` by default. */
  readonly id: string;
  /** Id of its session. */
  readonly sessionId: string;

  /** @internal */
  constructor(core: Core, sessionId: string, mountId: string) {
    super(core);
    this.id = mountId;
    this.sessionId = sessionId;
  }

  /**
   * Lists the files of a mount. Await it for one page, or iterate over all items. Pages have no totals.
   *
   * @throws {NotFoundError} 404: no such session or mount.
   */
  items(query?: shapes.ListMountItemsQuery, options?: RequestOptions): PagePromise<shapes.MountItemPage> {
    return coreOf(this).list(mounts().mountItems, { params: paramsOf(this), query }, options);
  }

  /**
   * Returns a signed URL to PUT a file's bytes to, without an API key. Doesn't send the bytes.
   *
   * @throws {NotFoundError} 404: no such session or mount.
   */
  uploadUrl(body: shapes.MountUploadBody, options?: RequestOptions): ApiPromise<shapes.MountUpload> {
    return coreOf(this).call(mounts().mountUploadUrl, { params: paramsOf(this), body }, options);
  }

  /**
   * Returns a signed URL to GET a file's bytes from, without an API key.
   *
   * @throws {NotFoundError} 404: no such session, mount or file.
   */
  downloadUrl(body: shapes.MountPathBody, options?: RequestOptions): ApiPromise<shapes.MountDownload> {
    return coreOf(this).call(mounts().mountDownloadUrl, { params: paramsOf(this), body }, options);
  }

  /**
   * Deletes a file of a mount.
   *
   * @throws {NotFoundError} 404: no such session, mount or file.
   */
  delete(body: shapes.MountPathBody, options?: RequestOptions): ApiPromise<shapes.DeletedMountItem> {
    return coreOf(this).call(mounts().mountDelete, { params: paramsOf(this), body }, options);
  }
}

const paramsOf = ({ id, sessionId }: ToolRouterMount) => ({ session_id: sessionId, mount_id: id });
