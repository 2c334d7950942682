// Stands beside its node_modules, so that the rivals resolve from here and not from the project.
export * as octokit from "@octokit/webhooks-methods";
export { Webhook as StandardWebhook } from "standardwebhooks";
export { default as Stripe } from "stripe";
export { Webhook as SvixWebhook } from "svix";
