// Replaces node:http in the build. An import of node:http also loads Node's copy of undici, which takes 10 MB and 35 ms.
const load = process.getBuiltinModule;
// The parts of node:http are modules of Node 24. Later versions may remove them.
const parts = process.versions.node.startsWith('24.')
  ? ['_http_agent', '_http_client', '_http_incoming', '_http_outgoing', '_http_server'].map((name) => load(`node:${name}`))
  : [load('node:http')];
const { Agent, globalAgent, ClientRequest, IncomingMessage, OutgoingMessage, Server, ServerResponse, STATUS_CODES } = Object.assign(
  {},
  ...parts,
);
/** Node's default of --max-http-header-size. */
const maxHeaderSize = 16 * 1024;

function createServer(options, listener) {
  return new Server(options, listener);
}

function request(url, options, callback) {
  return new ClientRequest(url, options, callback);
}

function get(url, options, callback) {
  const sent = request(url, options, callback);
  sent.end();
  return sent;
}

export {
  Agent,
  globalAgent,
  ClientRequest,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  STATUS_CODES,
  createServer,
  request,
  get,
  maxHeaderSize,
};
export default {
  Agent,
  globalAgent,
  ClientRequest,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  STATUS_CODES,
  createServer,
  request,
  get,
  maxHeaderSize,
};
