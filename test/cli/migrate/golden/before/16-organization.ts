import Composio from "@composio/client";

const admin = new Composio({ orgApiKey: process.env.COMPOSIO_ORG_API_KEY });

const project = await admin.org.owner.project.create({ name: "second-project" });
console.log((await admin.org.owner.project.retrieve(project.id)).name);
await admin.org.owner.project.regenerateAPIKey(project.id);
const { data } = await admin.org.owner.project.list();
console.log(data.length);
const usage = await admin.org.usage.retrieve("sessions");
console.log(usage, await admin.project.usage.retrieveSummary());
await admin.org.owner.project.delete(project.id);
