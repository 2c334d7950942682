import { Composio, type ClientOptions } from '@composio/client'

// Shared by every client of this program.
const shared: ClientOptions = { maxRetries: 4, timeout: 10_000 }

export const plain = new Composio()
export const full = new Composio({
  ...shared,
  apiKey: 'ak_1', // The project's key.
  userApiKey: 'uak_1',
  orgApiKey: 'oak_1',
  baseURL: 'https://api.example.com',
  timeout: 30_000,
  defaultHeaders: { 'x-team': 'growth' },
  allowInsecureHTTP: false,
  fetch: (request) => fetch(request),
})
