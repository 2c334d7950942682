import type { CommonConnectionFields, ConnectionCredentialsPatch } from "../../index.js";
import { field, isObject, isString } from "../../shared/json.js";
import type { GuardContext } from "../policy-base.js";
import { type CallLimits, limitsOf } from "../run-options.js";

/** Fields of an account's state by which a person recognizes the account. None of them is a secret. */
const RECOGNIZABLE = [
  "username",
  "subdomain",
  "your-domain",
  "domain",
  "shop",
  "site_name",
  "instanceName",
  "COMPANYDOMAIN",
  "account_url",
  "account_id",
] as const satisfies readonly (keyof CommonConnectionFields | keyof ConnectionCredentialsPatch)[];

/** Longer values don't help a person. */
const LONGEST = 200;

/**
 * Reads the facts by which a person recognizes an account: its names, and what identifies the instance of the toolkit.
 * Empty without an account, or if it can't be read: then its id is shown alone.
 */
export async function accountFacts(
  { client, catalog }: Pick<GuardContext, "client" | "catalog">,
  accountId: string | undefined,
  limits: CallLimits,
): Promise<Readonly<Record<string, string>>> {
  const accounts = (client ?? catalog)?.connectedAccounts;
  if (accountId === undefined || !accounts) return {};
  const query = { connected_account_ids: [accountId], account_type: "ALL", limit: 1 } as const;
  let account: unknown;
  try {
    const { items } = await accounts.list(query, limitsOf(limits));
    account = items.find(({ id }) => id === accountId);
  } catch {
    // An aborted run ends at its next step.
    return {};
  }
  const values = field(field(account, "state"), "val");
  const facts = [
    ...["alias", "word_id"].map((name) => [name, field(account, name)] as const),
    ...RECOGNIZABLE.map((name) => [name, isObject(values) ? field(values, name) : undefined] as const),
  ];
  return Object.fromEntries(
    facts.flatMap(([name, value]) => (isString(value) && value !== "" ? [[name, value.slice(0, LONGEST)]] : [])),
  );
}
