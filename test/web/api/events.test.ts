import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { silentLog } from '#src/log.ts';
import { createApi } from '#src/web/api/api.ts';
import { startWeb, type Web } from '#src/web/web.ts';
import { FakeApiQueries } from '../../support/fake-api-queries.ts';
import { noOperations } from '../../support/operations.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { decision, delivery, NOW } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';

interface Running extends AsyncDisposable {
  readonly web: Web;
  readonly apiQueries: FakeApiQueries;
  readonly clock: ManualClock;
}

async function run(): Promise<Running> {
  const apiQueries = new FakeApiQueries();
  const clock = new ManualClock(NOW);
  const web = await startWeb({ host: '127.0.0.1', port: 0, apiQueries, operations: noOperations, clock, log: silentLog });
  return { web, apiQueries, clock, [Symbol.asyncDispose]: () => web[Symbol.asyncDispose]() };
}

/** A client of the event stream that reads on request. */
class Listener implements Disposable {
  readonly #socket: Socket;
  #text = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8').on('data', (text: string) => (this.#text += text));
  }

  static async open({ web, clock }: Running, headers = ''): Promise<Listener> {
    const before = clock.sleeping;
    const { hostname, port } = new URL(web.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`GET /api/events HTTP/1.1\r\nHost: ${hostname}\r\n${headers}\r\n`);
    // Each reader waits for its next heartbeat.
    await vi.waitUntil(() => clock.sleeping === before + 1, { timeout: 50_000 });
    return new Listener(socket);
  }

  /** Reads up to `text` and resolves with everything read since the last call. */
  async reads(text: string): Promise<string> {
    while (!this.#text.includes(text)) await once(this.#socket, 'data');
    const end = this.#text.indexOf(text) + text.length;
    const read = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    return read;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Resolves when the answer has ended. */
  async ends(): Promise<void> {
    await this.reads('\r\n0\r\n\r\n');
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

test('an event has the name of its kind, with the changed record', async () => {
  await using running = await run();
  using listener = await Listener.open(running);

  running.apiQueries.emit({ kind: 'delivery', item: delivery('d1') });
  running.apiQueries.emit({ kind: 'decision', item: decision({ message: 'two\nlines' }) });
  running.apiQueries.emit({ kind: 'posts' });

  const text = await listener.reads('event: posts\ndata: {}\n\n');
  expect(text).toMatch(/content-type: text\/event-stream/i);
  expect(text).toContain('event: delivery\ndata: {"id":"d1","rule":"valorant-top",');
  expect(text).toContain('"message":"two\\nlines"}\n\n');
});

test('a reader that reconnects gets the events after its last one, and no other', async () => {
  await using running = await run();
  const idOf = (text: string): string => /^id: (.+)$/mu.exec(text)?.[1] ?? '';
  using first = await Listener.open(running);
  const atStart = idOf(await first.reads('\n\n'));
  running.apiQueries.emit({ kind: 'rules' });
  const afterOne = idOf(await first.reads('event: rules\ndata: {}\n\n'));
  first[Symbol.dispose]();
  await vi.waitFor(() => expect(running.clock.sleeping).toBe(0), { timeout: 50_000 });
  running.apiQueries.emit({ kind: 'live' });
  running.apiQueries.emit({ kind: 'posts' });

  using both = await Listener.open(running, `Last-Event-ID: ${atStart}\r\n`);
  using second = await Listener.open(running, `Last-Event-ID: ${afterOne}\r\n`);

  const end = 'event: posts\ndata: {}\n\n';
  expect((await both.reads(end)).match(/(?<=^event: )\w+/gmu)).toEqual(['rules', 'live', 'posts']);
  expect((await second.reads(end)).match(/(?<=^event: )\w+/gmu)).toEqual(['live', 'posts']);
});

test.for([
  ['of another process', () => 'AAAAAAAA.1'],
  ['of a later event', (id: string) => id.replace(/\d+$/u, '1002')],
  ['of an event that is no longer kept', (id: string) => id.replace(/\d+$/u, '0')],
  ['in an invalid form', () => '17'],
] as const)('a reader with an id %s reads the lists again, and then gets new events', async ([, change]) => {
  await using running = await run();
  using first = await Listener.open(running);
  const [, id = ''] = /^id: (.+)$/mu.exec(await first.reads('\n\n')) ?? [];
  for (let count = 0; count < 1001; count++) running.apiQueries.emit({ kind: 'live' });

  using again = await Listener.open(running, `Last-Event-ID: ${change(id)}\r\n`);
  running.apiQueries.emit({ kind: 'rules' });

  expect((await again.reads('event: rules\n')).match(/(?<=^event: )\w+/gmu)).toEqual(['reset', 'rules']);
});

test('a view names the last event that even an answer from the cache has', async () => {
  const clock = new ManualClock(NOW);
  const apiQueries = new FakeApiQueries();
  using closing = { controller: new AbortController(), [Symbol.dispose]: () => closing.controller.abort() };
  const { routes, lastEventId } = createApi({ ...noOperations, apiQueries, clock, log: silentLog, closing: closing.controller.signal });
  const first = lastEventId();
  apiQueries.emit({ kind: 'rules' });
  await clock.advance(501);
  apiQueries.emit({ kind: 'live' });
  await clock.advance(499);
  const later = lastEventId();
  apiQueries.emit({ kind: 'posts' });

  const read = async (id: string): Promise<readonly string[] | null> => {
    const actor = { name: 'local', via: 'page', role: 'admin' } as const;
    const { body } = await routes.request(`/api/events?after=${id}`, {}, { actor });
    let text = '';
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes('event: posts\n')) break;
    }
    return text.match(/(?<=^event: )\w+/gmu);
  };
  expect(await read(first)).toEqual(['rules', 'live', 'posts']);
  expect(await read(later)).toEqual(['live', 'posts']);
});

test('a stream with a token ends after ten minutes, so that a revoked token reads no more', async () => {
  const clock = new ManualClock(NOW);
  const apiQueries = new FakeApiQueries();
  const { routes: api } = createApi({ ...noOperations, apiQueries, clock, log: silentLog, closing: new AbortController().signal });
  const actor = { name: 'ci', via: 'api', role: 'viewer', id: 't1' } as const;
  const answer = await api.request('/api/events', {}, { actor });
  const text = answer.text();
  await vi.waitFor(() => expect(clock.sleeping).toBe(2), { timeout: 50_000 });

  await clock.advance(600_000 - 1);
  expect(clock.sleeping).toBe(2);
  await clock.advance(1);

  expect(await text).toContain('still here');
});

test('a stream without events sends a heartbeat every fifteen seconds', async () => {
  await using running = await run();
  using listener = await Listener.open(running);
  await listener.reads('retry: ');

  await running.clock.advance(14_999);
  running.apiQueries.emit({ kind: 'live' });
  const early = await listener.reads('event: live');
  await running.clock.advance(1);

  expect(early).not.toContain('still here');
  await listener.reads(': still here\n\n');
});

test('a closed stream leaves no sleeper', async () => {
  await using running = await run();
  const listener = await Listener.open(running);

  listener[Symbol.dispose]();

  await vi.waitFor(() => expect(running.clock.sleeping).toBe(0), { timeout: 50_000 });
});

test('a reader that does not read is disconnected, and other readers are not affected', async () => {
  await using running = await run();
  using slow = await Listener.open(running);
  await slow.reads('retry: ');
  slow.pause();
  using quick = await Listener.open(running);

  for (let round = 0; running.clock.sleeping === 2; round++) {
    for (let count = 0; count < 200; count++) running.apiQueries.emit({ kind: 'decision', item: decision({ message: 'x'.repeat(6000) }) });
    running.apiQueries.emit({ kind: 'decision', item: decision({ message: `round ${round} is over` }) });
    await quick.reads(`round ${round} is over`);
    if (round > 50) throw new Error('Events pile up for somebody who does not read.');
  }

  expect(running.clock.sleeping).toBe(1);
  running.apiQueries.emit({ kind: 'rules' });
  await quick.reads('event: rules\n');
  slow.resume();
  await slow.ends();
});

test('readers that connect together before any other share one history', async () => {
  const { routes, apiQueries } = await openSite();

  const answers = await Promise.all([routes.request('/api/events'), routes.request('/api/events')]);

  expect(apiQueries.listening).toBe(1);
  for (const { body } of answers) await body?.cancel();
});

test('a HEAD request leaves no listener', async () => {
  const { routes, apiQueries } = await openSite();

  const answer = await routes.request('/api/events', { method: 'HEAD' });

  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(apiQueries.listening).toBe(0);
});

test('a shutdown ends the streams at once', async () => {
  const running = await run();
  using listener = await Listener.open(running);

  await running[Symbol.asyncDispose]();

  await listener.ends();
  expect(running.apiQueries.listening).toBe(0);
  expect(running.clock.sleeping).toBe(0);
});

test('a shutdown waits at most two seconds for a reader that does not read', async () => {
  const running = await run();
  using slow = await Listener.open(running);
  slow.pause();
  const item = decision({ message: 'x'.repeat(64_000) });
  while (running.clock.sleeping > 0) {
    running.apiQueries.emit({ kind: 'decision', item });
    await new Promise((resolve) => setImmediate(resolve));
  }

  let over = false;
  const stopped = running[Symbol.asyncDispose]().then(() => (over = true));
  await running.clock.advance(1999);
  const early = over;
  await running.clock.advance(1);

  await stopped;
  expect(early).toBe(false);
  expect(running.apiQueries.listening).toBe(0);
});
