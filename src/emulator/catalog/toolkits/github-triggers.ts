import { list, objectSchema, type TriggerDefinition, text, whole } from "../definitions.js";

const owner = text("The account that owns the repository.");

const repo = text("The name of the repository.");

const interval = { type: "number", description: "Minutes between two polls.", default: 15 };

const issue = { number: whole("Number of the issue."), title: text("Its title.") };

/** Commits, which GitHub reports, and issues, which are polled. */
export const githubTriggers: readonly TriggerDefinition[] = [
  {
    slug: "GITHUB_COMMIT_EVENT",
    name: "Commit event",
    description: "A commit was pushed to a repository.",
    instructions: "Needs a repository in which the user may create webhooks.",
    type: "webhook",
    config: objectSchema({ owner, repo }),
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
    config: objectSchema({ owner, repo, "interval?": interval }),
    payload: objectSchema(issue),
    changes: {
      "20250905_00": {
        description: "An issue was opened in a repository, with certain labels if you like. Asked for at an interval.",
        config: objectSchema({
          ...{ owner, repo, "labels?": list({ type: "string" }, "Only issues with one of them.") },
          "interval?": interval,
        }),
        payload: objectSchema({ ...issue, "labels?": list({ type: "string" }, "Names of its labels.") }),
      },
    },
  },
];
