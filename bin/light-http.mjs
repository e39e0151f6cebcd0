// Replaces imports of node:http in the build. They read all exports, and that of WebSocket loads Node's copy of undici: 10 MB and 35 ms.
// process.getBuiltinModule() reads none.
const http = process.getBuiltinModule('node:http');

export const {
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
} = http;
export default http;
