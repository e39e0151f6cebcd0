import { expect, test } from 'vitest';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import { openLookups, type LookupGround } from './lookup-ground.ts';

function urlsIn({ message }: InteractionView): readonly unknown[] {
  return (message?.embeds ?? []).map(({ url }) => url);
}

/** The buttons of a message: what stands on them, and whether they can be pressed. */
function buttonsIn({ message }: InteractionView): Readonly<Record<string, boolean>> {
  const rows = (message?.components ?? []) as unknown as readonly { components: readonly { label: string; disabled?: boolean }[] }[]; // the bot sends rows of buttons alone
  return Object.fromEntries(rows.flatMap(({ components }) => components.map(({ label, disabled }) => [label, disabled !== true])));
}

/** The whole ranking of the platform. */
async function urlsOf(ground: LookupGround): Promise<readonly unknown[]> {
  return (await ground.bot.getTopStreams({ pages: 'all', waitTime: 0 })).items.map(({ url }) => url);
}

test('pages are turned by buttons in the same message, and all of the ranking comes by', async () => {
  await using ground = await openLookups({ accounts: ['twitch'] });

  const first = await ground.command('top games');
  expect(buttonsIn(first)).toEqual({ First: false, Back: false, 1: false, Next: true, Refresh: true });
  const seen = [...urlsIn(first)];
  let view = first;
  while (buttonsIn(view)['Next']) {
    view = await ground.press(view.message, 'Next');
    expect(view).toMatchObject({ outcome: 'update', message: { id: first.message?.id } });
    seen.push(...urlsIn(view));
  }
  const back = await ground.press(view.message, 'Back');
  const again = await ground.press(back.message, 'First');

  const all = (await ground.bot.getTopGames({ pages: 'all', waitTime: 0 })).items.map(({ url }) => url);
  expect(new Set(seen)).toEqual(new Set(all));
  expect(seen).toHaveLength(all.length);
  expect(urlsIn(again)).toEqual(urlsIn(first));
});

test('pages go on behind the first page of the platform', async () => {
  await using ground = await openLookups({ accounts: ['twitch'] });
  const ranking = await urlsOf(ground);
  expect(ranking.length).toBeGreaterThan(105);

  let view = await ground.command('top streams');
  for (let page = 1; page <= 21; page++) view = await ground.press(view.message, 'Next');

  expect(buttonsIn(view)).toMatchObject({ 22: false, First: true });
  expect(urlsIn(view)).toEqual(ranking.slice(105, 110));
});

test('a press reads anew: what happened since is on the page', async () => {
  await using ground = await openLookups({ accounts: ['twitch'] });
  const before = await ground.command('top streams');
  ground.world.world.order({ do: 'goLive', user: 'ada', title: 'Out of nowhere', viewers: 900_000 }, ground.nowMs);

  const after = await ground.press(before.message, 'Refresh');

  expect(before.message?.embeds[0]?.['title']).not.toBe('Out of nowhere');
  expect(after.message?.embeds[0]).toMatchObject({ title: 'Out of nowhere', description: expect.stringContaining('**900K** watching') });
});

test('a page is turned as before by a bot that was started anew in between', async () => {
  await using ground = await openLookups({ accounts: ['twitch'] });
  const all = (await ground.bot.getGameClips('Chess', { sort: 'ALL_TIME' })).items.map(({ url }) => url);
  const first = await ground.command('game clips', { game: 'Chess' });
  const second = await ground.press(first.message, 'Next');

  await ground.restart();
  const third = await ground.press(second.message, 'Next');

  expect(urlsIn(third)).toEqual(all.slice(10, 15));
});

test('what has no room in a button is kept, and found again after a restart', async () => {
  await using ground = await openLookups({ accounts: ['twitch'] });
  const tags = 'Ranked, Competitive, 日本語, Português, Русский, nobody has this one, nor this one, and certainly not this';
  const first = await ground.command('top streams', { tags });
  const ids = [...JSON.stringify(first.message?.components).matchAll(/"custom_id":"([^"]+)"/gu)].map(([, id = '']) => id);

  await ground.restart();
  const second = await ground.press(first.message, 'Next');

  expect(ids.filter((id) => id.length > 100)).toEqual([]);
  expect(ids.every((id) => id.includes('~'))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  const page = (await ground.bot.getTopStreams({ tags: tags.split(', ') })).items.map(({ url }) => url);
  expect(urlsIn(second)).toEqual(page.slice(5, 10));
});

test('anybody may turn the pages of an answer, and the log says who did', async () => {
  await using ground = await openLookups({ accounts: ['twitch'] });
  const [, , member] = ground.discord.people;
  const first = await ground.command('top games');

  const second = await ground.press(first.message, 'Next', { user: member });

  expect(buttonsIn(second)).toMatchObject({ 2: false });
  expect(ground.lines.filter((line) => line.includes('top:games:next:1') && line.includes(member))).toHaveLength(1);
});

test('an answer that is too old to go on from is told to whoever presses, alone', async () => {
  await using ground = await openLookups({ accounts: ['twitch'] });
  const channel = ground.discord.channelIds.get('general') ?? '';
  const components = [{ type: 1, components: [{ type: 2, style: 2, label: 'Next', custom_id: 'top:streams:next:1:~longgoneandlost' }] }];
  const sent = await ground.discord.request('POST', `/channels/${channel}/messages`, { content: 'an old list', components });
  const { id } = (await sent.json()) as { id: string }; // as Discord answers

  const view = await ground.discord.interact({ user: ground.discord.people[0], message: id, press: 'Next' });

  expect(view.followUps.concat(view.message ? [view.message] : [])).toMatchObject([
    { ephemeral: true, content: 'This list is too old to go on from here. Give the command again.' },
  ]);
});

test('where the platform fails while a page is turned, the page stays, and only who pressed hears of it', async () => {
  await using ground = await openLookups({ accounts: ['twitch'] });
  const first = await ground.command('top streams');
  ground.world.faults.add({ platform: 'twitch', route: '/helix', kind: 'status', status: 403 });

  const failed = await ground.press(first.message, 'Next');

  expect([failed.message, ...failed.followUps].find((message) => message?.ephemeral)?.content).toMatch(/^Twitch does not let the bot in/);
  const now = (await ground.discord.messages('general')).find(({ id }) => id === first.message?.id);
  expect(now?.embeds).toEqual(first.message?.embeds);
});
