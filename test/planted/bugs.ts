/** A bug that a developer could write, as a change of one source. `npm run planted` tells which test finds it. */
export interface PlantedBug {
  readonly name: string;
  /** The source, from the root. */
  readonly file: string;
  /** Text that is there once. */
  readonly find: string;
  readonly replace: string;
}

const bugsOf = (folder: string, bugs: readonly (readonly [string, string, string, string])[]): PlantedBug[] =>
  bugs.map(([file, name, find, replace]) => ({ name, file: `src/${folder}/${file}`, find, replace }));

export const BUGS: readonly PlantedBug[] = [
  ...bugsOf("agents", [
    [
      "call/run-turn.ts",
      "an error's text isn't cut",
      "text: boundedText(ending.text, maxResultBytes)",
      "text: ending.text",
    ],
    ["accounts.ts", "the only account is taken although it's shared", "!only?.isShared && ", ""],
    ["call/share-turn.ts", "each result may take the whole turn", "      left -= share;\n", ""],
    [
      "memory-executions.ts",
      "one more call than maxCalls starts",
      "calls.size >= maxCalls) throw",
      "calls.size > maxCalls) throw",
    ],
  ]),
  ...bugsOf("agents/adapters", [
    [
      "anthropic.ts",
      "replaced call ids aren't written into the model's message",
      "    if (calls !== written) for (const { at, callId } of calls) own[at] = { ...own[at], id: callId };\n",
      "",
    ],
    ["call-ids.ts", "an id that a turn repeats is kept", " || earlierIds.has(callId)", ""],
  ]),
  ...bugsOf("agents/approvals", [
    ["resolver.ts", "a dry run asks a person", "if (isDry) return { pending", "if (signal === null) return { pending"],
    ["decision-options.ts", "a day is counted in seconds", "default: DAY_MS }", "default: DAY_MS / 1_000 }"],
  ]),
  ...bugsOf("agents/policy", [
    ["conditions.ts", "the parts of a pattern may overlap", "return from <= last;", "return true;"],
    ["budgets.ts", "users share a budget of each user", "...counted, ...sharers]", "...counted]"],
  ]),
  ...bugsOf("agents/schema", [
    [
      "aliases.ts",
      "an alias may be one character too long",
      "rule.length - HASH_LENGTH - 2",
      "rule.length - HASH_LENGTH - 1",
    ],
  ]),
  ...bugsOf("catalog/generate", [
    [
      "schema-types.ts",
      "a nullable value has no null",
      'return object.isNullable ? union([type, [["null"]]]) : type;',
      "return type;",
    ],
  ]),
  ...bugsOf("catalog/lock", [
    [
      "diff-lock.ts",
      "a difference of the locked version is listed twice",
      "...newer.filter(({ version, seenIn }) => version !== seenIn)",
      "...newer",
    ],
  ]),
  ...bugsOf("cli", [
    ["read-value.ts", "a byte order mark breaks a body", 'return text.replace(/^\\uFEFF/, "");', "return text;"],
    [
      "listen.ts",
      "the subscription stays when listen ends",
      "      if (created !== undefined) await svc.webhookSubscriptions.delete(created).catch(() => undefined);\n",
      "",
    ],
  ]),
  ...bugsOf("cli/call", [
    ["operation.ts", "required options come last in help", "rank(left) - rank(right)", "rank(right) - rank(left)"],
  ]),
  ...bugsOf("cli/doctor", [
    ["keys.ts", "a malformed key is taken for one of another kind", "other !== variable && issued", "issued"],
  ]),
  ...bugsOf("client", [
    [
      "pages.ts",
      "a list may lead back to the cursor it started from",
      "new Set<unknown>([cursorOf(endpoint, input)])",
      "new Set<unknown>()",
    ],
  ]),
  ...bugsOf("client/call", [
    ["retry.ts", "a 501 is retried", "(status >= 500 && status !== 501)", "status >= 500"],
    [
      "request.ts",
      "an empty string in a filter is sent",
      '      if (items.includes("")) throw invalid(operation, place, "contains an empty string, which might not filter");\n',
      "",
    ],
    ["attempt.ts", "the timer of an attempt outlives it", "    clearTimeout(this.#timer);\n", ""],
  ]),
  ...bugsOf("client/middleware", [
    [
      "logging.ts",
      "what has the chosen level isn't logged",
      "LOG_LEVELS.indexOf(severity) > most",
      "LOG_LEVELS.indexOf(severity) >= most",
    ],
  ]),
  ...bugsOf("client/options", [
    ["checks.ts", "Node's own limit of a silent request counts for an injected fetch", " || isOwn || ", " || "],
  ]),
  ...bugsOf("client/pacing", [
    [
      "rate-window-rules.ts",
      "a shorter Retry-After ends a longer one",
      "window.blockedUntil = Math.max(window.blockedUntil ?? 0, now + report.waitMs);",
      "window.blockedUntil = now + report.waitMs;",
    ],
  ]),
  ...bugsOf("contract", [
    [
      "check-shape.ts",
      "the mismatches of the farthest variant are told",
      "left.length - right.length",
      "right.length - left.length",
    ],
    [
      "arguments.ts",
      "a call without arguments isn't checked",
      "validator.check(schema, given ?? {})",
      "validator.check(schema, given)",
    ],
  ]),
  ...bugsOf("emulator/auth-configs", [
    [
      "settings.ts",
      "an empty list doesn't lift a restriction",
      "allowed ? [...allowed]",
      "allowed?.length ? [...allowed]",
    ],
  ]),
  ...bugsOf("emulator/catalog", [
    ["sample-plain.ts", "a made-up text may be longer than allowed", ".slice(0, Math.max(least, most))", ""],
  ]),
  ...bugsOf("emulator/connected-accounts", [
    [
      "rules.ts",
      "an alias is taken by an account of another toolkit",
      "      other.toolkit === owner.toolkit &&\n",
      "",
    ],
  ]),
  ...bugsOf("emulator/control-plane", [
    [
      "event-stream.ts",
      "a gap is told although nothing was lost",
      "const isLost = after < first - 1;",
      "const isLost = after < first;",
    ],
  ]),
  ...bugsOf("emulator/data-folder", [
    ["folder-lock.ts", "a released folder keeps its lock file", "    rmSync(file, { force: true });\n", ""],
  ]),
  ...bugsOf("emulator/deliveries", [
    ["sender.ts", "reordered deliveries keep their order", "of due.reverse())", "of due)"],
  ]),
  ...bugsOf("emulator/engine", [
    ["rate-limiter.ts", "Retry-After ends before the window", "Math.ceil(left / 1_000)", "Math.floor(left / 1_000)"],
    [
      "faults.ts",
      "a new fault gets the id of another",
      "1 + this.#state.rules.reduce((highest, other) => Math.max(highest, other.id), 0)",
      "1 + this.#state.rules.length",
    ],
  ]),
  ...bugsOf("emulator/files", [
    [
      "storage.ts",
      "a signed URL works at its expiration",
      "signedUrl.expiresAt <= clock.now()",
      "signedUrl.expiresAt < clock.now()",
    ],
  ]),
  ...bugsOf("emulator/inspector", [
    ["timeline.ts", "a step that is late moves the time back", "if (to <= from) return;", "if (to === from) return;"],
  ]),
  ...bugsOf("emulator/logs", [
    [
      "handlers.ts",
      "a missing value contains every string",
      "found?.includes(value) !== true",
      "found?.includes(value) === false",
    ],
  ]),
  ...bugsOf("emulator/tool-router", [
    [
      "search.ts",
      "the schema of a primary tool is only referenced",
      `      ...related.map((tool): [string, FoundToolSchema] => [tool.slug, referenceTo(tool)]),
      ...primary.map((tool): [string, FoundToolSchema] => [tool.slug, fullSchema(tool)]),`,
      `      ...primary.map((tool): [string, FoundToolSchema] => [tool.slug, fullSchema(tool)]),
      ...related.map((tool): [string, FoundToolSchema] => [tool.slug, referenceTo(tool)]),`,
    ],
  ]),
  ...bugsOf("emulator/tools", [
    [
      "run-tool.ts",
      "an execution doesn't log its account's user",
      "userId ?? account?.userId ?? null",
      "userId ?? null",
    ],
  ]),
  ...bugsOf("emulator/triggers", [
    [
      "find-type.ts",
      "the slug of a trigger type is case-sensitive",
      "definition.slug === slug.toUpperCase()",
      "definition.slug === slug",
    ],
  ]),
  ...bugsOf("emulator/webhooks", [
    [
      "handlers.ts",
      "a key reads another project's subscription",
      "if (subscription?.projectId === project.id) return subscription;",
      "if (subscription) return subscription;",
    ],
  ]),
  ...bugsOf("errors", [
    [
      "envelope.ts",
      "a field around the error hides the error's own",
      '{ ...body, ...body["error"] }',
      '{ ...body["error"], ...body }',
    ],
    [
      "api-error.ts",
      "the request id of the header is lost",
      "envelope.requestId ?? response.headers[REQUEST_ID]",
      "envelope.requestId",
    ],
  ]),
  ...bugsOf("json-schema", [
    ["drafts.ts", "additionalItems of older drafts is lost", '    draft["items"] = draft["additionalItems"];\n', ""],
    [
      "references.ts",
      "a pointer is unescaped in the wrong order",
      '.replaceAll("~1", "/").replaceAll("~0", "~")',
      '.replaceAll("~0", "~").replaceAll("~1", "/")',
    ],
  ]),
  ...bugsOf("json-schema/check", [
    ["check-plain.ts", "the year 2000 has no leap day", "(year % 100 !== 0 || year % 400 === 0)", "year % 100 !== 0"],
  ]),
  ...bugsOf("otel", [["trace-toolset.ts", "a call that ended stays open", "    open.delete(key);\n", ""]]),
  ...bugsOf("resources/connected-accounts", [
    [
      "callback.ts",
      "a status that appears twice is ambiguous",
      "[...new Set(query.getAll(name))]",
      "query.getAll(name)",
    ],
    [
      "wait-until-active.ts",
      "a wait goes on after the account was lost",
      "    if (account && isLost(account.status)) throw lastState;\n",
      "",
    ],
  ]),
  ...bugsOf("resources/files", [
    ["transfer.ts", "http is allowed to any file storage", " && /^http:/.test(settings.baseUrl)", ""],
  ]),
  ...bugsOf("resources/tool-router", [
    [
      "tool-router-session.ts",
      "a deleted session fails at the end of its block",
      "if (!(error instanceof NotFoundError)) throw error;",
      "throw error;",
    ],
  ]),
  ...bugsOf("resources/tools", [
    ["settle.ts", "a call that the service rejected is searched", ' || outcome === "rejected"', ""],
  ]),
  ...bugsOf("shared", [
    [
      "secret-names.ts",
      "an object of secrets shows those with other names",
      "isInside ? !NAMES.harmless.test(name) : isSecretName(name)",
      "isSecretName(name)",
    ],
    ["same-json.ts", "a list equals a longer one", "left.length === right.length &&", ""],
  ]),
  ...bugsOf("stores", [
    ["shared-rate-window.ts", "a store that works again isn't used", "      this.#retryAt = undefined;\n", ""],
    [
      "redis-deliveries.ts",
      "a released delivery can't be claimed",
      ' and state ~= "free:" then return 1',
      " then return 1",
    ],
  ]),
  ...bugsOf("testing", [
    [
      "records.ts",
      "an old name can't be overridden",
      "{ ...record, ...oldNames, ...overrides }",
      "{ ...record, ...overrides, ...oldNames }",
    ],
  ]),
  ...bugsOf("undici", [
    ["decoders.ts", "encodings are undone in the wrong order", "known.toReversed().flatMap", "known.flatMap"],
  ]),
  ...bugsOf("webhooks", [
    [
      "headers.ts",
      "as many signatures as are accepted are rejected",
      "signatures.length > MAX_SIGNATURES)",
      "signatures.length >= MAX_SIGNATURES)",
    ],
    [
      "input.ts",
      "a text of long characters may be too large",
      "raw.length * 3 > maxBodyBytes",
      "raw.length * 2 > maxBodyBytes",
    ],
  ]),
];
