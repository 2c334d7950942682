import { field, isObject, isString, mapMembers } from "../shared/json.js";
import type { ResultFile } from "./call-result.js";
import type { ToolClient } from "./sources.js";

/** How the model sees a file in a result: as a handle, or by its signed URL. */
export type ResultFiles = "handle" | "link" | "bytes";

/** A result as the model reads it, and the files that were in it. */
export interface FoundFiles {
  readonly data: unknown;
  readonly files: readonly ResultFile[];
}

/** Settings of a toolset for files in results. */
interface FileSettings {
  /** By default a handle. */
  readonly resultFiles?: ResultFiles | undefined;
  readonly files: ToolClient["files"];
}

/** Takes the signed URLs out of a result, unless the model is to read them: each lets anyone download its file. */
export async function takeFiles(
  callId: string,
  data: unknown,
  { resultFiles, files }: FileSettings,
): Promise<FoundFiles> {
  const found: ResultFile[] = [];
  const visit = (value: unknown): unknown => {
    // A date, for example: it becomes a string when the result is written as JSON.
    if (typeof field(value, "toJSON") === "function") return value;
    const visible = mapMembers(value, visit);
    if (!isObject(visible) || !isString(visible["s3url"])) return visible;
    const { s3url: url, ...others } = visible;
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
  const visible = visit(data);
  const fetched = found.map(async (file): Promise<ResultFile> => {
    if (resultFiles !== "bytes" || !files) return file;
    try {
      return { ...file, bytes: (await files.download(file.url)).bytes };
    } catch (error) {
      // The tool has run: a download that fails must not make its result one that failed.
      return { ...file, error };
    }
  });
  return { data: visible, files: await Promise.all(fetched) };
}
