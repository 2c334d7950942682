import { ConfigError } from "../errors/local.js";
import { namesArgument, withArgument } from "../json-schema/rewrite/argument.js";
import { fieldsOf, isString, type Json } from "../shared/json.js";
import type { AgentTool } from "./agent-tool.js";
import type { AccountChoice, AuthRequired } from "./call-result.js";
import { ConversationMemory } from "./conversation-memory.js";
import { ensure } from "./ensure.js";
import type { CallLimits } from "./run-options.js";
import type { ToolClient, ToolRecord } from "./tools/read-tools.js";
import { accountsIn, ensureOneUser, readAccounts, usesAccount } from "./user-accounts.js";

/** Ids of accounts by toolkit, or by toolkit and label. */
export type GivenAccounts = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The same, ready to be looked up: no name is inherited. */
type CheckedAccounts = ReadonlyMap<string, string | ReadonlyMap<string, string>>;

/** The account of a call, and the argument that named it; otherwise the accounts to choose from. */
type PickedAccount =
  | { readonly accountId?: string | undefined; readonly argument?: string }
  | Pick<AuthRequired, "accounts" | "choose">;

/**
 * Finds the account of each call: the one that the program has set, the one that the model or the program has chosen,
 * or the user's only one.
 */
export class ToolAccounts {
  /** The tools, with an argument for the account if the model chooses it. */
  readonly tools: readonly AgentTool[];
  readonly #client: ToolClient;
  readonly #userId: string;
  readonly #given: CheckedAccounts;
  readonly #records: ReadonlyMap<string, ToolRecord>;
  readonly #chosen: AccountChoices;
  readonly #lists = new Map<string, Promise<readonly AccountChoice[]>>();
  readonly #labels = new Map<string, readonly [argument: string, ids: ReadonlyMap<string, string>]>();

  /**
   * @param all - The tools. Those whose toolkit has labels get an argument for them.
   * @param ofProgram - The accounts that the program has set.
   * @param conversation - The user and the conversation; `undefined` if the program has named none.
   * @param records - The service's tools, which say whether they need an account.
   * @throws {ConfigError} if an option isn't an account or labels, or if accounts must be listed and can't be.
   */
  constructor(
    all: readonly AgentTool[],
    ofProgram: GivenAccounts,
    client: ToolClient,
    userId: string,
    conversation: string | undefined,
    records: ReadonlyMap<string, ToolRecord>,
  ) {
    this.#client = client;
    this.#userId = userId;
    this.#given = checkedAccounts(ofProgram);
    this.#records = records;
    if (all.some((tool) => usesAccount(tool, records) && !this.isSet(tool.toolkit ?? ""))) {
      accountsIn(client);
      ensureOneUser(userId, 'pass accounts, or accounts: "newest"');
    }
    this.#chosen = conversations.of(client, conversation);
    const hasLabels = [...this.#given.values()].some((account) => !isString(account));
    this.tools = hasLabels ? all.map((tool) => this.#withChoice(tool)) : all;
  }

  /** Whether the program has set the account of a toolkit, or its labels. */
  isSet(toolkit: string): boolean {
    return this.#given.has(toolkit);
  }

  /** @throws the error of the service, and {ConfigError} if the program has to set the account. */
  async pick(tool: AgentTool, args: Json, limits: CallLimits): Promise<PickedAccount> {
    const { name, toolkit = "" } = tool;
    const labeled = this.#labels.get(name);
    if (labeled) {
      const [argument, ids] = labeled;
      const label = args[argument];
      const accountId = isString(label) ? ids.get(label) : undefined;
      if (accountId === undefined) throw new ConfigError(`toolset: ${name} names none of its accounts.`);
      return { accountId, argument };
    }
    const set = this.#given.get(toolkit) ?? this.#chosen.get(toolkit);
    if (isString(set)) return { accountId: set };
    if (!usesAccount(tool, this.#records)) return {};
    const accounts = await this.#listed(toolkit, limits);
    limits.signal?.throwIfAborted();
    const [only] = accounts;
    // Once one of several was needed, the only one that is left isn't necessarily meant.
    const isClear = accounts.length === 1 && !only?.isShared && !this.#chosen.has(toolkit);
    if (accounts.length === 0 || isClear) return { accountId: only?.id };
    const choose = (id: string) => {
      const isListed = accounts.some((account) => account.id === id);
      ensure(isListed, `choose needs the id of one of the accounts, not ${id}.`);
      this.#chosen.set(toolkit, id);
    };
    return { accounts, choose };
  }

  /** Forgets the account of a toolkit, because it can't be used. */
  lost(toolkit: string): void {
    this.#lists.delete(toolkit);
    if (this.#chosen.has(toolkit)) this.#chosen.set(toolkit, undefined);
  }

  /** The tool with an argument for the labels of its toolkit, if there are any. */
  #withChoice(tool: AgentTool): AgentTool {
    const ids = this.#given.get(tool.toolkit ?? "");
    if (ids === undefined || isString(ids) || tool.kind === "local") return tool;
    const argument = ["account", "connected_account"].find((name) => !namesArgument(tool.parameters, [name]));
    ensure(argument, `${tool.name} has the arguments account and connected_account. Set its account by its id.`);
    const enumerated = { type: "string", enum: [...ids.keys()], description: `The ${tool.toolkit} account to use.` };
    this.#labels.set(tool.name, [argument, ids]);
    return { ...tool, parameters: withArgument(tool.parameters, argument, enumerated) };
  }

  /** The user's accounts of a toolkit, which all calls share once there are some. */
  async #listed(toolkit: string, limits: CallLimits): Promise<readonly AccountChoice[]> {
    const shared = await this.#lists.get(toolkit)?.catch(() => undefined);
    if (shared) return shared;
    // Another call of the turn may have started it since.
    const reading = this.#lists.get(toolkit) ?? readAccounts(this.#client, this.#userId, toolkit, limits);
    this.#lists.set(toolkit, reading);
    // A user without an account connects one, or several, before the call runs again.
    const isKept = await reading.then(
      ({ length }) => length > 0,
      () => false,
    );
    if (!isKept && this.#lists.get(toolkit) === reading) this.#lists.delete(toolkit);
    return reading;
  }
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

/** A toolkit without an account lost the one that was chosen. */
type AccountChoices = Map<string, string | undefined>;

const conversations = new ConversationMemory<AccountChoices>(() => new Map(), 10_000);
