import { Agent, buildConnector } from 'undici';
import { expect, test } from 'vitest';
import { httpClient } from '#src/http/client.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { scriptHttp } from '../support/script-http.ts';

const clock = new ManualClock();

test('an abort during the wait for a response rejects with its reason and closes the connection', async () => {
  const stop = new AbortController();
  await using server = await scriptHttp([['GET /things', { fail: 'never' }]]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });
  const reading = client.request({ path: '/things', signal: stop.signal });
  reading.catch(() => undefined);
  await server.arrived(1);

  stop.abort(new Error('enough'));

  await expect(reading).rejects.toThrow('enough');
  await expect.poll(() => server.connections()).toBe(0);
});

test('an abort rejects at once while a connection is still being made, and nothing is sent', async () => {
  const stop = new AbortController();
  const connect = buildConnector({});
  const connecting = Promise.withResolvers<() => void>();
  await using server = await scriptHttp([]);
  const slow = new Agent({
    connect: (options, callback) => {
      connecting.resolve(() => connect(options, callback));
    },
  });
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock, dispatcher: slow });
  const reading = client.request({ path: '/things', signal: stop.signal });
  reading.catch(() => undefined);
  const goOn = await connecting.promise;

  stop.abort(new Error('enough'));

  await expect(reading).rejects.toThrow('enough');
  goOn();
  await slow.close();
  expect(server.seen).toEqual([]);
});

test('an earlier abort sends nothing', async () => {
  await using server = await scriptHttp([]);
  await using client = httpClient({ platform: 'demo', baseUrl: server.url, clock });

  const reading = client.request({ path: '/things', signal: AbortSignal.abort(new Error('enough')) });

  await expect(reading).rejects.toThrow('enough');
});
