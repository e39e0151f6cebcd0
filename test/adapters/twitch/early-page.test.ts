import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test, vi } from 'vitest';
import { twitch } from '#adapters/twitch/index.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { streamRow } from './script-twitch.ts';

/** undici publishes each request when its head is written. */
const WRITTEN = 'undici:client:sendHeaders';
const LAST = 4;

test('the next page is requested before the current one is parsed', async () => {
  const server = createServer(({ url = '/' }, response) => {
    const place = Number(new URL(url, 'http://twitch').searchParams.get('after') ?? 0);
    const pagination = place < LAST ? { cursor: String(place + 1) } : {};
    const answer = url.startsWith('/helix')
      ? { data: [streamRow(`ada${place}`)], pagination }
      : { access_token: 'token', expires_in: 9000 };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const events: string[] = [];
  const written = (): void => void events.push('written');
  const parse = JSON.parse;
  const parsing = vi.spyOn(JSON, 'parse').mockImplementation((text: string): unknown => {
    if (text.includes('"pagination"')) events.push('parsed');
    return parse(text);
  });

  await using platform = twitch({ clientId: 'id', clientSecret: 'secret', apiUrl: `${url}/helix`, authUrl: url, clock: new ManualClock() });
  const bot = new Bot({ platform });
  await bot.getTopStreams({ pages: 1 });
  events.length = 0;
  subscribe(WRITTEN, written);
  const streams = await bot.getTopStreams({ pages: 'all', waitTime: 0 });
  unsubscribe(WRITTEN, written);
  parsing.mockRestore();
  server.close();

  expect(streams.items).toHaveLength(LAST + 1);
  expect(events.join(' ')).toBe('written written parsed written parsed written parsed written parsed parsed');
});
