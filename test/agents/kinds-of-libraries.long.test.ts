import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import {
  ANTHROPIC_TOOL_FIELDS,
  MESSAGES_FIELDS,
  TOOL_RESULT_FIELDS,
  TOOL_USE_FIELDS,
} from "../../src/testing/model/anthropic.js";
import {
  DECLARATION_FIELDS,
  FUNCTION_CALL_PART_FIELDS,
  FUNCTION_RESPONSE_FIELDS,
  PART_FIELDS,
} from "../../src/testing/model/google.js";
import {
  FUNCTION_CALL_FIELDS,
  FUNCTION_OUTPUT_FIELDS,
  FUNCTION_TOOL_FIELDS,
  RESPONSE_FIELDS,
} from "../../src/testing/model/openai.js";
import { COMPLETION_FIELDS, TOOL_MESSAGE_FIELDS } from "../../src/testing/model/openai-chat.js";

const root = resolve(import.meta.dirname, "../..");

/** The types of each library, with the page and the header of the table about them. */
const UNIONS = [
  ["openai/resources/responses/responses.d.ts", "ResponseOutputItem", "openai.md", "Item"],
  [
    "openai/resources/chat/completions/completions.d.ts",
    "ChatCompletionMessageToolCall",
    "openai.md",
    "Tool call of Chat Completions",
  ],
  ["@anthropic-ai/sdk/resources/messages/messages.d.ts", "ContentBlock", "anthropic.md", "Block"],
  ["@google/genai/dist/genai.d.ts", "Part", "gemini.md", "Field of a part"],
] as const;

/** The kinds of each union that are passed on: the page says so below its table, without their names. */
const PASSED_ON: Readonly<Record<(typeof UNIONS)[number][1], readonly string[]>> = {
  ResponseOutputItem: [
    ...["message", "reasoning", "compaction", "program", "program_output", "additional_tools"],
    // OpenAI has run the tool.
    ...["file_search_call", "web_search_call", "image_generation_call", "code_interpreter_call"],
    ...["mcp_call", "mcp_list_tools", "mcp_approval_response"],
    ...["function_call_output", "custom_tool_call_output", "computer_call_output", "shell_call_output"],
    ...["local_shell_call_output", "apply_patch_call_output", "tool_search_output"],
  ],
  ChatCompletionMessageToolCall: [],
  ContentBlock: [
    ...["text", "thinking", "redacted_thinking", "container_upload"],
    ...["web_search_tool_result", "web_fetch_tool_result", "code_execution_tool_result"],
    ...["bash_code_execution_tool_result", "text_editor_code_execution_tool_result", "tool_search_tool_result"],
  ],
  Part: [
    ...["toolResponse", "codeExecutionResult", "functionResponse"],
    ...["text", "thought", "thoughtSignature", "inlineData", "fileData", "mediaResolution", "mediaProcessing"],
    ...["videoMetadata", "audioTranscription", "speechMetadata", "partMetadata"],
  ],
};

const RESPONSES = "openai/resources/responses/responses.d.ts";
const COMPLETIONS = "openai/resources/chat/completions/completions.d.ts";
const MESSAGES = "@anthropic-ai/sdk/resources/messages/messages.d.ts";
const BETA = "@anthropic-ai/sdk/resources/beta/messages/messages.d.ts";
const GENAI = "@google/genai/dist/genai.d.ts";

/** The declarations of what a scripted model reads, and the fields that it knows. */
const FIELDS: readonly (readonly [string, string, readonly string[]])[] = [
  [RESPONSES, "ResponseCreateParamsBase", RESPONSE_FIELDS],
  [RESPONSES, "FunctionTool", FUNCTION_TOOL_FIELDS],
  [RESPONSES, "ResponseFunctionToolCall", FUNCTION_CALL_FIELDS],
  [RESPONSES, "ResponseInputItem.FunctionCallOutput", FUNCTION_OUTPUT_FIELDS],
  [COMPLETIONS, "ChatCompletionCreateParamsBase", COMPLETION_FIELDS],
  [COMPLETIONS, "ChatCompletionToolMessageParam", TOOL_MESSAGE_FIELDS],
  [BETA, "MessageCreateParamsBase", [...MESSAGES_FIELDS, "betas"]],
  [MESSAGES, "Tool", ANTHROPIC_TOOL_FIELDS],
  [MESSAGES, "ToolUseBlockParam", TOOL_USE_FIELDS],
  [MESSAGES, "ToolResultBlockParam", TOOL_RESULT_FIELDS],
  [GENAI, "Part", PART_FIELDS],
  [GENAI, "FunctionDeclaration", DECLARATION_FIELDS],
  [GENAI, "FunctionCall", FUNCTION_CALL_PART_FIELDS],
  [GENAI, "FunctionResponse", FUNCTION_RESPONSE_FIELDS],
];

const fileOf = (module: string) => resolve(root, "node_modules", module);
const program = ts.createProgram(
  [...UNIONS, ...FIELDS].map(([module]) => fileOf(module)),
  { skipLibCheck: true, strict: true, types: [], noLib: true },
);
const checker = program.getTypeChecker();

/** A type of a library, perhaps in a namespace. */
function typeIn(module: string, path: string): ts.Type {
  const source = program.getSourceFile(fileOf(module));
  const file = source && checker.getSymbolAtLocation(source);
  const found = path.split(".").reduce<ts.Symbol | undefined>((within, part) => {
    return within && checker.getExportsOfModule(within).find(({ name }) => name === part);
  }, file);
  if (!found) throw new Error(`${module} has no ${path}.`);
  return checker.getDeclaredTypeOfSymbol(found);
}

/** The kinds of a union's members: the literals of their field `type`, or the fields that a part may have. */
function kindsOf(module: string, union: string): string[] {
  const type = typeIn(module, union);
  const members = type.isUnion() ? type.types : [type];
  return members.flatMap((member) => {
    const kind = member.getProperty("type");
    if (!kind) return member.getProperties().map(({ name }) => name);
    const literal = checker.getTypeOfSymbol(kind);
    return literal.isStringLiteral() ? [literal.value] : [];
  });
}

/** The kinds in a table of the guide, which says what happens to them. */
function listedKinds(page: string, header: string): string[] {
  const guide = readFileSync(resolve(root, "docs/guide", page), "utf8");
  const [, section = ""] = guide.split(`| ${header} | What \`run\` does |\n`);
  const [table = "", ...after] = section.split("\n\n");
  const below = after.slice(0, 1).join().replaceAll("\n", " ");
  if (header !== "Tool call of Chat Completions") expect(below).toMatch(/All other .* passed on/);
  return [...table.matchAll(/^\| (`.*`) \| .* \|$/gm)].flatMap(([, kinds = ""]) =>
    kinds.replaceAll("`", "").split(", "),
  );
}

describe("the guide says what happens to each kind that the newest library lists:", () => {
  test.each(UNIONS)("%s: %s", (module, union, page, header) => {
    const known = [...listedKinds(page, header), ...PASSED_ON[union]];
    expect(known.sort()).toEqual([...new Set(kindsOf(module, union))].sort());
  });
});

describe("a scripted model knows the fields that the newest library declares:", () => {
  test.each(FIELDS)("%s: %s", (module, path, known) => {
    const declared = typeIn(module, path).getProperties();
    expect([...known].sort()).toEqual(declared.map(({ name }) => name).sort());
  });
});
