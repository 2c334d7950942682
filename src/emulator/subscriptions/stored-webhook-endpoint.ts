/** An inbound address for one OAuth application's events. */
export interface StoredWebhookEndpoint {
  id: string;
  /** The project it belongs to: others do not find it. */
  projectId: string;
  toolkit: string;
  clientId: string;
  /** Where the provider posts to. */
  url: string;
  /** By field, in clear; answers mask what is secret. */
  data: Record<string, string>;
  createdAt: string;
}
