import { ConfigError } from "../errors/local.js";
import { DOWNLOAD, UPLOAD } from "../json-schema/keywords.js";
import { replaceMarked } from "../json-schema/marked-schemas.js";
import { field, isObject, isString, type Json, mapMembers } from "../shared/json.js";
import type { Execution } from "./agent-tool.js";
import type { ResultFile } from "./call-result.js";
import { ensure } from "./ensure.js";
import type { CallLimits } from "./run-options.js";
import type { ToolClient } from "./tools/read-tools.js";

/** A file that a model named as an argument. */
export interface FileRequest extends Execution {
  /** A path or URL, as the model wrote it. Don't trust it: models repeat text from strangers. */
  readonly source: string;
}

/** The file to upload for a {@link FileRequest}. */
export interface FileContent {
  /** All of the file. */
  readonly content: Blob | Uint8Array;
  /** The name of the uploaded file. */
  readonly filename: string;
  /** Media type. */
  readonly mimetype: string;
}

/** Options of a toolset for the files of calls and results. */
export interface FileOptions {
  /**
   * Opens the file that a model named as an argument. Throw to reject the file, with a message for the model. By
   * default, no file is opened, because a model must not read your disk or your network.
   */
  readonly openFile?: ((request: FileRequest, limits: CallLimits) => Promise<FileContent> | FileContent) | undefined;
  /**
   * The form in which the model reads files in results. `handle`: a name, while your program gets the signed URL.
   * `bytes`: the same, and each file that the tool's output schema declares is downloaded for your program. `link`: the
   * signed URL, with which anyone can download the file.
   * @default "handle"
   */
  readonly resultFiles?: ResultFiles | undefined;
  /** Uploads and downloads files. By default, the client's `files`. A session has no default. */
  readonly files?: ToolClient["files"] | undefined;
}

/** Opens the file at a path or URL. */
export type OpenFile = (source: string) => Promise<FileContent>;

/** The files that a call's arguments name. */
export interface CallFiles {
  /** The original JSON Schema of the arguments, which marks the files. */
  readonly schema: Json;
  /** Opens each file once, and keeps a copy: the bytes that were approved are those that are uploaded. */
  readonly openFile: OpenFile;
}

/** The files of a call, which the program opens. */
export function callFiles(
  schema: Json,
  execution: Execution,
  open: FileOptions["openFile"],
  limits: CallLimits,
): CallFiles {
  const opened = new Map<string, Promise<FileContent>>();
  const copied = async (source: string): Promise<FileContent> => {
    if (!open) throw new Error("this program doesn't open files.");
    const { content, filename, mimetype } = await open({ ...execution, source }, limits);
    // A Blob is copied, too: that of a file may be read anew each time.
    const bytes = new Uint8Array(content instanceof Uint8Array ? content : await content.arrayBuffer());
    return { content: bytes, filename, mimetype };
  };
  const openFile: OpenFile = (source) => {
    const known = opened.get(source) ?? copied(source);
    opened.set(source, known);
    return known;
  };
  return { schema, openFile };
}

/** The arguments of a call, in which each file is the uploaded one. */
export function uploaded(
  { tool, arguments: args }: Execution,
  { schema, openFile }: CallFiles,
  files: ToolClient["files"],
  limits: CallLimits,
): Promise<unknown> {
  const { toolkit: toolkit_slug = "", name: tool_slug } = tool;
  return withUploads(schema, args, async (source) => {
    const { content, filename, mimetype } = await openFile(source);
    ensure(files, "a session needs files: svc.files.");
    return files.upload(content, { toolkit_slug, tool_slug, filename, mimetype }, limits);
  });
}

/** A copy of the arguments in which each file is what `upload` returned for its path or URL. */
export function withUploads(
  schema: Json,
  value: unknown,
  upload: (source: string) => Promise<unknown>,
): Promise<unknown> {
  // An empty string means no file. Assumption A11.
  const replace = (given: unknown) => (isString(given) && given !== "" ? upload(given) : undefined);
  return replaceMarked(schema, value, UPLOAD, replace);
}

/** How the model sees a file in a result: as a handle, or by its signed URL. */
export type ResultFiles = "handle" | "link" | "bytes";

/** Options about results. */
export interface ResultOptions extends Pick<FileOptions, "resultFiles" | "files"> {
  readonly maxResultBytes: number;
}

/** A result as the model reads it, and the files that were in it. */
export interface TakenFiles {
  readonly data: unknown;
  readonly files: readonly ResultFile[];
}

/** Takes the signed URLs out of a result, unless the model is to read them: each lets anyone download its file. */
export async function filesTaken(
  { callId, tool }: Pick<Execution, "callId" | "tool">,
  whole: unknown,
  { resultFiles, files }: Omit<ResultOptions, "maxResultBytes">,
  limits: CallLimits,
): Promise<TakenFiles> {
  const found: ResultFile[] = [];
  const visit = (value: unknown): unknown => {
    const visible = mapMembers(value, visit);
    if (!isObject(visible) || !isString(visible["s3url"])) return visible;
    // The handle takes the place of a field of the same name.
    const { s3url: url, file: _, ...others } = visible;
    const { name, mimetype } = others;
    // With the call's id: two files of a conversation must not have the same name.
    const handle = `${callId}/file_${found.length + 1}`;
    found.push({
      handle,
      url,
      name: isString(name) ? name : undefined,
      mimetype: isString(mimetype) ? mimetype : undefined,
      bytes: undefined,
      error: undefined,
    });
    return resultFiles === "link" ? visible : { file: handle, ...others };
  };
  const visible = visit(whole);
  if (resultFiles !== "bytes" || !files) return { data: visible, files: found };
  const declared = new Set<unknown>();
  await replaceMarked(tool.output ?? {}, whole, DOWNLOAD, (given) => {
    declared.add(field(given, "s3url"));
    return undefined;
  });
  const fetched = found.map(async (file): Promise<ResultFile> => {
    // Text that a stranger wrote may look like a file, and its URL may be of a server inside of a network.
    if (!declared.has(file.url)) return { ...file, error: new ConfigError(UNDECLARED) };
    try {
      return { ...file, bytes: (await files.download(file.url, limits)).bytes };
    } catch (error) {
      // The tool has run: a download that fails must not make its result one that failed.
      return { ...file, error };
    }
  });
  return { data: visible, files: await Promise.all(fetched) };
}

const UNDECLARED =
  "toolset: the file wasn't downloaded: the tool's output schema declares none there. If you trust its url, pass it to svc.files.download.";
