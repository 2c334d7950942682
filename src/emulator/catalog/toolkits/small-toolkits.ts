import { textOf } from "../../../shared/json.js";
import {
  list,
  listIn,
  objectSchema,
  ProviderError,
  secretField,
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
        const file = files.read(textOf(given["file"], "s3key"));
        if (!file) throw new ProviderError(422, "No file was given");
        const stored = listIn<DriveFile>(data, "files");
        // Equal content is one upload, which has the name of the last request.
        const [name, mimetype] = [textOf(given["file"], "name"), textOf(given["file"], "mimetype")];
        const added = { id: `file-${stored.length + 1}`, name, mimetype };
        stored.push({ ...added, size: file.bytes.length, bytes: [...file.bytes] });
        return { id: added.id, name, size: file.bytes.length };
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
        const found = listIn<DriveFile>(data, "files").find((file) => file.id === given["file_id"]);
        if (!found) throw new ProviderError(404, "File not found");
        const { name, mimetype, bytes } = found;
        return { file: files.store({ name, mimetype, bytes: Uint8Array.from(bytes) }) };
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
        files: listIn<DriveFile>(data, "files").map(({ id, name, mimetype, size }) => ({ id, name, mimetype, size })),
      }),
    },
  ],
};

/** Text functions. Doesn't need an account. */
export const textkit: ToolkitDefinition = {
  slug: "textkit",
  name: "Textkit",
  description: "Counts and changes text. Needs no account.",
  categories: [{ id: "developer-tools", name: "Developer Tools" }],
  auth: [],
  versions: { "20250115_00": "Counting tells words and characters apart.", "20250930_00": "Adds reversing." },
  tools: [
    {
      slug: "TEXTKIT_COUNT_WORDS",
      name: "Count words",
      description: "Counts the words in text.",
      input: objectSchema({ text: text("Any text.") }),
      output: objectSchema({ words: whole("Words in it.") }),
      tags: ["readOnlyHint", "important"],
      changes: {
        "20250115_00": {
          output: objectSchema({ words: whole("Words in it."), characters: whole("Characters in it.") }),
        },
      },
      run: ({ arguments: given, version }) => {
        const counted = String(given["text"]);
        const words = counted.split(/\s+/).filter(Boolean).length;
        return version < "20250115_00" ? { words } : { words, characters: [...counted].length };
      },
    },
    {
      slug: "TEXTKIT_REVERSE",
      name: "Reverse",
      description: "Reverses text.",
      input: objectSchema({ text: text("Any text but a blank one.") }),
      output: objectSchema({ text: text("The text, last character first.") }),
      tags: ["readOnlyHint"],
      since: "20250930_00",
      run: ({ arguments: given }) => {
        const original = String(given["text"]);
        if (original.trim() === "") throw new ProviderError(422, "There is nothing to reverse");
        return { text: [...original].reverse().join("") };
      },
    },
  ],
};

const city = text("Name of a city.");

const reading = objectSchema({ celsius: whole("Temperature."), sky: text("clear, cloudy or rain.") });

/** Weather derived from the city's name, so it's always the same. `Atlantis` returns an error. */
export const weathermap: ToolkitDefinition = {
  slug: "weathermap",
  name: "Weathermap",
  description: "Weather readings and forecasts.",
  categories: [{ id: "data", name: "Data" }],
  auth: [{ scheme: "API_KEY", accountFields: [secretField("generic_api_key", "API key", "From your account page.")] }],
  versions: { "20250801_00": "Adds the forecast." },
  baseUrl: "https://api.weathermap.example.com",
  tools: [
    {
      slug: "WEATHERMAP_WEATHER",
      name: "Weather",
      description: "The weather in a city, now.",
      input: objectSchema({ city }),
      output: reading,
      tags: ["readOnlyHint", "important"],
      run: ({ arguments: { city } }) => weatherOf(String(city), 0),
    },
    {
      slug: "WEATHERMAP_FORECAST",
      name: "Forecast",
      description: "The weather in a city for the coming days.",
      input: objectSchema({ city, days: { type: "integer", minimum: 1, maximum: 7 } }),
      output: objectSchema({ days: list(reading, "One reading a day.") }),
      tags: ["readOnlyHint"],
      since: "20250801_00",
      run: ({ arguments: { city, days } }) => ({
        days: Array.from({ length: Number(days) }, (_, day) => weatherOf(String(city), day)),
      }),
    },
  ],
  proxy: ({ method, path, query }) => {
    const wanted = query.get("city");
    if (method !== "GET" || path !== "/weather" || wanted === null)
      return { status: 404, data: { message: "Not Found" } };
    return { status: 200, data: weatherOf(wanted, 0) };
  },
};

function weatherOf(city: string, day: number) {
  if (city.trim().toLowerCase() === "atlantis") throw new ProviderError(404, "city not found");
  const mood = [...city.toLowerCase()].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, day + 7);
  return { celsius: (mood % 40) - 5, sky: ["clear", "cloudy", "rain"][mood % 3] };
}
