import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A pooler that treats sessions like PgBouncer. It refuses startup parameters that it cannot keep. In the mode `transaction`, a client has a
 * connection to the server during a transaction only.
 */
export interface TestPooler extends AsyncDisposable {
  readonly port: number;
}

interface PoolerOptions {
  readonly targetPort: number;
  readonly mode: 'session' | 'transaction';
}

/** Starts a pooler on a local port. */
export async function startPooler({ targetPort, mode }: PoolerOptions): Promise<TestPooler> {
  const sockets = new Set<Socket>();
  /** The connections without a client, the last used one last. */
  const idle: Upstream[] = [];

  const listener = createServer((client) => {
    keep(client);
    client.once('data', (startup: Buffer) => {
      const refused = REFUSED.find((name) => startup.includes(`\0${name}\0`));
      if (refused) return void client.end(fatal(`unsupported startup parameter: ${refused}`));
      const server = connect(targetPort, '127.0.0.1');
      keep(server);
      server.write(startup);
      if (mode === 'transaction') return share(client, new Upstream(server), idle);
      client.pipe(server).pipe(client);
    });
  });

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    // A server on a port has such an address.
    port: (listener.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const socket of sockets) socket.destroy();
      await once(listener, 'close');
    },
  };
}

const REFUSED = ['options', 'search_path', 'statement_timeout'];
const [SYNC, QUERY, TERMINATE, READY, IDLE] = ['S', 'Q', 'X', 'Z', 'I'];

/** A connection to the server. */
class Upstream {
  readonly socket: Socket;
  /** Receives the messages of the server. Messages to no client are lost. */
  onMessage: (message: Buffer) => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    const split = splitter();
    socket.on('data', (chunk: Buffer) => {
      for (const message of split(chunk)) this.onMessage(message);
    });
  }
}

/** Signs a client in over a new connection, and serves its transactions over any idle connection. */
function share(client: Socket, login: Upstream, idle: Upstream[]): void {
  let server: Upstream | undefined = login;
  let isSignedIn = false;
  let unanswered = 1;
  const split = splitter();

  function attach(upstream: Upstream): Upstream {
    upstream.onMessage = (message) => {
      client.write(message);
      if (typeOf(message) !== READY) return;
      isSignedIn = true;
      unanswered -= 1;
      if (unanswered > 0 || message.toString('latin1', 5) !== IDLE) return;
      upstream.onMessage = () => undefined;
      server = undefined;
      idle.push(upstream);
    };
    return upstream;
  }

  attach(login);
  client.on('data', (chunk: Buffer) => {
    for (const message of split(chunk)) {
      const type = typeOf(message);
      if (isSignedIn && type === TERMINATE) return void client.end();
      const free = server ?? idle.pop();
      if (!free) throw new Error('the pooler of the test has as many connections as clients');
      server = server ?? attach(free);
      if (type === SYNC || type === QUERY) unanswered += 1;
      free.socket.write(message);
    }
  });
  client.on('close', () => server?.socket.destroy());
}

/** Cuts the bytes of a connection into its messages: a type, a length, and the content. */
function splitter(): (chunk: Buffer) => readonly Buffer[] {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1;
      messages.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    return messages;
  };
}

function typeOf(message: Buffer): string {
  return message.toString('latin1', 0, 1);
}

function fatal(text: string): Buffer {
  const fields = Buffer.from(['SFATAL', 'C08P01', `M${text}`, '', ''].join('\0'), 'latin1');
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
