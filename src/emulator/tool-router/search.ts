import type { JsonObject } from "../../resources/schema-kit.js";
import type {
  FoundToolSchema,
  SearchToolsBody,
  ToolSearch,
  ToolSearchResult,
} from "../../resources/tool-router/schema.js";
import { seedOf } from "../../shared/random.js";
import { connectionStatus } from "./connections.js";
import { allowedTools, type MetaResult, type SessionScope } from "./scope.js";
import { customTools } from "./show.js";

/** Maximum numbers of primary and related tools per query. */
const MAX_PRIMARY = 3;

const MAX_RELATED = 5;

/** Searches the session's tools, connected or not. If the session has tools, every query finds at least one. */
export function searchTools(queries: SearchToolsBody["queries"], scope: SessionScope): ToolSearch {
  const { session, clock, catalog } = scope;
  const candidates = candidatesOf(scope);
  const found = queries.map(({ use_case }, index) => resultOf(index + 1, use_case, candidates));
  const primary = found.flatMap((result) => result.primary);
  const related = found.flatMap((result) => result.related);
  const toolkits = new Set([...primary, ...related].map(({ toolkit }) => toolkit));
  const statuses = [...toolkits].flatMap((slug) => {
    const toolkit = catalog.toolkits.get(slug);
    return toolkit ? [connectionStatus(toolkit, scope)] : [];
  });
  const missing = statuses.filter(({ has_active_connection }) => !has_active_connection).map(({ toolkit }) => toolkit);
  const failed = found.filter(({ result }) => result.error !== null).length;
  return {
    success: failed === 0,
    error: failed === 0 ? null : `${failed} out of ${found.length} searches failed, reasons: ${NO_TOOLS}`,
    results: found.map(({ result }) => result),
    toolkit_connection_statuses: statuses,
    // A tool may be primary for one query and related to another.
    tool_schemas: Object.fromEntries([
      ...related.map((tool): [string, FoundToolSchema] => [tool.slug, referenceTo(tool)]),
      ...primary.map((tool): [string, FoundToolSchema] => [tool.slug, fullSchema(tool)]),
    ]),
    time_info: {
      current_time_utc: clock.iso(),
      current_time_utc_epoch_seconds: Math.floor(clock.now() / 1_000),
      message: "The time of the emulator's clock",
    },
    session: { ...workflow(`w${(seedOf(session.id) >>> 0).toString(36)}`), generate_id: true },
    next_steps_guidance: [
      ...(missing.length > 0 ? [`Connect ${missing.join(", ")} with SVC_MANAGE_CONNECTIONS`] : []),
      "Run the primary tools with SVC_MULTI_EXECUTE_TOOL",
    ],
  };
}

const NO_TOOLS = "the session has no tools";

/** A workflow in a meta tool's result. Its id is a short word, not the session's. */
export function workflow(id: string) {
  return { id, instructions: "Pass this id as session_id to the other meta tools" };
}

/** The search as a meta tool. */
export function searchForAgent(
  queries: SearchToolsBody["queries"],
  asked: JsonObject,
  scope: SessionScope,
): MetaResult {
  const { success: _, error, results, tool_schemas, session, ...rest } = searchTools(queries, scope);
  const { id } = asked;
  const data = {
    ...rest,
    results: results.map(({ execution_guidance: reasoning, difficulty, plan_id, ...result }) => {
      return { ...result, reasoning, task_difficulty: "easy" };
    }),
    tool_schemas: Object.fromEntries(
      Object.values(tool_schemas).map(({ tool_slug, toolkit, description, input_schema }) => {
        return [tool_slug, { tool_slug, toolkit, description, ...(input_schema && { input_schema }) }];
      }),
    ),
    session: typeof id === "string" ? { ...workflow(id), generate_id: false } : session,
  };
  return { data, error };
}

