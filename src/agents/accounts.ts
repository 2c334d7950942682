import { ConfigError } from "../errors/local.js";
import type { ListConnectedAccountsQuery } from "../index.js";
import { namesArgument, withArgument } from "../json-schema/rewrite/argument.js";
import { fieldsOf } from "../shared/fields.js";
import { isString, type Json } from "../shared/json.js";
import { remember } from "../shared/memory.js";
import type { AccountChoice, AuthRequired } from "./call-result.js";
import { ensure } from "./ensure.js";
import { ownerOf } from "./memory-executions.js";
import type { ToolClient, ToolRecord } from "./sources.js";
import type { AgentTool, CallLimits } from "./tool.js";

/** Ids of accounts by toolkit, or by toolkit and label. */
export type GivenAccounts = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The same, ready to be looked up: no name is inherited. */
type CheckedAccounts = ReadonlyMap<string, string | ReadonlyMap<string, string>>;

export interface ToolAccounts {
  /** The tools, with an argument for the account if the model chooses it. */
  readonly tools: readonly AgentTool[];
  isSet(toolkit: string): boolean;
  /**
   * Finds the account of a call, and the argument that named it; otherwise the accounts to choose from.
   *
   * @throws the error of the service, and {ConfigError} if the program has to set the account.
   */
  pick(
    tool: AgentTool,
    args: Json,
    limits: CallLimits,
  ): Promise<
    { readonly accountId?: string | undefined; readonly argument?: string } | Pick<AuthRequired, "accounts" | "choose">
  >;
  /** Forgets the account of a toolkit, because it can't be used. */
  lost(toolkit: string): void;
}

/** As many accounts as a model can tell apart. */
const MOST_ACCOUNTS = 50;

/**
 * Finds the account of each call: the one that the program has set, the one that the model or the program has chosen,
 * or the user's only one.
 *
 * @param all - The tools. Those whose toolkit has labels get an argument for them.
 * @param ofProgram - The accounts that the program has set.
 * @param conversation - The user and the conversation; `undefined` if the program has named none.
 * @param records - The service's tools, which say whether they need an account.
 * @throws {ConfigError} if an option isn't an account or labels, or if accounts must be listed and can't be.
 */
export function accountsOf(
  all: readonly AgentTool[],
  ofProgram: GivenAccounts,
  client: ToolClient,
  userId: string,
  conversation: string | undefined,
  records: readonly ToolRecord[],
): ToolAccounts {
  const given = checkedAccounts(ofProgram);
  const withoutAuth = new Set(records.flatMap(({ slug, no_auth }) => (no_auth ? [slug] : [])));
  const needsList = ({ kind, name, toolkit = "" }: AgentTool) =>
    kind === "service" && !withoutAuth.has(name) && !given.has(toolkit);
  if (all.some(needsList)) {
    listOf(client);
    // A list reads it as several users, and would show their accounts.
    ensure(
      !userId.includes(","),
      'accounts of a userId with a comma can\'t be listed: pass accounts, or accounts: "newest".',
    );
  }
  const chosen = choicesIn(client, conversation);
  const lists = new Map<string, Promise<readonly AccountChoice[]>>();
  const labels = new Map<string, readonly [argument: string, ids: ReadonlyMap<string, string>]>();
  const tools = all.map((tool) => {
    const ids = given.get(tool.toolkit ?? "");
    if (ids === undefined || isString(ids) || tool.kind === "local") return tool;
    const argument = ["account", "connected_account"].find((name) => !namesArgument(tool.parameters, [name]));
    ensure(argument, `${tool.name} has the arguments account and connected_account. Set its account by its id.`);
    const enumerated = { type: "string", enum: [...ids.keys()], description: `The ${tool.toolkit} account to use.` };
    labels.set(tool.name, [argument, ids]);
    return { ...tool, parameters: withArgument(tool.parameters, argument, enumerated) };
  });

  const listed = async (toolkit: string, limits: CallLimits) => {
    const shared = await lists.get(toolkit)?.catch(() => undefined);
    if (shared) return shared;
    // Another call of the turn may have started it since.
    const reading = lists.get(toolkit) ?? readAccounts(client, userId, toolkit, limits);
    lists.set(toolkit, reading);
    // A user without an account connects one, or several, before the call runs again.
    const isKept = await reading.then(
      ({ length }) => length > 0,
      () => false,
    );
    if (!isKept && lists.get(toolkit) === reading) lists.delete(toolkit);
    return reading;
  };

  return {
    tools,
    pick: async (tool, args, limits) => {
      const { name, toolkit = "", kind } = tool;
      const [argument = "", ids] = labels.get(name) ?? [];
      const label = args[argument];
      const accountId = ids ? isString(label) && ids.get(label) : (given.get(toolkit) ?? chosen.get(toolkit));
      if (ids && !accountId) throw new ConfigError(`toolset: ${name} names none of its accounts.`);
      if (isString(accountId)) return { accountId, argument };
      if (kind !== "service" || withoutAuth.has(name)) return {};
      const accounts = await listed(toolkit, limits);
      limits.signal?.throwIfAborted();
      const [only] = accounts;
      // Once one of several was needed, the only one that is left isn't necessarily meant.
      const isClear = accounts.length === 1 && !only?.isShared && !chosen.has(toolkit);
      if (accounts.length === 0 || isClear) return { accountId: only?.id };
      const choose = (id: string) => {
        const isListed = accounts.some((account) => account.id === id);
        ensure(isListed, `choose needs the id of one of the accounts, not ${id}.`);
        chosen.set(toolkit, id);
      };
      return { accounts, choose };
    },
    isSet: (toolkit) => given.has(toolkit),
    lost: (toolkit) => {
      lists.delete(toolkit);
      if (chosen.has(toolkit)) chosen.set(toolkit, undefined);
    },
  };
}

