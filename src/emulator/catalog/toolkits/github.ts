import {
  list,
  listIn,
  objectSchema,
  ProviderError,
  secretField,
  type ToolkitDefinition,
  type ToolRunContext,
  text,
  whole,
} from "../definitions.js";

interface GithubIssue {
  number: number;
  title: string;
  body: string | null;
  state: "open" | "closed";
  labels: string[];
  created_at: string;
}

interface Repository {
  full_name: string;
  private: boolean;
  stars: number;
  issues: GithubIssue[];
}

const owner = text("The account that owns the repository. Not case-sensitive.");

const repo = text("The name of the repository. Not case-sensitive.");

const numbered = { number: whole("Number of the issue inside its repository."), title: text("The issue's title.") };

const issueOutput = objectSchema({
  ...numbered,
  state: { type: "string", enum: ["open", "closed"] },
  html_url: text("Where people read it."),
});

const access = { scopes: ["repo"], scopeRequirements: { all_of: [{ any_of: ["repo", "public_repo"] }] } };

const newIssue = { owner, repo, title: numbered.title, "body?": text("What it is about.") };

const watched = { owner: text("The account that owns the repository."), repo: text("The name of the repository.") };

const interval = { type: "number", description: "Minutes between two polls.", default: 15 };

const wantedLabels = list({ type: "string" }, "Only issues with one of them.");

const polledIssue = { number: whole("Number of the issue."), title: text("Its title.") };

