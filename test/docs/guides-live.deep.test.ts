import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { slotsOf } from '#src/engine/scheduler/slots.ts';
import type { WorldOrder } from '#sandbox/world/world.ts';
import { checkBlock } from './check-block.ts';
import { runLive, type LiveResult, type LiveWorld } from './live-guides.ts';
import { readPage } from './pages.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const MINUTE_MS = 60_000;
const MINUTES = 56;
/** A slot of `cron` or `at` is this long before the end of the run. */
const AFTER_SLOT = 4;
/** Rules that run together. */
const MOST = 12;

const LISTS = {
  team: { ada: { line: 'Queen to {game}!' }, grace: {} },
  week: { friday: { day: 'Friday', streamer: 'grace', title: 'Chess' } },
  followed: { ada: { server: '1202584131993600001' } },
};

/** The others need something that the sandbox does not do here: a member who uses a command, a mention, a failure, a second server. */
const LEAST_SENDING = 90;

const ORDERS: Readonly<Record<number, readonly WorldOrder[]>> = {
  0: ['ada', 'grace', 'linus', 'margaret', 'dennis', 'barbara'].map((user) => ({ do: 'end', user })),
  3: [{ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked speedrun', viewers: 900 }],
  6: [{ do: 'goLive', user: 'grace', game: 'Hollow Orchard', title: 'First night', viewers: 300 }],
  12: [{ do: 'changeTitle', user: 'ada', title: 'Up the mountain' }],
  16: [{ do: 'changeGame', user: 'ada', game: 'Celeste' }],
  18: [{ do: 'setViewers', user: 'ada', viewers: 6000 }],
  24: [{ do: 'end', user: 'ada' }],
  30: [{ do: 'end', user: 'grace' }],
  45: [{ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked again', viewers: 700 }],
};

const Sent = z.looseObject({ id: z.string() });

/** The changes in the simulated platforms, by minute. */
async function play(minute: number, { sandbox: { url, world, clock }, clients }: LiveWorld): Promise<void> {
  for (const order of ORDERS[minute] ?? []) world.order(order, clock.nowMs());
  if (minute !== 8) return;
  const control = async (path: string, body: unknown): Promise<z.output<typeof Sent>> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/control/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return Sent.catch({ id: '' }).parse(await response.json());
  };
  await control('discord/messages', { user: 'grace', channel: 'questions', title: 'How do I join?', content: 'Hello', tags: ['Open'] });
  const { id: message } = await control('discord/messages', { user: 'grace', channel: 'general', content: 'Mate in four!' });
  for (const user of ['ada', 'linus', 'margaret']) await control('discord/reactions', { user, message, emoji: '⭐' });
  const startsAt = new Date(clock.nowMs() + 40 * MINUTE_MS).toISOString();
  await control('twitch/schedule', { user: 'ada', streams: [{ id: 'finale', title: 'The finale', game: 'Chess', startsAt }] });
  for (const host of ['blog', 'news', 'podcast', 'reddit'])
    await control('feeds', { feed: `${host}.example`, title: 'Hollow Orchard', text: '<p>Maps</p>' });
  await clients.social.get('mastodon')?.createPost('Doors open at six! #teamorchard #hollowOrchard');
  await clients.social.get('bluesky')?.createPost('A new opening video! #fedi #hollowOrchard');
}

interface Guide {
  readonly guide: string;
  readonly source: string;
  readonly startMs: number;
}

/** The rule of a guide with the accounts of the sandbox, and when it runs. */
function guideIn(file: string): Guide {
  const source = readPage(file).rules[0]?.source ?? '';
  const own = source.includes('account: bluesky') ? 'fanfare.sandbox.test' : 'fanfare';
  const [rule] = checkBlock(source).rules;
  const slotMs = !rule || 'everyMs' in rule.schedule ? undefined : slotsOf(rule.schedule).next(START_MS);
  return {
    guide: basename(file, '.md'),
    // Other accounts of the sandbox post at random times.
    source: source.replaceAll(/[\w.]+(?:@example\.social|\.bsky\.social)/gu, own).replace(' && !item.author.self', ''),
    startMs: slotMs === undefined ? START_MS : slotMs - (MINUTES - AFTER_SLOT) * MINUTE_MS,
  };
}

const guides = globSync('docs/guides/*.md')
  .filter((file) => basename(file) !== 'index.md')
  .toSorted()
  .map(guideIn);

// X refuses equal posts, so rules that post run alone.
const batches = Object.values(
  Object.groupBy(guides, ({ guide, source, startMs }) => `${startMs} ${/do: social\./u.test(source) ? guide : ''}`),
).flatMap((batch = []) => Array.from({ length: Math.ceil(batch.length / MOST) }, (_, i) => batch.slice(i * MOST, (i + 1) * MOST)));

const results = new Map<string, LiveResult>();

test.each(batches.map((batch) => [batch.map(({ guide }) => guide).join(', '), batch] as const))(
  'a test of the rule does the same as the sandbox: %s',
  async (_names, batch) => {
    const others = batch.some(({ source }) => /rule: live-card/u.test(source)) ? [readFileSync('rules/live-card.yaml', 'utf8')] : [];
    const sources = batch.map(({ source }) => source);
    const ran = await runLive({ sources, others, lists: LISTS, startMs: batch[0]?.startMs ?? START_MS, minutes: MINUTES, play });
    for (const [id, result] of ran) results.set(id, result);

    expect([...ran].flatMap(([id, { differences }]) => differences.map((difference) => `${id}: ${difference}`))).toEqual([]);
  },
);

test('most rules sent something', () => {
  const idOf = ({ source }: Guide): string => /^id: (\S+)$/mu.exec(source)?.[1] ?? '';
  const isSender = (rule: string): boolean => [...results].some(([id, { sent }]) => id.split('/')[0] === rule && sent > 0);

  expect(guides.map(idOf).filter(isSender).length).toBeGreaterThan(LEAST_SENDING);
});
