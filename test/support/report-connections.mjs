import { Socket } from 'node:net';

// Reports the host of each TCP connection of a process: `node --import ./test/support/report-connections.mjs …`.
const original = Object.getOwnPropertyDescriptor(Socket.prototype, 'connect').value;
Socket.prototype.connect = function reportAndConnect(...args) {
  // Node passes the arguments of net.connect() as one list.
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const { host = 'localhost', path } = typeof options === 'object' ? options : { host: args[1] };
  process.stderr.write(`connects to ${path ?? host}\n`);
  return original.apply(this, args);
};
