import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { silentLog } from '#src/log.ts';
import { startWeb } from '#src/web/web.ts';
import { FakeApiQueries } from '../../support/fake-api-queries.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperations } from '../../support/operations.ts';
import { decision, NOW } from '../../support/view-records.ts';

const READERS = 500;
/** Every so many readers, one reads. */
const QUICK = 5;
const ROUNDS = 12;
const EVENTS = 250;

test('500 connections, most without reads, need bounded memory, and the active readers get every event', async () => {
  const apiQueries = new FakeApiQueries();
  const clock = new ManualClock(NOW);
  await using web = await startWeb({ host: '127.0.0.1', port: 0, apiQueries, operations: noOperations, clock, log: silentLog });
  const { hostname, port } = new URL(web.url);
  const sockets: Socket[] = [];
  const received = new Map<Socket, number>();
  for (let index = 0; index < READERS; index++) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`GET /api/events HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    sockets.push(socket);
    if (index % QUICK !== 0) continue;
    received.set(socket, 0);
    socket.setEncoding('latin1').on('data', (text: string) => {
      received.set(socket, (received.get(socket) ?? 0) + (text.match(/^event: /gmu)?.length ?? 0));
    });
  }
  await vi.waitUntil(() => clock.sleeping === READERS, { timeout: 240_000 });

  const peaks: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    for (let count = 0; count < EVENTS; count++) apiQueries.emit({ kind: 'decision', item: decision({ message: 'x'.repeat(4000) }) });
    await vi.waitUntil(() => [...received.values()].every((count) => count === round * EVENTS), { timeout: 240_000 });
    peaks.push(process.memoryUsage().heapUsed + process.memoryUsage().external);
  }

  const grownBytes = Math.max(...peaks.slice(ROUNDS / 2)) - Math.max(...peaks.slice(0, ROUNDS / 2));
  const shown = peaks.filter((_, index) => index % 3 === 2).map((bytes) => Math.round(bytes / 2 ** 20));
  console.info(`MB after each third round: ${shown.join(', ')}`);
  expect(grownBytes).toBeLessThan(64 * 2 ** 20);
  // Readers that do not read are disconnected.
  expect(clock.sleeping).toBe(READERS / QUICK);
  for (const socket of sockets) socket.destroy();
});
