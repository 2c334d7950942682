import { NotFoundError, type Svc, SvcError, type ToolkitDetail } from "../index.js";
import { didYouMean } from "../shared/nearest-name.js";
import { type Catalog, toCatalog } from "./catalog.js";

/** Progress of reading a toolkit. */
export interface ReadProgress {
  /** Slug of the toolkit. */
  readonly toolkit: string;
  /** The dated version. */
  readonly version: string;
  /** Tools and trigger types read so far. */
  readonly read: number;
  /** All its tools and trigger types, as the service reports. */
  readonly total: number;
  /** Whether the whole toolkit was read. */
  readonly isDone: boolean;
}

/** Options of {@link readCatalog}. */
export interface ReadCatalogOptions {
  /** Toolkit slugs. */
  readonly toolkits: readonly string[];
  /** Version per toolkit slug, dated or `latest`. @default the latest */
  readonly versions?: Readonly<Record<string, string>> | undefined;
  /** Called before the first page and after each. */
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Items per page, the service's maximum. Spec: Limits. */
const PAGE = 1_000;

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
  const toolkits = await Promise.all(details.map((detail) => readToolkit(svc, detail, options.onProgress)));
  return toCatalog({ snapshot: 1, toolkits }, "The service's response");
}

interface Pages<Item> {
  pages(): AsyncIterable<{ readonly items: readonly Item[]; readonly total_items: number }>;
}

async function readToolkit(
  svc: Svc,
  { slug, name, meta }: ToolkitDetail,
  onProgress: ReadCatalogOptions["onProgress"] = () => undefined,
) {
  const { version } = meta;
  const counts = { tools: { read: 0, total: meta.tools_count }, triggerTypes: { read: 0, total: meta.triggers_count } };
  const report = (isDone: boolean) => {
    const { tools, triggerTypes } = counts;
    const read = tools.read + triggerTypes.read;
    onProgress({ toolkit: slug, version, read, total: tools.total + triggerTypes.total, isDone });
  };
  const collect = async <Item>(part: keyof typeof counts, list: Pages<Item>): Promise<Item[]> => {
    const items: Item[] = [];
    for await (const page of list.pages()) {
      items.push(...page.items);
      counts[part] = { read: items.length, total: page.total_items };
      report(false);
    }
    return items;
  };
  report(false);
  const [tools, trigger_types] = await Promise.all([
    collect("tools", svc.tools.list({ toolkit_slug: slug, toolkit_versions: version, limit: PAGE })),
    collect("triggerTypes", svc.triggers.listTypes({ toolkit_slugs: [slug], toolkit_versions: version, limit: PAGE })),
  ]);
  report(true);
  return { slug, name, version, tools, trigger_types };
}

async function findToolkit(svc: Svc, slug: string, version: string | undefined): Promise<ToolkitDetail> {
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
  const known: string[] = [];
  for await (const toolkit of svc.toolkits.list({ limit: PAGE })) known.push(toolkit.slug);
  if (known.includes(slug)) {
    const { meta } = await svc.toolkits.get(slug);
    return `The toolkit ${slug} has no version ${version}. It has ${meta.available_versions.join(", ")}.`;
  }
  return `Unknown toolkit ${slug}.${didYouMean(slug, known, ` Known ones include ${known.slice(0, 10).join(", ")}.`)}`;
}
