/**
 * The tools you generated types for, by slug. Empty until then: `svc-sdk generate` writes a file that fills it, and
 * from then on `tools.execute`, `tools.input` and a session's `execute` complete and check slugs, arguments and
 * results; `tools.get` completes slugs. It doesn't exist at run time. Each entry has `arguments` and `data`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: generated files add to it, which only an interface allows.
export interface ToolCatalog {}

/**
 * The trigger types you generated types for, by slug. Empty until then: `svc-sdk generate` writes a file that fills it,
 * and from then on `triggers.upsert` and the handlers of `createReceiver` complete and check slugs, configurations and
 * payloads; `triggers.getType` completes slugs. It doesn't exist at run time. Each entry has `config` and `payload`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: generated files add to it, which only an interface allows.
export interface TriggerCatalog {}

/** A tool's slug: those of {@link ToolCatalog} complete in the editor, others are accepted. */
export type ToolSlug = keyof ToolCatalog | (string & {});

/** A trigger type's slug: those of {@link TriggerCatalog} complete in the editor, others are accepted. */
export type TriggerSlug = keyof TriggerCatalog | (string & {});
