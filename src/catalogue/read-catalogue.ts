import { NotFoundError, type Svc, SvcError, type ToolkitDetail } from "../index.js";
import { nearestName } from "../shared/nearest-name.js";
import { type Catalogue, toCatalogue } from "./catalogue.js";

/** How far the reading of one toolkit is. */
export interface ReadProgress {
  /** Slug of the toolkit. */
  readonly toolkit: string;
  /** The dated version that is read. */
  readonly version: string;
  /** Tools and trigger types that have arrived. */
  readonly read: number;
  /** Tools and trigger types there are, as the service says. */
  readonly total: number;
  /** Nothing of this toolkit is missing any more. */
  readonly isDone: boolean;
}

/** Which part of the service's catalogue to read. */
export interface ReadCatalogueOptions {
  /** Toolkit slugs. */
  readonly toolkits: readonly string[];
  /** Version per toolkit slug, dated or `latest`; the latest where none is given. */
  readonly versions?: Readonly<Record<string, string>> | undefined;
  /** Told before the first page and after each. */
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Items per page: the most that the service takes. Spec: Limits. */
const PAGE = 1_000;

/**
 * Reads toolkits with all their tools and trigger types, each toolkit in one dated version.
 *
 * @throws {SvcError} for a toolkit or version that the service does not have, with what was probably meant.
 */
export async function readCatalogue(svc: Svc, options: ReadCatalogueOptions): Promise<Catalogue> {
  const slugs = [...new Set(options.toolkits)];
  const versions = new Map(Object.entries(options.versions ?? {}));
  // All are asked for before any is read: a misspelt one is told at once, not after a long read.
  const details = await Promise.all(slugs.map((slug) => findToolkit(svc, slug, versions.get(slug))));
  const toolkits = await Promise.all(details.map((detail) => readToolkit(svc, detail, options.onProgress)));
  return toCatalogue({ snapshot: 1, toolkits }, "The service's answer");
}

interface Pages<Item> {
  pages(): AsyncIterable<{ readonly items: readonly Item[]; readonly total_items: number }>;
}

async function readToolkit(
  svc: Svc,
  { slug, name, meta }: ToolkitDetail,
  onProgress: ReadCatalogueOptions["onProgress"] = () => undefined,
) {
  const { version } = meta;
  const counts = { tools: { read: 0, total: meta.tools_count }, triggerTypes: { read: 0, total: meta.triggers_count } };
  const tell = (isDone: boolean) => {
    const { tools, triggerTypes } = counts;
    const read = tools.read + triggerTypes.read;
    onProgress({ toolkit: slug, version, read, total: tools.total + triggerTypes.total, isDone });
  };
  const collect = async <Item>(part: keyof typeof counts, list: Pages<Item>): Promise<Item[]> => {
    const items: Item[] = [];
    for await (const page of list.pages()) {
      items.push(...page.items);
      counts[part] = { read: items.length, total: page.total_items };
      tell(false);
    }
    return items;
  };
  tell(false);
  const [tools, trigger_types] = await Promise.all([
    collect("tools", svc.tools.list({ toolkit_slug: slug, toolkit_versions: version, limit: PAGE })),
    collect("triggerTypes", svc.triggers.listTypes({ toolkit_slugs: [slug], toolkit_versions: version, limit: PAGE })),
  ]);
  tell(true);
  return { slug, name, version, tools, trigger_types };
}

async function findToolkit(svc: Svc, slug: string, version: string | undefined): Promise<ToolkitDetail> {
  try {
    return await svc.toolkits.get(slug, { version });
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
    return `The toolkit ${slug} has no version ${version}. It has: ${meta.available_versions.join(", ")}.`;
  }
  const meant = nearestName(slug, known);
  if (meant !== undefined) return `There is no toolkit ${slug}. Did you mean ${meant}?`;
  return `There is no toolkit ${slug}. Some that there are: ${known.slice(0, 10).join(", ")}.`;
}
