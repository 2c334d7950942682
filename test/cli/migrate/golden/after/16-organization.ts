import { Svc } from "svc-sdk";

const admin = new Svc({ orgApiKey: process.env.COMPOSIO_ORG_API_KEY });

const project = await admin.projects.create({ name: "second-project" });
console.log((await admin.projects.get(project.id)).name);
await admin.projects.regenerateApiKey(project.id);
const { data } = await admin.projects.list();
console.log(data.length);
const usage = await admin.usage.organization("sessions");
console.log(usage, await admin.usage.projectSummary());
await admin.projects.delete(project.id);
