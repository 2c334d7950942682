import * as z from "zod/mini";
import { object, openEnum, request } from "../../schema-kit.js";
import { pageQuery, pageTotals } from "../shared.js";

const fileFacts = {
  /** The toolkit it is for. */
  toolkit_slug: z.string(),
  /** The tool it is for. */
  tool_slug: z.string(),
  /** With its extension. */
  filename: z.string(),
  /** Media type. */
  mimetype: z.string(),
};

/** A file that was uploaded for a tool. See assumption R7. */
export const FileRecord = object({
  ...fileFacts,
  /** MD5 of the bytes, hexadecimal. Equal bytes are stored once. */
  md5: z.string(),
});
/** A file that was uploaded for a tool. See assumption R7. */
export interface FileRecord extends z.infer<typeof FileRecord> {}

/** A page of files. */
export const FilePage = object({ items: z.array(FileRecord), ...pageTotals });
/** A page of files. */
export interface FilePage extends z.infer<typeof FilePage> {}

/** Filters of the file list. */
export const ListFilesQuery = request({
  /** Files for this toolkit. */
  toolkit_slug: z.optional(z.string()),
  /** Files for this tool. */
  tool_slug: z.optional(z.string()),
  ...pageQuery,
});
/** Filters of the file list. */
export interface ListFilesQuery extends z.infer<typeof ListFilesQuery> {}

/** Body of a request for an address to upload to. */
export const RequestUploadBody = request({
  ...fileFacts,
  /** MD5 of the bytes, 32 hexadecimal digits. */
  md5: z.string().check(z.regex(/^[0-9a-fA-F]{32}$/)),
});
/** Body of a request for an address to upload to. */
export interface RequestUploadBody extends z.infer<typeof RequestUploadBody> {}

/** Where to upload a file, and its name afterwards. */
export const FileUploadTarget = object({
  /** Starts with `req_file_`. */
  id: z.string(),
  /** The stored file: `s3key` of the tool's argument. */
  key: z.string(),
  /** Signed: PUT the bytes there, without a key. Whoever has it can write. Good for an hour unless the project says else. */
  new_presigned_url: z.string(),
  /** @deprecated Use `new_presigned_url`. */
  newPresignedUrl: z.string(),
  /** @deprecated Always `new`. */
  type: openEnum(["new"]),
  /** Where the bytes go. */
  metadata: object({
    /** Azure wants the header `x-ms-blob-type: BlockBlob` with the upload. */
    storage_backend: openEnum(["s3", "azure_blob_storage"]),
  }),
});
/** Where to upload a file, and its name afterwards. */
export interface FileUploadTarget extends z.infer<typeof FileUploadTarget> {}

/**
 * An uploaded file as a tool takes it: the value of an argument whose schema says `file_uploadable`. An empty text instead
 * means no file. The bytes are removed after 24 hours.
 */
export const FileArgument = request({
  /** Name of the file. */
  name: z.string(),
  /** Media type. */
  mimetype: z.string(),
  /** `key` of the upload. */
  s3key: z.string(),
});
/**
 * An uploaded file as a tool takes it: the value of an argument whose schema says `file_uploadable`. An empty text instead
 * means no file. The bytes are removed after 24 hours.
 */
export interface FileArgument extends z.infer<typeof FileArgument> {}

/** A file as a tool gives it: the value of a result field whose schema says `file_downloadable`. */
export const DownloadableFile = object({
  /** Signed: GET the bytes there, without a key. Whoever has it can read. Good for an hour unless the project says else. */
  s3url: z.string(),
  /** Media type. */
  mimetype: z.optional(z.string()),
  /** Name of the file. */
  name: z.optional(z.string()),
});
/** A file as a tool gives it: the value of a result field whose schema says `file_downloadable`. */
export interface DownloadableFile extends z.infer<typeof DownloadableFile> {}
