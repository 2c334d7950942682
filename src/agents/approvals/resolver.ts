import { ConfigError } from "../../errors/local.js";
import { remember } from "../../shared/bounded-memory.js";
import { canonicalJson, isInterchangeable } from "../../shared/canonical-json.js";
import type { Json } from "../../shared/json.js";
import type { PreparedKey } from "../hmac-key.js";
import {
  type ApprovalRequest,
  type ApprovalResult,
  PENDING_FORMAT,
  type PendingApproval,
} from "../pending-approval.js";
import { isPreview, type RunOptions } from "../run-options.js";
import { type ApprovalClaims, type CallClaims, claimsOf } from "./approval-claims.js";
import type { FoundRequest, Inbox } from "./inbox.js";
import type { RequestTeller } from "./request-teller.js";
import { callOfRequest } from "./standing-approval.js";
import type { StandingRecords } from "./standing-records.js";
import { decisionOfTokens } from "./token.js";

const UNREADABLE =
  "Its arguments can't be shown to a person: they contain half of a character, or a number without an end.";

/** Reasons of decisions without one, for the model. */
const REASONS = { denied: "The person who was asked said no.", withdrawn: "The request was withdrawn." } as const;

/** A decision that holds. */
type Decided = Pick<ApprovalClaims, "decision" | "approver" | "reason">;

/** A request while it is answered, in memory. */
interface Lookup {
  readonly request: ApprovalRequest;
  readonly claims: CallClaims;
  /** The same request in the inbox. */
  readonly found: FoundRequest;
  /** Whether nothing may be recorded or told. */
  readonly isDry: boolean;
  readonly signal: AbortSignal | undefined;
}

interface ResolverParts {
  readonly keys: readonly PreparedKey[];
  readonly now: () => number;
  readonly inbox: Inbox;
  /** Whether requests are looked up in the inbox, and put there. */
  readonly keepsRequests: boolean;
  readonly standing: StandingRecords | undefined;
  readonly teller: RequestTeller | undefined;
}

/** Answers a policy that asks: with the decision of a token, of the store, or of a standing approval. */
export class Resolver {
  readonly #parts: ResolverParts;
  readonly #earlier = new EarlierArguments();

  constructor(parts: ResolverParts) {
    this.#parts = parts;
  }

  /** @throws the error of the store, and what `onRequest` throws. Nothing runs then. */
  async resolve(request: ApprovalRequest, options: RunOptions): Promise<ApprovalResult> {
    const { keys, now, inbox, keepsRequests } = this.#parts;
    const { approvals: tokens = [], signal } = options;
    if (!Array.isArray(tokens)) throw new ConfigError("approvals: pass tokens as a list: { approvals: [token] }.");
    if (!isInterchangeable(request.execution.arguments)) {
      return { status: "denied", reason: UNREADABLE, approver: undefined };
    }
    const pending = pendingOf(request, this.#earlier.changedFrom(request));
    const claims = await claimsOf(pending);
    const found = keepsRequests ? await inbox.of(claims) : { id: await inbox.idOf(claims), kept: undefined };
    const given = await decisionOfTokens(tokens, claims, keys, now());
    const lookup: Lookup = { request, claims, found, isDry: isPreview(options), signal };
    const known = await this.#known(lookup, given.decision);
    if (known) return this.#answer(lookup, known);
    const asked = await this.#ask(lookup, { ...pending, id: found.id });
    if (asked.decision) return this.#answer(lookup, asked.decision);
    if (!lookup.isDry) this.#earlier.record(request, undefined);
    return { status: "pending", pending: asked.pending, error: given.error };
  }

  /** The decision that there is. A denial wins, in a token or in the store. */
  async #known({ request, claims, found, isDry }: Lookup, given: Decided | undefined): Promise<Decided | undefined> {
    const { inbox, standing } = this.#parts;
    const { id, kept } = found;
    const stored = await inbox.decisionIn(kept, claims);
    if (stored && stored.decision !== "approved") return stored;
    if (given ?? stored) return given ?? stored;
    const used = await standing?.decisionOn(callOfRequest(request, claims, id), isDry);
    if (!used) return undefined;
    // A person may have decided at the same time.
    const closed = kept && !isDry ? await inbox.close(kept, "approved", used) : kept;
    const first = await inbox.decisionIn(closed, claims);
    return first ?? { decision: "approved", approver: used.approver, reason: null };
  }