/** Repositories and issues. The user owns `octo-org/hello-world`; other repositories return 404. */
export const github: ToolkitDefinition = {
  slug: "github",
  name: "GitHub",
  description: "Code hosting: repositories, issues and pull requests.",
  categories: [{ id: "developer-tools", name: "Developer Tools" }],
  auth: [
    {
      scheme: "OAUTH2",
      isManaged: true,
      scopes: ["repo", "public_repo", "read:user"],
      configFields: [
        {
          name: "client_id",
          displayName: "Client id",
          type: "string",
          description: "Of your OAuth app.",
          required: true,
        },
        secretField("client_secret", "Client secret", "Of your OAuth app."),
      ],
    },
  ],
  versions: {
    "20250905_00": "Issues can carry labels.",
    "20251023_00": "Adds starring. Creating an issue returns its URL.",
  },
  triggers: [
    {
      slug: "GITHUB_COMMIT_EVENT",
      name: "Commit event",
      description: "A commit was pushed to a repository.",
      instructions: "Needs a repository in which the user may create webhooks.",
      type: "webhook",
      config: objectSchema(watched),
      payload: objectSchema({
        id: text("Hash of the commit."),
        message: text("Its message."),
        author: text("Who made it."),
        "url?": text("Where people read it."),
        "timestamp?": text("When it was made, ISO 8601."),
      }),
    },
    {
      slug: "GITHUB_NEW_ISSUE",
      name: "New issue",
      description: "An issue was opened in a repository. Asked for at an interval.",
      type: "poll",
      config: objectSchema({ ...watched, "interval?": interval }),
      payload: objectSchema(polledIssue),
      changes: {
        "20250905_00": {
          description:
            "An issue was opened in a repository, with certain labels if you like. Asked for at an interval.",
          config: objectSchema({ ...watched, "labels?": wantedLabels, "interval?": interval }),
          payload: objectSchema({ ...polledIssue, "labels?": list({ type: "string" }, "Names of its labels.") }),
        },
      },
    },
  ],
  baseUrl: "https://api.github.example.com",
  data: {
    repositories: [{ full_name: "octo-org/hello-world", private: false, stars: 3, issues: [] }] satisfies Repository[],
  },
  tools: [
    {
      slug: "GITHUB_CREATE_AN_ISSUE",
      name: "Create an issue",
      description: "Opens an issue in a repository.",
      input: objectSchema(newIssue),
      output: objectSchema(numbered),
      ...access,
      tags: ["important"],
      changes: {
        "20250905_00": {
          description: "Opens an issue in a repository, with labels.",
          input: objectSchema({ ...newIssue, "labels?": list({ type: "string" }, "Names of labels.") }),
        },
        "20251023_00": { output: issueOutput },
      },
      run: (call) => {
        const repository = findRepository(call);
        const title = String(call.arguments["title"]);
        if (title.trim() === "") throw new ProviderError(422, "Validation Failed: title can't be blank");
        const issue: GithubIssue = {
          number: repository.issues.length + 1,
          title,
          body: typeof call.arguments["body"] === "string" ? call.arguments["body"] : null,
          state: "open",
          labels: Array.isArray(call.arguments["labels"]) ? call.arguments["labels"].map(String) : [],
          created_at: call.now,
        };
        repository.issues.push(issue);
        const { html_url, ...result } = issueResult(repository, issue);
        return call.version < "20251023_00" ? result : { ...result, html_url };
      },
    },
    {
      slug: "GITHUB_GET_AN_ISSUE",
      name: "Get an issue",
      description: "Reads one issue.",
      input: objectSchema({ owner, repo, issue_number: numbered.number }),
      output: issueOutput,
      ...access,
      tags: ["readOnlyHint"],
      run: (call) => {
        const repository = findRepository(call);
        const issue = repository.issues.find(({ number }) => number === call.arguments["issue_number"]);
        if (!issue) throw new ProviderError(404, "Not Found");
        return { ...issueResult(repository, issue), ...issue };
      },
    },
    {
      slug: "GITHUB_LIST_REPOSITORY_ISSUES",
      name: "List repository issues",
      description: "Lists the issues of a repository, newest first.",
      input: objectSchema({
        owner,
        repo,
        "state?": { type: "string", enum: ["open", "closed", "all"], default: "open" },
      }),
      output: objectSchema({ issues: list(issueOutput, "The issues.") }),
      ...access,
      tags: ["readOnlyHint", "important"],
      run: (call) => {
        const repository = findRepository(call);
        const state = call.arguments["state"] ?? "open";
        const matching = repository.issues.filter((issue) => state === "all" || issue.state === state);
        return { issues: matching.toReversed().map((issue) => issueResult(repository, issue)) };
      },
    },
    {
      slug: "GITHUB_STAR_A_REPOSITORY",
      name: "Star a repository",
      description: "Gives a repository the user's star.",
      input: objectSchema({ owner, repo }),
      output: objectSchema({ stars: whole("Stars the repository now has.") }),
      scopes: ["public_repo"],
      tags: ["idempotentHint"],
      since: "20251023_00",
      run: (call) => {
        const repository = findRepository(call);
        repository.stars += 1;
        return { stars: repository.stars };
      },
    },
    {
      slug: "GITHUB_GET_A_REPOSITORY_ARCHIVE",
      name: "Get a repository archive",
      description: "Downloads a repository. Always fails with the provider's own rate limit.",
      input: objectSchema({ owner, repo }),
      output: objectSchema({ url: text("Where the archive is.") }),
      scopes: ["repo"],
      isDeprecated: true,
      run: () => {
        throw new ProviderError(429, "API rate limit exceeded for this user");
      },
    },
  ],
  proxy: ({ method, path, data }) => {
    const [, owner, repo] = /^\/repos\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const repository = repositoryIn(data, owner, repo);
    if (method !== "GET" || !repository) return { status: 404, data: { message: "Not Found" } };
    return { status: 200, data: { full_name: repository.full_name, stargazers_count: repository.stars } };
  },
};

function findRepository({ arguments: { owner, repo }, data }: ToolRunContext): Repository {
  const found = repositoryIn(data, owner, repo);
  if (!found) throw new ProviderError(404, "Not Found");
  return found;
}

function repositoryIn(data: ToolRunContext["data"], owner: unknown, repo: unknown): Repository | undefined {
  const wanted = `${owner}/${repo}`.toLowerCase();
  return listIn<Repository>(data, "repositories").find(({ full_name }) => full_name.toLowerCase() === wanted);
}

function issueResult(repository: Repository, { number, title, state }: GithubIssue) {
  return { number, title, state, html_url: `https://github.example.com/${repository.full_name}/issues/${number}` };
}
