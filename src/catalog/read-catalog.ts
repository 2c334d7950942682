// The room of the catalog: it reads toolkits with their schemas, `lock/` locks versions and compares them,
// `generate/` writes types. It imports the package's main entry, `client`, `json-schema`, and shapes of `resources`.
// Start here.

import { NotFoundError, type Svc, SvcError, type ToolkitDetail } from "../index.js";
import { field, textOf } from "../shared/json.js";
import { didYouMean } from "../shared/nearest-name.js";
import { LARGEST_PAGE } from "../shared/service-limits.js";
import { CATALOG_FORMAT, type Catalog, toCatalog } from "./catalog.js";

/** Options of {@link readCatalog}. */
export interface ReadCatalogOptions {
  /** Toolkit slugs. */
  readonly toolkits: readonly string[];
  /** Version per toolkit slug, dated or `latest`. @default the latest */
  readonly versions?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads toolkits with all their tools and trigger types, each toolkit in one dated version.
 *
 * @throws {SvcError} for an unknown toolkit or version, with the closest known one.
 */
export async function readCatalog(svc: Svc, options: ReadCatalogOptions): Promise<Catalog> {
  const slugs = [...new Set(options.toolkits)];
  const versions = new Map(Object.entries(options.versions ?? {}));
  // Look up all toolkits first, so that a misspelled one is reported immediately.
  const details = await Promise.all(slugs.map((slug) => findToolkit(svc, slug, versions.get(slug))));
  const toolkits = await Promise.all(details.map((detail) => readToolkit(svc, detail)));
  return toCatalog({ formatVersion: CATALOG_FORMAT, toolkits }, "The service's response");
}

async function readToolkit(svc: Svc, { slug, name, meta: { version } }: ToolkitDetail) {
  const [tools, trigger_types] = await Promise.all([
    allOf(svc.tools.list({ toolkit_slug: slug, toolkit_versions: version, limit: LARGEST_PAGE })),
    allOf(svc.triggers.listTypes({ toolkit_slugs: [slug], toolkit_versions: version, limit: LARGEST_PAGE })),
  ]);
  return { slug, name, version, tools, trigger_types };
}

async function allOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/**
 * Finds a toolkit in a version, by default the latest.
 *
 * @throws {SvcError} if the service has no such toolkit or version, or the response has no version.
 */
export async function findToolkit(svc: Svc, slug: string, version?: string): Promise<ToolkitDetail> {
  try {
    const toolkit = await svc.toolkits.get(slug, { version });
    // Of a server that isn't the service, or an older one.
    if (typeof toolkit.meta?.version === "string") return toolkit;
    throw new SvcError(
      `toolkits.get: the toolkit ${slug} has no meta.version, so its tools can't be read. Check the base URL with svc-sdk doctor.`,
    );
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new SvcError(await whyNotFound(svc, slug, version), { cause: error });
  }
}

async function whyNotFound(svc: Svc, slug: string, version: string | undefined): Promise<string> {
  const known = (await allOf(svc.toolkits.list({ limit: LARGEST_PAGE }))).map((toolkit) => textOf(toolkit, "slug"));
  if (known.includes(slug)) {
    const versions = field(field(await svc.toolkits.get(slug), "meta"), "available_versions");
    return `The toolkit ${slug} has no version ${version}. It has ${[versions ?? "none"].flat().join(", ")}.`;
  }
  return `Unknown toolkit ${slug}.${didYouMean(slug, known, ` Known ones include ${known.slice(0, 10).join(", ")}.`)}`;
}
