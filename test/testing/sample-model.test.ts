import OpenAI from "openai";
import { expect, test } from "vitest";
import { sampleModel } from "../../src/testing/index.js";

const string = { type: "string" };
const tool = (name: string, description: string, properties: object) => ({
  type: "function" as const,
  name,
  description,
  parameters: { type: "object", properties, required: Object.keys(properties) },
  strict: false,
});
const tools = [
  tool("GITHUB_CREATE_AN_ISSUE", "Opens an issue in a repository.", { owner: string, repo: string, title: string }),
  tool("GITHUB_STAR_A_REPOSITORY", "Stars a repository.", { state: { enum: ["on"] }, repo: string }),
  tool("COUNT_WORDS", "Counts the words of a text.", { text: string, most: { type: "integer", minimum: 5 } }),
];

/** The calls that the model makes for a prompt, or its text. */
async function turnFor(prompt: string): Promise<unknown> {
  const client = new OpenAI({ apiKey: "none", fetch: sampleModel().fetch });
  const { output, output_text } = await client.responses.create({ model: "m", input: prompt, tools });
  const calls = output.flatMap((item) =>
    item.type === "function_call" ? [[item.name, JSON.parse(item.arguments)]] : [],
  );
  return calls.length > 0 ? calls : output_text;
}

const any: unknown = expect.any(String);

test.each([
  [
    "Open an issue in octo-org/hello-world: the build is broken.",
    [["GITHUB_CREATE_AN_ISSUE", { owner: "octo-org", repo: "hello-world", title: "the build is broken." }]],
  ],
  ['Count the words of "one two".', [["COUNT_WORDS", { text: "one two", most: expect.any(Number) }]]],
  [
    "Open issues, then star it.",
    [
      ["GITHUB_CREATE_AN_ISSUE", { owner: any, repo: any, title: any }],
      ["GITHUB_STAR_A_REPOSITORY", { state: "on", repo: any }],
    ],
  ],
  // A value that a schema doesn't accept goes to the next string.
  ['Star "hello-world".', [["GITHUB_STAR_A_REPOSITORY", { state: "on", repo: "hello-world" }]]],
  [
    "Hello.",
    "No tool fits these words, so I called none. I was offered GITHUB_CREATE_AN_ISSUE, GITHUB_STAR_A_REPOSITORY, COUNT_WORDS.",
  ],
])("a model without a script calls the tools that fit %j", async (prompt, expected) => {
  expect(await turnFor(prompt)).toEqual(expected);
});

test("a model without a script says what it read", async () => {
  const client = new OpenAI({ apiKey: "none", fetch: sampleModel().fetch });
  const input: OpenAI.Responses.ResponseInputItem[] = [
    { role: "user", content: "Open an issue." },
    { type: "function_call", call_id: "call_a", name: "GITHUB_CREATE_AN_ISSUE", arguments: "{}" },
    { type: "function_call_output", call_id: "call_a", output: '{"number":1}' },
  ];
  expect((await client.responses.create({ model: "m", input, tools })).output_text).toBe('I read: {"number":1}');
});
