import type { TriggerDefinition } from "../definitions.js";
import { objectSchema, text } from "./json-schema.js";

const channel = text("Id of a channel; every channel when left out.");
const payload = objectSchema({
  channel: text("Id of the channel."),
  user: text("Who wrote it."),
  text: text("The message."),
  ts: text("Id of the message: its time."),
});

/** Messages; mentions need a Slack app of your own, which reports to an inbound webhook endpoint. */
export const slackTriggers: readonly TriggerDefinition[] = [
  {
    slug: "SLACK_NEW_MESSAGE",
    name: "New message",
    description: "A message was posted to a channel.",
    type: "webhook",
    config: objectSchema({ channel }, ["channel"]),
    payload,
  },
  {
    slug: "SLACK_APP_MENTION",
    name: "App mention",
    description: "Somebody mentioned your Slack app.",
    instructions: "Create a webhook endpoint for your Slack app first, and enter its address there.",
    type: "webhook",
    config: objectSchema({ channel }, ["channel"]),
    payload,
    requiresWebhookEndpointSetup: true,
  },
];
