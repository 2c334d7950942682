/** The result of each scenario, the same in every runtime. */
export const expected = {
  "a call is sent again after a 503, and succeeds": { slug: "GITHUB_CREATE_AN_ISSUE", attempts: 2 },
  "a walk gives every item of every page once, in order": { pages: "several", items: "all" },
  "an answer with an error becomes a typed error": {
    isNotFoundError: true,
    isSvcError: true,
    status: 404,
    condition: "tool_not_found",
  },
  "an abort ends a call on its way with the caller's own reason": { isOwnReason: true },
  "a file goes up to the storage": { name: "a.txt", isStored: true },
  "the contract lets pass what fits": { slug: "GITHUB_CREATE_AN_ISSUE" },
  "the contract refuses a request that does not fit, and names the place": {
    isValidationError: true,
    paths: ["query.limit"],
  },
  "the contract notices an answer that does not fit, and names the place": {
    isContractMismatchError: true,
    place: "slug",
  },
  "an agent's call waits for an approval, and runs once in two isolates": {
    offered: [{ name: "GITHUB_CREATE_AN_ISSUE", strict: true }],
    statuses: ["pending", "succeeded", "succeeded"],
    description: "Run GITHUB_CREATE_AN_ISSUE, version 20251023_00",
    isReplay: true,
    executions: 1,
    hasCalls: false,
    text: "It is opened.",
  },
  "a signed webhook is verified and parsed": { type: "svc.trigger.message", payload: { message: "grüß dich ✓" } },
  "a webhook whose body was changed is refused": { isWebhookVerificationError: true, reason: "no_match" },
  "a receiver runs what verifies once, and refuses the rest": { statuses: [200, 200, 401], handled: 1 },
} as const;