  /**
   * Opens the request of a call, unless it is open, and tells the program.
   *
   * @param fresh - The request if none is open.
   */
  async #ask(
    { request, claims, found: { kept }, isDry, signal }: Lookup,
    fresh: PendingApproval,
  ): Promise<{ readonly pending: PendingApproval; readonly decision: Decided | undefined }> {
    const { inbox, keepsRequests, teller } = this.#parts;
    const open = kept && inbox.isOpen(kept) ? kept : undefined;
    if (isDry) return { pending: open?.record.pending ?? fresh, decision: undefined };
    const pending = open?.record.pending ?? { ...fresh, account: await request.readAccount() };
    if (!keepsRequests) return { pending, decision: undefined };
    const opened = open ?? (await inbox.open(pending, kept));
    const current = teller ? await teller.tell(opened, signal) : opened;
    return { pending: current.record.pending, decision: await inbox.decisionIn(current, claims) };
  }

  #answer({ request, isDry }: Lookup, { decision, approver, reason }: Decided): ApprovalResult {
    if (!isDry) this.#earlier.record(request, decision);
    if (decision === "approved") return { status: "approved", approver };
    return { status: "denied", reason: reason ?? REASONS[decision === "withdrawn" ? decision : "denied"], approver };
  }
}

/** Calls whose arguments are kept to show changes. Without a limit, a process would keep all of its life's. */
const MOST_ARGUMENTS = 1_000;

/** Arguments for which a call was pending, or a tool denied, to show a person what a model changed. */
class EarlierArguments {
  readonly #arguments = new Map<string, Json>();

  /** The earlier arguments; `null` without any, and if they are the same. */
  changedFrom(request: ApprovalRequest): Json | null {
    const earlier = this.#arguments.get(ofCall(request)) ?? this.#arguments.get(ofTool(request));
    if (earlier === undefined) return null;
    return canonicalJson(earlier) === canonicalJson(request.execution.arguments) ? null : earlier;
  }

  /** @param decision - `undefined` while the call is pending. */
  record(request: ApprovalRequest, decision: ApprovalClaims["decision"] | undefined): void {
    if (decision === "approved") {
      this.#arguments.delete(ofTool(request));
      return;
    }
    const key = decision ? ofTool(request) : ofCall(request);
    remember(this.#arguments, key, request.execution.arguments, MOST_ARGUMENTS);
  }
}

const ofCall = ({ scope, execution }: ApprovalRequest) => JSON.stringify([scope, "call", execution.callId]);
const ofTool = ({ scope, execution }: ApprovalRequest) => JSON.stringify([scope, "tool", execution.tool.name]);

/** The request of a call, before it has an id. */
function pendingOf(request: ApprovalRequest, earlier: Json | null): PendingApproval {
  const { execution, files, decision, innerDecisions, policyDigest, scope } = request;
  const { sessionId = null, conversationId = null } = request;
  const { callId, tool, arguments: args, requested, userId = null, accountId = null } = execution;
  const inner = execution.inner.map(({ tool: { name, description } }, index) => {
    const decided = innerDecisions[index];
    return { name, description, reason: decided?.outcome === "ask" ? decided.reason : null };
  });
  return {
    formatVersion: PENDING_FORMAT,
    id: "",
    call: { callId, name: tool.name, arguments: requested },
    arguments: args,
    files,
    description: tool.description,
    inner,
    version: tool.version ?? null,
    userId,
    accountId,
    account: {},
    sessionId,
    conversationId,
    scope,
    policyDigest,
    expiresAt: null,
    reason: decision.reason,
    labels: request.labels,
    budgets: request.budgets,
    origins: request.origins,
    previousArguments: earlier,
  };
}
