/**
 * The tools that you generated types for, by slug. Empty until a file written by `svc-sdk generate` adds them. Then
 * `tools.execute`, `tools.generateArguments` and a session's `execute` complete and check slugs, arguments and results,
 * and `tools.get` completes slugs. Each entry has `arguments` and `data`. Exists only as a type.
 */
// biome-ignore lint/suspicious/noEmptyInterface: generated files add to it, which only an interface allows.
export interface ToolCatalog {}

/**
 * The trigger types that you generated types for, by slug. Empty until a file written by `svc-sdk generate` adds them.
 * Then `triggers.upsert` and the handlers of `createReceiver` complete and check slugs, configurations and payloads,
 * and `triggers.getType` completes slugs. Each entry has `config` and `payload`. Exists only as a type.
 */
// biome-ignore lint/suspicious/noEmptyInterface: generated files add to it, which only an interface allows.
export interface TriggerCatalog {}

/**
 * The strictness of generated types. Empty by default. `svc-sdk generate --strict` adds `strict: true`, so that the
 * compiler rejects slugs that aren't in the catalogs. Exists only as a type.
 */
// biome-ignore lint/suspicious/noEmptyInterface: generated files add to it, which only an interface allows.
export interface CatalogSettings {}

/** Any other slug, unless the generated types are strict. */
type OtherSlug = CatalogSettings extends { strict: true } ? never : string & {};

/**
 * A tool's slug. Editors complete the slugs of {@link ToolCatalog}. Any other slug is accepted, unless types are
 * strict.
 */
export type ToolSlug = keyof ToolCatalog | OtherSlug;

/**
 * A trigger type's slug. Editors complete the slugs of {@link TriggerCatalog}. Any other slug is accepted, unless types
 * are strict.
 */
export type TriggerSlug = keyof TriggerCatalog | OtherSlug;
