const { Composio } = require("@composio/client");

const composio = new Composio();
exports.spare = new Composio({ maxRetries: 0 });
module.exports.composio = composio;
