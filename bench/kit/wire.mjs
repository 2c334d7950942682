// What the services of the contenders answer: records of the same size, each in the format of one service.
const PAGE = 100;
/** Of a page that is walked, and of the rows of a list. */
const COUNTS = { list100: 125, list2000: 2_500, page: PAGE };

const tool = (slug) => ({
  slug,
  name: "Create an issue",
  description: "Opens an issue in a repository, with labels.",
  toolkit: { slug: "github", name: "GitHub", logo: "https://logos.example.com/github.svg" },
  input_parameters: {
    type: "object",
    properties: { owner: { type: "string" }, repo: { type: "string" }, title: { type: "string" } },
    required: ["owner", "repo", "title"],
  },
  output_parameters: { type: "object", properties: { number: { type: "integer" } } },
  no_auth: false,
  available_versions: ["20250905_00", "20251023_00"],
  version: "20251023_00",
  scopes: ["repo"],
  scope_requirements: null,
  tags: ["important"],
  human_description: "Opens an issue.",
  is_deprecated: false,
  deprecated: {
    displayName: "Create an issue",
    version: "20251023_00",
    available_versions: ["20251023_00"],
    is_deprecated: false,
    toolkit: { logo: "https://logos.example.com/github.svg" },
  },
});

const TOOL_BYTES = JSON.stringify(tool("TOOL_0")).length;

/**
 * A record as long as a tool is and as much work to parse: under `field` it gets what of a tool finds room, then text.
 */
function filled(record, field) {
  const lengthWith = (content) => JSON.stringify({ ...record, [field]: content }).length;
  let content = { text: "" };
  for (const [key, value] of Object.entries(tool(record.id)))
    if (lengthWith({ ...content, [key]: value }) <= TOOL_BYTES) content = { ...content, [key]: value };
  return { ...record, [field]: { ...content, text: "x".repeat(TOOL_BYTES - lengthWith(content)) } };
}

const result = {
  data: { number: 1347, title: "It works", body: "x".repeat(600), html_url: "https://github.example.com/octo-org/hello-world/issues/1347" },
  successful: true,
  error: null,
  log_id: "log_1",
};
const described = (id) => ({
  id, uid: id, name: "Application", description: "", createdAt: "2026-03-02T08:15:42.310Z", updatedAt: "2026-03-02T08:15:42.310Z", throttleRate: null,
});
const application = (id) => filled(described(id), "metadata");
const app = (id) =>
  filled({ id, name_slug: "github", name: "GitHub", img_src: "https://logos.example.com/github.svg", categories: ["Developer Tools"] }, "custom_fields");
const token = { token: "t".repeat(600), expires_at: "2026-03-02T08:15:42.310Z", connect_link_url: "https://connect.example.com" };

/** The response of each kind of service, and the part of it that shows that a contender has read it. */
export const WIRES = {
  tools: {
    one: () => tool("TOOL_0"),
    post: () => result,
    list: (items, next) => ({ items, total_items: 100_000, total_pages: 1_000, current_page: 1, next_cursor: next ?? null }),
    item: tool,
    read: { one: ({ slug }) => slug, post: ({ log_id }) => log_id, list: ({ items }) => items.length, item: ({ slug }) => slug },
  },
  svix: {
    one: () => application("TOOL_0"),
    post: () => ({ ...described("log_1"), description: "x".repeat(600), metadata: {} }),
    list: (data, next) => ({ data, done: next === undefined, iterator: next ?? null, prevIterator: null }),
    item: application,
    read: { one: ({ id }) => id, post: ({ id }) => id, list: ({ data }) => data.length },
  },
  pipedream: {
    one: () => ({ data: app("TOOL_0") }),
    post: () => token,
    list: (data, next) => ({ page_info: { total_count: 100_000, count: data.length, start_cursor: "c", end_cursor: next }, data }),
    item: app,
    read: { one: ({ data }) => data.id, post: ({ token: { length } }) => (length === 600 ? "log_1" : "another"), list: ({ data }) => data.length, item: ({ id }) => id },
  },
  openai: {
    list: (data, next) => ({ object: "list", data, has_more: next !== undefined, first_id: "a", last_id: "b" }),
    item: (id) => ({ id, object: "file", ...tool(id) }),
    read: { item: ({ id }) => id },
  },
  stripe: {
    list: (data, next) => ({ object: "list", url: "/v1/customers", data, has_more: next !== undefined }),
    item: (id) => ({ id, object: "customer", ...tool(id) }),
    read: { item: ({ id }) => id },
  },
};

const EXPECTED = { one: "TOOL_0", post: "log_1", list100: COUNTS.list100, list2000: COUNTS.list2000 };
const encoder = new TextEncoder();

/** The bytes of a response to one of the rows `one`, `post`, `list100`, `list2000`. */
export function answerTo(wire, row) {
  const { list, item, ...service } = WIRES[wire];
  const value = service[row]?.() ?? list(Array.from({ length: COUNTS[row] }, (_, index) => item(`TOOL_${index}`)));
  return encoder.encode(JSON.stringify(value));
}

/** Throws unless the response contained this, so that every client does the whole work. */
export function assertRead(wire, row, value) {
  const { read } = WIRES[wire];
  const seen = (read[row] ?? read.list)(value);
  if (seen !== EXPECTED[row]) throw new Error(`${row}: ${seen} instead of ${EXPECTED[row]}`);
}

export const HEADERS = {
  "content-type": "application/json",
  "x-request-id": "req_1",
  "x-ratelimit": "1000000",
  "x-ratelimit-remaining": "999999",
  "x-ratelimit-window-size": "60s",
};

/** Pages in turn, up to so many items. Only the last record of a page and the cursor differ from page to page. */
export function* pagesOf(wire, items) {
  const { list, item } = WIRES[wire];
  const records = Array.from({ length: PAGE }, (_, index) => item(index === PAGE - 1 ? "TOOL_LAST" : `TOOL_${index}`));
  const count = items / PAGE;
  const [middle, last] = ["CURSOR", undefined].map((next) => JSON.stringify(list(records, next)));
  for (let page = 1; page <= count; page += 1) {
    yield (page === count ? last : middle).replaceAll("TOOL_LAST", `TOOL_OF_PAGE_${page}`).replace("CURSOR", `cursor_${page}`);
  }
}

/** The identity of the last item of such pages. */
export const lastOf = (items) => `TOOL_OF_PAGE_${items / PAGE}`;
