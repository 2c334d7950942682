import Composio from "@composio/client";

export class Accounts {
  private readonly composio: Composio;
  #other = new Composio({ maxRetries: 0 });

  constructor(composio: Composio = new Composio()) {
    this.composio = composio;
  }

  async get(id: string) {
    const first = await this.composio.connectedAccounts.retrieve(id);
    return first ?? (await this.#other.connectedAccounts.retrieve(id));
  }
}

export class Toolkits {
  constructor(private readonly client: Composio) {}

  categories() {
    return this.client.toolkits.retrieveCategories();
  }
}
