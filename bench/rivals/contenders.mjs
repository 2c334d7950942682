// The clients that are compared, each as its own documentation uses it. Stands beside its node_modules, so that they
// resolve from here: the packed tarball too.
//
// `load` imports the client, `create` makes one: against `baseUrl`, through `fetch` if one is given. What a client
// cannot do is not there, and its row leaves it out.
const PATH = "/api/v3.1/tools";
const EXECUTE = `${PATH}/execute/TOOL_0`;
const QUERY = { toolkit_slug: "github", limit: "1000" };
const LIST = `${PATH}?${new URLSearchParams(QUERY)}`;
const EXECUTION = {
  user_id: "user-4711",
  version: "20251023_00",
  arguments: { owner: "octo-org", repo: "hello-world", title: "It works", body: "Opened by the benchmark." },
};
const headers = { "x-api-key": "ak_bench", accept: "application/json" };
const json = { ...headers, "content-type": "application/json" };

export const CONTENDERS = {
  "fetch + JSON.parse": {
    load: () => undefined,
    create(_, { baseUrl, fetch = globalThis.fetch }) {
      const send = async (path, init) => {
        const response = await fetch(baseUrl + path, init);
        if (!response.ok) throw new Error(`${response.status}`);
        return JSON.parse(await response.text());
      };
      return {
        one: () => send(`${PATH}/TOOL_0`, { headers }),
        post: () => send(EXECUTE, { method: "POST", headers: json, body: JSON.stringify(EXECUTION) }),
        list: () => send(LIST, { headers }),
        async *walk() {
          for (let cursor = ""; cursor !== null; ) {
            const page = await send(`${PATH}?limit=100&cursor=${cursor}`, { headers });
            yield* page.items;
            cursor = page.next_cursor;
          }
        },
      };
    },
  },
  ky: {
    load: () => import("ky"),
    create: ({ default: ky }, { baseUrl, fetch }) => ({
      one: () => ky.get(`${baseUrl}${PATH}/TOOL_0`, { headers, fetch }).json(),
      post: () => ky.post(baseUrl + EXECUTE, { headers, json: EXECUTION, fetch }).json(),
      list: () => ky.get(baseUrl + PATH, { headers, searchParams: QUERY, fetch }).json(),
    }),
  },
  "ky, bare": {
    load: () => import("ky"),
    create({ default: ky }, { baseUrl, fetch }) {
      const bare = { fetch, retry: 0, timeout: false, throwHttpErrors: false };
      const send = async (path, options) => JSON.parse(await (await ky(baseUrl + path, { ...bare, ...options })).text());
      return {
        one: () => send(`${PATH}/TOOL_0`, { headers }),
        post: () => send(EXECUTE, { method: "POST", headers: json, body: JSON.stringify(EXECUTION) }),
        list: () => send(LIST, { headers }),
      };
    },
  },
  "svc-sdk": {
    load: () => import("svc-sdk"),
    create: ({ Svc }, { baseUrl, fetch }) => ours(new Svc({ baseUrl, apiKey: "ak_bench", env: {}, ...(fetch && { fetch }) })),
  },
  "svc-sdk, own fetch": {
    load: () => import("svc-sdk"),
    // Without `acceptsInit`, so it gets a `Request`.
    create: ({ Svc }, { baseUrl, fetch }) => ours(new Svc({ baseUrl, apiKey: "ak_bench", env: {}, fetch: (request) => (fetch ?? globalThis.fetch)(request) })),
  },
  "svc-sdk + contract": {
    load: async () => ({ ...(await import("svc-sdk")), ...(await import("svc-sdk/contract")) }),
    // Throws if a response doesn't match, so that every client reads the response.
    create: ({ Svc, checkContract }, { baseUrl, fetch }) =>
      ours(new Svc({ baseUrl, apiKey: "ak_bench", env: {}, use: [checkContract({ onMismatch: "throw" })], ...(fetch && { fetch }) })),
  },
  "svc-sdk + undici": {
    load: async () => ({ ...(await import("svc-sdk")), ...(await import("svc-sdk/undici")) }),
    // Only over sockets: a `fetch` that is given takes its place.
    create: ({ Svc, undiciFetch }, { baseUrl, fetch = undiciFetch() }) => ours(new Svc({ baseUrl, apiKey: "ak_bench", env: {}, fetch })),
  },
  "@composio/client 2": {
    load: () => import("@composio/client"),
    create: ({ default: Composio }, { baseUrl, fetch }) => composio(new Composio({ baseURL: baseUrl, apiKey: "ak_bench", fetch })),
  },
  "@composio/client 0.1": {
    load: () => import("composio-client-0"),
    create: ({ default: Composio }, { baseUrl, fetch }) => composio(new Composio({ baseURL: baseUrl, apiKey: "ak_bench", fetch })),
  },
  openai: {
    load: () => import("openai"),
    create({ default: OpenAI }, { baseUrl, fetch }) {
      const client = new OpenAI({ baseURL: baseUrl, apiKey: "ak_bench", fetch });
      return {
        one: () => client.get(`${PATH}/TOOL_0`),
        post: () => client.post(EXECUTE, { body: EXECUTION }),
        list: () => client.get(PATH, { query: QUERY }),
        walk: () => client.files.list({ limit: 100 }),
      };
    },
    walks: "openai",
  },
  stripe: {
    load: () => import("stripe"),
    create({ default: Stripe }, { baseUrl, fetch }) {
      const { protocol, hostname: host, port } = new URL(baseUrl);
      const httpClient = fetch && Stripe.createFetchHttpClient(fetch);
      const stripe = new Stripe("sk_test_bench", { protocol: protocol.slice(0, -1), host, port, httpClient });
      return {
        one: () => stripe.rawRequest("GET", `${PATH}/TOOL_0`),
        post: () => stripe.rawRequest("POST", EXECUTE, EXECUTION),
        list: () => stripe.rawRequest("GET", LIST),
        walk: () => stripe.customers.list({ limit: 100 }),
      };
    },
    walks: "stripe",
  },
  svix: {
    load: () => import("svix"),
    create({ Svix }, { baseUrl, fetch }) {
      const svix = new Svix("sk_bench.eu", { serverUrl: baseUrl, fetch });
      return {
        one: () => svix.application.get("TOOL_0"),
        post: () => svix.application.create({ name: "Application", metadata: EXECUTION.arguments }),
        list: () => svix.application.list({ limit: 250 }),
      };
    },
    wire: "svix",
  },
  "@pipedream/sdk": {
    load: () => import("@pipedream/sdk"),
    create({ PipedreamClient }, { baseUrl, fetch }) {
      const tokenProvider = { getToken: async () => "t" };
      // It takes no `fetch`, but keeps the global one that it finds.
      const { fetch: globalFetch } = globalThis;
      globalThis.fetch = fetch ?? globalFetch;
      const client = new PipedreamClient({ baseUrl, tokenProvider, projectId: "proj_1", projectEnvironment: "development" });
      globalThis.fetch = globalFetch;
      return {
        one: () => client.apps.retrieve("TOOL_0"),
        post: () => client.tokens.create({ externalUserId: "user-4711", ...EXECUTION.arguments }),
        list: () => client.apps.list({ limit: 1_000 }),
        async *walk() {
          yield* await client.apps.list({ limit: 100 });
        },
      };
    },
    wire: "pipedream",
    walks: "pipedream",
  },
};

function ours(svc) {
  return {
    one: () => svc.tools.get("TOOL_0"),
    post: () => svc.tools.execute("TOOL_0", EXECUTION),
    list: () => svc.tools.list({ toolkit_slug: "github", limit: 1_000 }),
    walk: () => svc.tools.list({ limit: 100 }),
  };
}

function composio(client) {
  return {
    one: () => client.tools.retrieve("TOOL_0"),
    post: () => client.tools.execute("TOOL_0", EXECUTION),
    list: () => client.tools.list({ toolkit_slug: "github", limit: 1_000 }),
  };
}
