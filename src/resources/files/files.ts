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

/** Files that tools take and give. Spec: What the service does; see assumption R7. */
export class Files {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Lists uploaded files. Awaited, one page; iterated, all of them. */
  list(query?: ListFilesQuery, options?: RequestOptions): PagePromise<FilePage, FileRecord> {
    return this.#core.list(listFiles, { query }, options);
  }

  /**
   * Asks for a signed address to PUT a file's bytes to. Sends no bytes itself: `upload` does both.
   *
   * @throws {NotFoundError} 404: no such toolkit or tool.
   */
  requestUpload(body: RequestUploadBody, options?: RequestOptions): ApiPromise<FileUploadTarget> {
    return this.#core.call(requestFileUpload, { body }, options);
  }

  /**
   * Uploads a file for a tool, and gives the value to pass as the tool's argument.
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
   * Two requests: one to the service, one that carries the bytes to the storage without a key. `deadlineMs` bounds both
   * together, `timeoutMs` each attempt of either; `headers` go to the service only. The whole file is held in memory. The
   * service removes it after 24 hours.
   *
   * @throws {NotFoundError} 404: no such toolkit or tool.
   * @throws {ResponseError} the storage refused the bytes; `status` is its answer.
   * @throws {ConnectionError} the service or the storage was not reached.
   */
  upload(content: Blob | Uint8Array, file: FileUpload, options?: RequestOptions): Promise<FileArgument> {
    return uploadFile(this.#core, content, file, options);
  }

  /**
   * Fetches a file that a tool gave: the object of its result, or the signed address in it. Sends no key and follows no
   * redirect.
   *
   * The address is taken as it is, so pass only what came from a tool's file field. At most `maxBodyBytes` of the client
   * are read.
   *
   * @throws {ValidationError} before anything is sent: not an https address.
   * @throws {ResponseError} the storage refused, with 403 mostly because the address is older than its hour; or the file is
   * larger than `maxBodyBytes`.
   * @throws {ConnectionError} the storage was not reached.
   */
  download(file: DownloadableFile | string, options?: RequestOptions): Promise<DownloadedFile> {
    return downloadFile(this.#core, file, options);
  }
}
