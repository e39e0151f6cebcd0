import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const BARRIER = 'barrier';

let stack: AsyncDisposableStack;
let proxy: TcpProxy;
let serverPort: number;
/** The bytes that arrived at the server. */
let received: string;
let onReceived: (() => void) | undefined;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  received = '';
  const server = await listen((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      if (chunk.toString() !== BARRIER) received += chunk.toString();
      onReceived?.();
      socket.write(`echo ${chunk.toString()}`);
    });
  });
  serverPort = (server.address() as AddressInfo).port; // it listens on a port
  proxy = stack.use(await startTcpProxy({ targetPort: serverPort, delayMs: 300 }));
});

afterEach(() => stack.disposeAsync());

async function listen(onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(async () => {
    server.close();
    await once(server, 'close');
  });
  return server;
}

async function open(): Promise<Socket> {
  const client = connect(proxy.port, '127.0.0.1');
  client.on('error', () => undefined);
  stack.defer(() => void client.destroy());
  await once(client, 'connect');
  return client;
}

/** Passes every data that was sent before through the event loop: a connection without the proxy answers. */
async function roundTrip(): Promise<void> {
  const direct = connect(serverPort, '127.0.0.1');
  await answerTo(direct, BARRIER);
  direct.destroy();
}

async function answerTo(client: Socket, text: string): Promise<string> {
  client.write(text);
  const [chunk] = (await once(client, 'data')) as [Buffer]; // the event of a socket
  return chunk.toString();
}

test('passes data in both directions', async () => {
  expect(await answerTo(await open(), 'a')).toBe('echo a');
});

test('resets open connections and accepts new ones', async () => {
  const client = await open();
  await answerTo(client, 'a');
  const failed = once(client, 'error');

  proxy.setMode('reset');

  expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
  expect(await answerTo(await open(), 'b')).toBe('echo b');
});

test('refuses open and new connections until it passes again', async () => {
  const client = await open();
  await answerTo(client, 'a');
  const failed = once(client, 'error');
  proxy.setMode('refuse');
  await failed;

  const refused = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
  await new Promise((resolve) => refused.once('close', resolve));
  proxy.setMode('pass');

  expect(await answerTo(await open(), 'b')).toBe('echo b');
});

test('freezes an open connection without closing it, and loses nothing', async () => {
  const client = await open();
  await answerTo(client, 'a');
  proxy.setMode('freeze');

  client.write('b');
  await roundTrip();
  expect(received).toBe('a');

  const answer = once(client, 'data');
  proxy.setMode('pass');
  expect(String((await answer)[0])).toBe('echo b');
});

test('forgets open connections and passes new ones', async () => {
  const client = await open();
  await answerTo(client, 'a');

  proxy.setMode('forget');
  client.write('b');
  proxy.setMode('pass');

  expect(await answerTo(await open(), 'c')).toBe('echo c');
  expect(received).toBe('ac');
  expect(client.destroyed).toBe(false);
});

test('freezes only the answers', async () => {
  const client = await open();
  await answerTo(client, 'a');
  proxy.setMode('freezeToClient');
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  onReceived = resolve;
  let answers = 0;
  client.on('data', () => answers++);

  client.write('b');
  await arrived;
  await roundTrip();

  expect(received).toContain('ab');
  expect(answers).toBe(0);
});

test('freezes only the requests', async () => {
  const client = await open();
  await answerTo(client, 'a');
  proxy.setMode('freezeToServer');

  client.write('b');
  await roundTrip();

  expect(received).toBe('a');
});

test('delays data', async () => {
  const client = await open();
  proxy.setMode('delay');
  const startMs = performance.now();

  expect(await answerTo(client, 'a')).toBe('echo a');

  expect(performance.now() - startMs).toBeGreaterThan(550);
});

test('closes the other side when one side ends', async () => {
  const client = await open();
  await answerTo(client, 'a');
  expect(proxy.connections).toBe(1);

  client.destroy();

  await expect.poll(() => proxy.connections).toBe(0);
});
