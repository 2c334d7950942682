/**
 * The tools you generated types for, by slug. Empty until then: `svc-sdk generate` writes a file that fills it, and
 * from then on `tools.execute`, `tools.generateArguments` and a session's `execute` complete and check slugs, arguments
 * and results; `tools.get` completes slugs. It doesn't exist at run time. Each entry has `arguments` and `data`.
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

/**
 * The strictness of generated types. Empty by default: `svc-sdk generate --strict` adds `strict: true`, and then the
 * compiler rejects slugs that aren't in the catalogs. It doesn't exist at run time.
 */
// biome-ignore lint/suspicious/noEmptyInterface: generated files add to it, which only an interface allows.
export interface CatalogSettings {}

/** Any other slug, unless the generated types are strict. */
type OtherSlug = CatalogSettings extends { strict: true } ? never : string & {};

/** A tool's slug. Editors complete the slugs of {@link ToolCatalog}. Others are accepted, unless types are strict. */
export type ToolSlug = keyof ToolCatalog | OtherSlug;

/**
 * A trigger type's slug. Editors complete the slugs of {@link TriggerCatalog}. Others are accepted, unless types are
 * strict.
 */
export type TriggerSlug = keyof TriggerCatalog | OtherSlug;
