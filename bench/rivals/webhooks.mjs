// Stands beside its node_modules, so that the rivals and the packed tarball resolve from here and not from the project.
export * as octokit from "@octokit/webhooks-methods";
export { Webhook as StandardWebhook } from "standardwebhooks";
export { default as Stripe } from "stripe";
export * as ours from "svc-sdk/webhooks";
export { Webhook as SvixWebhook } from "svix";
