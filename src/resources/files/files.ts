import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import { copyOfCallOptions } from "../../client/options/checks.js";
import type { PagePromise } from "../../client/pages.js";
import type { RequestOptions } from "../../client/request-options.js";
import { loadPart } from "../../errors/base.js";
import { files } from "./endpoints.js";
import type { DownloadedFile, FileUpload } from "./file-transfers.js";
import type * as shapes from "./schema.js";

/** Files that tools accept and return. */
export class Files extends Resource {
  /**
   * Lists uploaded files. Await it for one page, or iterate over all items.
   *
   * @deprecated Keep the `s3key` that `upload` returns.
   */
  list(query?: shapes.ListFilesQuery, options?: RequestOptions): PagePromise<shapes.FilePage> {
    return coreOf(this).list(files().list, { query }, options);
  }

  /**
   * Requests a signed URL to PUT a file's bytes to. Doesn't send the bytes: `upload` does both.
   *
   * @throws {NotFoundError} 404: no such toolkit or tool.
   */
  requestUpload(body: shapes.RequestUploadBody, options?: RequestOptions): ApiPromise<shapes.FileUploadTarget> {
    return coreOf(this).call(files().requestUpload, { body }, options);
  }

  /**
   * Uploads a file for a tool, and returns the value to pass as the tool's argument.
   *
   * ```ts
   * const file = await svc.files.upload(new Blob(["Dear Ada, …"]), {
   *   toolkit_slug: "drive",
   *   tool_slug: "DRIVE_UPLOAD_FILE",
   *   filename: "letter.txt",
   *   mimetype: "text/plain",
   * });
   * const stored = await svc.tools.execute("DRIVE_UPLOAD_FILE", { user_id: "ada", version, arguments: { file } });
   * ```
   *
   * Sends two requests: one to the service, and one with the bytes, without a key, to the storage. `deadlineMs` limits
   * both together, `timeoutMs` each attempt. `headers` are sent only to the service. The whole file is kept in memory.
   * The service deletes its copy after 24 hours.
   *
   * @throws {NotFoundError} 404: no such toolkit or tool.
   * @throws {ResponseError} the storage rejected the bytes. `status` is its status.
   * @throws {ConnectionError} the service or the storage couldn't be reached.
   */
  async upload(
    content: Blob | Uint8Array,
    file: FileUpload,
    options: RequestOptions = {},
  ): Promise<shapes.FileArgument> {
    const core = coreOf(this);
    // Copied, because the caller may use its objects for the next file while this one is read and sent.
    const facts = { ...file };
    const bytes = isBytes(content) ? new Uint8Array(content) : content;
    const shared = core.sharedDeadline("files.upload", options);
    // Few programs transfer files.
    const { upload } = await loadPart("files.upload", import("./file-transfers.js"));
    return upload(core, bytes, facts, shared, options?.signal);
  }

  /**
   * Downloads a file that a tool returned. Pass the file object from the result, or its signed URL. Sends no key and
   * follows no redirect.
   *
   * Any https URL is requested, so pass only URLs from a tool's file field. Reads at most the client's `maxBodyBytes`.
   *
   * @throws {ValidationError} before anything is sent: not an https URL.
   * @throws {ResponseError} the storage rejected the request, mostly with 403 because the URL has expired, or the file
   * is larger than `maxBodyBytes`.
   * @throws {ConnectionError} the storage couldn't be reached.
   */
  async download(file: shapes.DownloadableFile | string, options?: RequestOptions): Promise<DownloadedFile> {
    const core = coreOf(this);
    const given = typeof file === "string" ? { s3url: file } : { ...file };
    const copy = options && copyOfCallOptions(options);
    const { download } = await loadPart("files.download", import("./file-transfers.js"));
    return download(core, given, copy ?? options);
  }
}

/** Checked by name, because one from another realm (jsdom, vm) isn't an instance of this realm's class. */
function isBytes(content: unknown): content is Uint8Array {
  return Object.prototype.toString.call(content) === "[object Uint8Array]";
}