/** Schemas of tools by slug, as a meta tool. */
export function schemasFor(slugs: readonly string[], include: readonly string[], scope: SessionScope): MetaResult {
  const candidates = candidatesOf(scope);
  const found = candidates.filter(({ slug }) => slugs.includes(slug));
  const schemas = found.map((candidate) => {
    const { input_schema, output_schema, toolkit, tool_slug, description } = fullSchema(candidate);
    const wanted = Object.entries({ input_schema, output_schema }).filter(([name]) => include.includes(name));
    return [tool_slug, { toolkit, tool_slug, description, ...Object.fromEntries(wanted) }];
  });
  const missing = slugs.filter((slug) => !found.some((candidate) => candidate.slug === slug));
  const suggestions = missing.map((slug) => [
    slug,
    rank(slug, candidates)
      .slice(0, 3)
      .map(({ candidate }) => candidate.slug),
  ]);
  const message = `Tools not found: ${missing.join(", ")}`;
  return {
    data: {
      success: missing.length === 0,
      tool_schemas: Object.fromEntries(schemas),
      ...(missing.length > 0 && {
        not_found: missing,
        suggestions: Object.fromEntries(suggestions),
        not_found_message: message,
      }),
    },
    error: slugs.length > 0 && found.length === 0 ? message : null,
  };
}

/** All tools the session may use, including custom ones. */
function candidatesOf(scope: SessionScope): Candidate[] {
  const own = allowedTools(scope.config, scope.catalog).map(({ tool: { slug, name }, toolkit, facts }) => {
    const { description, input, output, tags = [] } = facts;
    return { slug, toolkit: toolkit.slug, name, description, input, output, tags };
  });
  const custom = customTools(scope.custom).map(({ slug, toolkit = "local", tool }) => {
    const { name, description, input_schema: input, output_schema: output } = tool;
    return { slug, toolkit, name, description, input, output, tags: [] };
  });
  return [...own, ...custom];
}

/** A tool with its schemas. */
function fullSchema({ toolkit, slug, description, input, output }: Candidate): FoundToolSchema {
  const schemas = { input_schema: { ...input }, ...(output && { output_schema: { ...output } }) };
  return { toolkit, tool_slug: slug, description, ...schemas, hasFullSchema: true };
}

function referenceTo({ toolkit, slug, description }: Candidate): FoundToolSchema {
  const message = "Schemas are omitted. Request them before you run the tool";
  const schemaRef = { tool: "SVC_GET_TOOL_SCHEMAS" as const, args: { tool_slugs: [slug] }, message };
  return { toolkit, tool_slug: slug, description, hasFullSchema: false, schemaRef };
}

function resultOf(index: number, use_case: string, candidates: readonly Candidate[]) {
  const ranked = rank(use_case, candidates);
  const best = ranked[0]?.score ?? 0;
  // Tools with at least half the best score are primary, others related.
  const primaryCandidates = ranked.filter(({ score }) => score * 2 >= best).map(({ candidate }) => candidate);
  const primary = (ranked.length > 0 ? primaryCandidates : candidates).slice(0, MAX_PRIMARY);
  const related = ranked
    .map(({ candidate }) => candidate)
    .filter((candidate) => !primary.includes(candidate))
    .slice(0, MAX_RELATED);
  const result: ToolSearchResult = {
    index,
    use_case,
    primary_tool_slugs: primary.map(({ slug }) => slug),
    related_tool_slugs: related.map(({ slug }) => slug),
    toolkits: [...new Set([...primary, ...related].map(({ toolkit }) => toolkit))],
    execution_guidance: ranked.length > 0 ? "Run the first primary tool" : "No tool matches the query; these exist",
    error: primary.length > 0 ? null : NO_TOOLS,
  };
  return { result, primary, related };
}

/** A tool that search can find, from the catalog or custom. */
interface Candidate {
  readonly slug: string;
  readonly toolkit: string;
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>> | undefined;
  readonly tags: readonly string[];
}

/** Words ignored in searches. */
const STOP_WORDS = new Set(
  "a an and all as at by for from in into is it me my of on or our that the this to up with".split(" "),
);

/**
 * Candidates that match a use case, best first. Scores count shared words, with those in slug and name weighted most;
 * ties are sorted by slug. Assumption E46.
 */
function rank(useCase: string, candidates: readonly Candidate[]): { candidate: Candidate; score: number }[] {
  const wanted = new Set(wordsOf(useCase));
  const hits = (text: string) => new Set(wordsOf(text).filter((word) => wanted.has(word))).size;
  return candidates
    .map((candidate) => ({
      candidate,
      score:
        3 * hits(`${candidate.slug} ${candidate.name}`) +
        2 * hits(candidate.toolkit) +
        hits(`${candidate.description} ${candidate.tags.join(" ")}`),
    }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || (left.candidate.slug < right.candidate.slug ? -1 : 1));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .map((word) => word.replace(/(?<=\w{3})(ing|ies|es|s|ed|e|y)$/, ""));
}
