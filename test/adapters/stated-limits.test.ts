import { expect, test } from 'vitest';
import { scriptKick } from './kick/script-kick.ts';
import { scriptTwitch } from './twitch/script-twitch.ts';
import { ManualClock } from '../support/manual-clock.ts';

const RESET_MS = 30_000;
const RESET_AT = String((new ManualClock().nowMs() + RESET_MS) / 1_000);

/** An empty list whose headers state that no request remains until the reset. */
function usedUp(headers: Readonly<Record<string, string>>) {
  return { json: { data: [], pagination: {} }, headers };
}

/** How many requests have come, before and after the reset. */
async function requestsAround({ bot, clock, server }: Awaited<ReturnType<typeof scriptTwitch>>) {
  await bot.getTopStreams();
  const before = server.seen.length;
  const next = bot.getTopStreams();
  await clock.advance(RESET_MS - 1);
  const waiting = server.seen.length - before;
  await clock.advance(1);
  await next;
  return { waiting, sent: server.seen.length - before };
}

test('Twitch: no request is sent before the limit resets that its answers state', async () => {
  await using twitch = await scriptTwitch([
    ['GET /helix/streams?first=100', usedUp({ 'ratelimit-limit': '800', 'ratelimit-remaining': '0', 'ratelimit-reset': RESET_AT })],
    ['GET /helix/streams?first=100', usedUp({})],
  ]);

  expect(await requestsAround(twitch)).toEqual({ waiting: 0, sent: 1 });
});

test('Kick: no request is sent before the limit resets that its answers state', async () => {
  await using kick = await scriptKick([
    ['GET /public/v2/livestreams?limit=1000', usedUp({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': RESET_AT })],
    ['GET /public/v2/livestreams?limit=1000', usedUp({})],
  ]);

  expect(await requestsAround(kick)).toEqual({ waiting: 0, sent: 1 });
});
