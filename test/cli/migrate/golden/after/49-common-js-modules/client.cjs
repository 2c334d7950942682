const { Svc } = require("svc-sdk");

const composio = new Svc();
exports.spare = new Svc({ maxRetries: 0 });
module.exports.composio = composio;
