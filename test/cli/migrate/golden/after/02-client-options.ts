import { Svc, type SvcOptions } from 'svc-sdk'

// Shared by every client of this program.
const shared: SvcOptions = { maxRetries: 4, timeoutMs: 10_000 }

export const plain = new Svc()
export const full = new Svc({
  ...shared,
  apiKey: 'ak_1', // The project's key.
  userApiKey: 'uak_1',
  orgApiKey: 'oak_1',
  baseUrl: 'https://api.example.com',
  timeoutMs: 30_000,
  headers: { 'x-team': 'growth' },
  allowInsecureHttp: false,
  fetch: (request) => fetch(request),
})
