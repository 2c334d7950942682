import {
  type JsonObject,
  list,
  objectSchema,
  ProviderError,
  type ToolkitDefinition,
  text,
  whole,
} from "../definitions.js";

interface DriveFile {
  id: string;
  name: string;
  mimetype: string;
  size: number;
  /** One number per byte, so that snapshots stay JSON. */
  bytes: number[];
}

const uploadable = {
  ...objectSchema({
    name: text("Name of the file."),
    mimetype: text("Media type."),
    s3key: text("Key of the upload."),
  }),
  description: "The file: what svc.files.upload gives.",
  file_uploadable: true,
};

const downloadable = {
  ...objectSchema({ s3url: text("Where to download it."), mimetype: text("Media type."), name: text("Its name.") }),
  description: "The file: svc.files.download takes it.",
  file_downloadable: true,
};

const id = text("Id of the file.");

/** Stores files. Doesn't need an account. */
export const drive: ToolkitDefinition = {
  slug: "drive",
  name: "Drive",
  description: "Stores files. Needs no account.",
  categories: [{ id: "documents", name: "Documents" }],
  auth: [],
  versions: { "20251103_00": "Files can be listed." },
  data: { files: [] satisfies DriveFile[] },
  tools: [
    {
      slug: "DRIVE_UPLOAD_FILE",
      name: "Upload file",
      description: "Stores a file under its name.",
      input: objectSchema({ file: uploadable }),
      output: objectSchema({ id, name: text("Its name."), size: whole("Bytes.") }),
      tags: ["important"],
      run: ({ arguments: given, data, files }) => {
        const file = files.read(keyOf(given["file"]));
        if (!file) throw new ProviderError(422, "No file was given");
        const stored = filesOf(data);
        const added = { id: `file-${stored.length + 1}`, name: file.name, mimetype: file.mimetype };
        stored.push({ ...added, size: file.bytes.length, bytes: [...file.bytes] });
        return { id: added.id, name: added.name, size: file.bytes.length };
      },
    },
    {
      slug: "DRIVE_DOWNLOAD_FILE",
      name: "Download file",
      description: "Gives a stored file.",
      input: objectSchema({ file_id: id }),
      output: objectSchema({ file: downloadable }),
      tags: ["readOnlyHint"],
      run: ({ arguments: given, data, files }) => {
        const found = filesOf(data).find((file) => file.id === given["file_id"]);
        if (!found) throw new ProviderError(404, "File not found");
        const { name, mimetype, bytes } = found;
        return { file: files.give({ name, mimetype, bytes: Uint8Array.from(bytes) }) };
      },
    },
    {
      slug: "DRIVE_LIST_FILES",
      name: "List files",
      description: "Lists the stored files.",
      input: objectSchema({}),
      output: objectSchema({ files: list({ type: "object" }, "The files.") }),
      tags: ["readOnlyHint"],
      since: "20251103_00",
      run: ({ data }) => ({
        files: filesOf(data).map(({ id, name, mimetype, size }) => ({ id, name, mimetype, size })),
      }),
    },
  ],
};

function keyOf(file: unknown): string {
  return typeof file === "object" && file !== null && "s3key" in file ? String(file.s3key) : "";
}

function filesOf(data: JsonObject): DriveFile[] {
  // Only this file's tools change this data.
  return data["files"] as DriveFile[];
}
