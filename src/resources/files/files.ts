import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise, PagePromise } from "../../core/promises.js";
import { listFiles, requestFileUpload } from "./endpoints.js";
import type {
  DownloadableFile,
  FileArgument,
  FilePage,
  FileRecord,
  FileUploadTarget,
  ListFilesQuery,
  RequestUploadBody,
} from "./schema.js";
import { type DownloadedFile, downloadFile, type FileUpload, uploadFile } from "./transfers.js";

/** Files that tools accept and return. */
export class Files {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Lists uploaded files. Await for one page, or iterate for all.
   *
   * @deprecated Keep the `s3key` that `upload` returns.
   */
  list(query?: ListFilesQuery, options?: RequestOptions): PagePromise<FilePage, FileRecord> {
    return this.#core.list(listFiles, { query }, options);
  }

  /**
   * Requests a signed URL to PUT a file's bytes to. Sends no bytes: `upload` does both.
   *
   * @throws {NotFoundError} 404: no such toolkit or tool.
   */
  requestUpload(body: RequestUploadBody, options?: RequestOptions): ApiPromise<FileUploadTarget> {
    return this.#core.call(requestFileUpload, { body }, options);
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
   * both together, `timeoutMs` each attempt; `headers` are sent to the service only. The whole file is kept in memory.
   * The service deletes it after 24 hours.
   *
   * @throws {NotFoundError} 404: no such toolkit or tool.
   * @throws {ResponseError} the storage rejected the bytes; `status` is its status.
   * @throws {ConnectionError} the service or the storage couldn't be reached.
   */
  upload(content: Blob | Uint8Array, file: FileUpload, options?: RequestOptions): Promise<FileArgument> {
    return uploadFile(this.#core, content, file, options);
  }

  /**
   * Downloads a file that a tool returned. Pass the file object of its result or the signed URL in it. Sends no key and
   * follows no redirect.
   *
   * The URL is used as it is, so pass only what came from a tool's file field. Reads at most the client's
   * `maxBodyBytes`.
   *
   * @throws {ValidationError} before anything is sent: not an https URL.
   * @throws {ResponseError} the storage rejected the request, mostly with 403 because the URL has expired; or the file
   * is larger than `maxBodyBytes`.
   * @throws {ConnectionError} the storage couldn't be reached.
   */
  download(file: DownloadableFile | string, options?: RequestOptions): Promise<DownloadedFile> {
    return downloadFile(this.#core, file, options);
  }
}
