import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { keepLines } from '#src/http/line-stream.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A server, and a client that reads its lines. */
async function open(answer: (response: ServerResponse) => void, mostCharacters = 100) {
  const server = createServer((_, response) => answer(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const clock = new ManualClock();
  const stopping = new AbortController();
  const lines: string[] = [];
  const { port } = server.address() as AddressInfo; // it listens
  const opened = Promise.withResolvers<void>();
  const ended = keepLines({
    platform: 'x',
    url: `http://127.0.0.1:${port}/stream?secret=1`,
    headers: { authorization: 'Bearer secret' },
    mostCharacters,
    silentMs: 30_000,
    faultOf: () => undefined,
    clock,
    signal: stopping.signal,
    onOpen: opened.resolve,
    onLine: (line) => lines.push(line),
  }).catch((error: unknown) => error);
  return { clock, stopping, lines, ended, opened: opened.promise };
}

test('lines can arrive in any parts, and empty ones are left out', async () => {
  const { lines, ended } = await open((response) => {
    const text = Buffer.from('{"a":"é"}\r\n\r\n{"b":1}\r\nrest');
    response.write(text.subarray(0, 7));
    response.write(text.subarray(7, 8));
    setImmediate(() => response.end(text.subarray(8)));
  });
  expect(String(await ended)).toBe('Error: x ended the stream');
  expect(lines).toEqual(['{"a":"é"}\r', '{"b":1}\r']);
});

test('silence ends the stream, and each line is a sign of life', async () => {
  let server: ServerResponse | undefined;
  const { clock, ended, opened, lines } = await open((response) => {
    server = response;
    response.flushHeaders();
  });
  await opened;
  await clock.advance(20_000);
  server?.write('\r\n{}\r\n');
  await expect.poll(() => lines.length).toBe(1);
  await clock.advance(20_000);
  expect(clock.sleeping).toBe(1);
  await clock.advance(10_000);
  expect(String(await ended)).toBe('Error: x was silent for 30 seconds');
  expect(clock.sleeping).toBe(0);
});

test('a line without an end does not fill the memory', async () => {
  const { ended } = await open((response) => void response.write('x'.repeat(1_000)));
  expect(String(await ended)).toContain('a line of more than 100 characters');
});

test('a refusal has the meaning of its status, and no secret', async () => {
  const { ended } = await open((response) => void response.writeHead(429, { 'retry-after': '90' }).end('{}'));
  const error = await ended;
  expect(error).toBeInstanceOf(PlatformError);
  expect(error).toMatchObject({ fault: 'rateLimited', status: 429, retryAt: expect.any(Date) });
  expect(String(error)).not.toContain('secret');
});

test('an abort ends the stream at once', async () => {
  const { stopping, ended, opened, clock } = await open((response) => response.flushHeaders());
  await opened;
  stopping.abort(new Error('over'));
  expect(String(await ended)).toBe('Error: over');
  expect(clock.sleeping).toBe(0);
});
