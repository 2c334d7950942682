import { isObject, isString } from "../shared/json.js";
import type { ResultFile } from "./call-result.js";

/** How the model sees a file in a result: as a handle, or by its signed URL. */
export type ResultFiles = "handle" | "link" | "bytes";

/** Fetches a file of a result. */
export type Download = (file: { readonly s3url: string }) => Promise<{ readonly bytes: Uint8Array }>;

/** A result as the model reads it, and the files that were in it. */
export interface FoundFiles {
  readonly data: unknown;
  readonly files: readonly ResultFile[];
}

/** Takes the signed URLs out of a result, unless the model is to read them: each lets anyone download its file. */
export async function takeFiles(
  data: unknown,
  shown: ResultFiles,
  download: Download | undefined,
): Promise<FoundFiles> {
  const found: Omit<ResultFile, "bytes" | "error">[] = [];
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    const { s3url, name, mimetype } = value;
    const members = Object.entries(value).map(([key, member]) => [key, visit(member)] as const);
    if (!isString(s3url)) return Object.fromEntries(members);
    const handle = `file_${found.length + 1}`;
    found.push({
      handle,
      url: s3url,
      name: isString(name) ? name : undefined,
      mimetype: isString(mimetype) ? mimetype : undefined,
    });
    if (shown === "link") return Object.fromEntries(members);
    return { file: handle, ...Object.fromEntries(members.filter(([key]) => key !== "s3url")) };
  };
  const visible = visit(data);
  const fetched = found.map(async (file): Promise<ResultFile> => {
    if (shown !== "bytes" || !download) return { ...file, bytes: undefined, error: undefined };
    // The tool has run: a download that fails must not make its result one that failed.
    return download({ s3url: file.url }).then(
      ({ bytes }) => ({ ...file, bytes, error: undefined }),
      (error: unknown) => ({ ...file, bytes: undefined, error }),
    );
  });
  return { data: visible, files: await Promise.all(fetched) };
}
