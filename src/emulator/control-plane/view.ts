import { factsIn, latestVersion } from "../catalog/catalog.js";
import type { Engine } from "../engine/engine.js";
import { maskSecret } from "../host/mask-and-record.js";

/** How many of the newest records of each kind are shown. */
const SHOWN = 1_000;

/** The state as the inspector shows it: the newest records of each kind, without credentials. */
export function stateView({ state, clock, faults, rateLimit }: Engine) {
  const accounts = [...state.connectedAccounts.values()];
  return {
    now: clock.iso(),
    isRunning: clock.isRunning,
    rateLimit: { limit: rateLimit.limit, windowSeconds: rateLimit.windowSeconds, ...rateLimit.usage() },
    faults: faults.items,
    deliveryFaults: state.deliveries.faults,
    accounts: newest(accounts).map((account) => ({
      ...{ id: account.id, userId: account.userId, toolkit: account.toolkit, authConfigId: account.authConfigId },
      ...{ scheme: account.scheme, status: account.status, reason: account.statusReason },
      ...{ createdAt: account.createdAt, updatedAt: account.updatedAt },
      linkUrl: account.flow && !account.flow.isOver ? account.flow.url : null,
    })),
    authConfigs: newest([...state.authConfigs.values()].filter(({ isDeleted }) => !isDeleted)).map((config) => ({
      ...{ id: config.id, name: config.name, toolkit: config.toolkit.slug, scheme: config.auth_scheme },
      ...{ isManaged: config.is_svc_managed, status: config.status },
      accounts: accounts.filter(({ authConfigId }) => authConfigId === config.id).length,
    })),
    triggers: newest([...state.triggers.values()]).map((trigger) => ({
      ...{ id: trigger.id, name: trigger.name, accountId: trigger.accountId, userId: trigger.userId },
      ...{ version: trigger.version, config: trigger.config, createdAt: trigger.createdAt },
      ...{ isEnabled: trigger.disabledAt === null, disabledReason: trigger.disabledReason },
    })),
    subscriptions: newest([...state.webhookSubscriptions.values()]).map((subscription) => ({
      ...{ id: subscription.id, url: subscription.webhook_url, version: subscription.version },
      ...{ events: subscription.enabled_events, createdAt: subscription.created_at },
      secret: maskSecret(subscription.secret),
    })),
    sessions: newest([...state.sessions.values()]).map(({ id, userId, createdAt, versions }) => {
      return { id, userId, createdAt, config: versions.at(-1)?.config ?? {} };
    }),
    files: [
      ...newest([...state.files.values()]).map((file) => ({
        ...{ id: file.key, name: file.filename, mimetype: file.mimetype, place: `${file.toolkit} · ${file.tool}` },
        ...{ bytes: bytesOf(file.base64), sessionId: null },
      })),
      ...newest([...state.mountFiles.values()]).map((file) => ({
        ...{ id: `${file.sessionId}/${file.mountId}/${file.path}`, name: file.path, mimetype: file.mimetype },
        ...{ place: file.mountId, bytes: file.size, sessionId: file.sessionId },
      })),
    ],
  };
}

function newest<Item>(items: readonly Item[]): Item[] {
  return items.slice(-SHOWN).reverse();
}

/** Size of an uploaded file in bytes; null before the upload. */
function bytesOf(base64: string | undefined): number | null {
  return base64 === undefined ? null : Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}

/** The tools and trigger types in their latest versions, with their schemas. */
export function catalogView({ world: { catalog } }: Engine) {
  return [...catalog.toolkits.values()].map((toolkit) => {
    const version = latestVersion(toolkit);
    return {
      ...{ slug: toolkit.slug, name: toolkit.name, version, needsAccount: toolkit.auth.length > 0 },
      tools: catalog.toolsOf(toolkit, version).map(({ tool, facts }) => ({
        ...{ slug: tool.slug, name: tool.name, description: facts.description, input: facts.input },
        isDeprecated: facts.isDeprecated ?? false,
      })),
      triggers: (toolkit.triggers ?? []).map((trigger) => {
        const { description, payload } = factsIn(trigger, version);
        return { slug: trigger.slug, name: trigger.name, description, payload };
      }),
    };
  });
}