/** Reads the accounts. @throws {ConfigError} unless each toolkit has an account's id, or labels with ids. */
function checkedAccounts(given: GivenAccounts): CheckedAccounts {
  const accounts = new Map<string, string | ReadonlyMap<string, string>>();
  for (const [toolkit, account] of Object.entries(given)) {
    const labels = isString(account) ? undefined : new Map(Object.entries(fieldsOf(account) ?? {}));
    const ids = labels ? [...labels.values()] : [account];
    const isRight = ids.length > 0 && ids.every((id) => isString(id) && id !== "");
    ensure(isRight, `accounts.${toolkit} must be the id of an account, or labels with ids: { work: "ca_…" }.`);
    // Their ids were just checked.
    accounts.set(toolkit, labels ? (labels as Map<string, string>) : String(account));
  }
  return accounts;
}

/** @throws {ConfigError} if the client has no accounts to list. */
function listOf({ connectedAccounts }: ToolClient): NonNullable<ToolClient["connectedAccounts"]> {
  ensure(connectedAccounts, 'without connectedAccounts of the client, pass accounts, or accounts: "newest".');
  return connectedAccounts;
}

async function readAccounts(
  client: ToolClient,
  userId: string,
  toolkit: string,
  { signal, deadlineMs, timeoutMs }: CallLimits,
): Promise<readonly AccountChoice[]> {
  const query: ListConnectedAccountsQuery = {
    user_ids: [userId],
    toolkit_slugs: [toolkit],
    statuses: ["ACTIVE"],
    account_type: "ALL",
    limit: MOST_ACCOUNTS,
  };
  const accounts: AccountChoice[] = [];
  // A page may be shorter than its limit although others follow.
  for await (const { id, alias, word_id, user_id } of listOf(client).list(query, { signal, deadlineMs, timeoutMs })) {
    accounts.push({ id, label: alias || word_id || id, isShared: user_id !== userId });
    if (accounts.length === MOST_ACCOUNTS) break;
  }
  return accounts;
}

/** A toolkit without an account lost the one that was chosen. */
type AccountChoices = Map<string, string | undefined>;

const conversations = new WeakMap<object, Map<string, AccountChoices>>();
const MOST_CONVERSATIONS = 10_000;

/** The choices of a conversation: one toolset per request is common. Without its id, they are the toolset's. */
function choicesIn(client: object, conversation: string | undefined): AccountChoices {
  const choices: AccountChoices = new Map();
  if (conversation === undefined) return choices;
  const owner = ownerOf(client);
  const known = conversations.get(owner) ?? new Map<string, AccountChoices>();
  conversations.set(owner, known);
  return remember(known, conversation, known.get(conversation) ?? choices, MOST_CONVERSATIONS);
}
