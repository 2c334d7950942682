import { Svc } from "svc-sdk";

export class Accounts {
  private readonly composio: Svc;
  #other = new Svc({ maxRetries: 0 });

  constructor(composio: Svc = new Svc()) {
    this.composio = composio;
  }

  async get(id: string) {
    const first = await this.composio.connectedAccounts.get(id);
    return first ?? (await this.#other.connectedAccounts.get(id));
  }
}

export class Toolkits {
  constructor(private readonly client: Svc) {}

  categories() {
    return this.client.toolkits.categories();
  }
}
