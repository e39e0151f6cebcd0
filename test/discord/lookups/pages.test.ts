import { expect, test } from 'vitest';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import { type LookupsFixture, openLookups } from './fixture.ts';

function urlsIn({ message }: InteractionView): readonly unknown[] {
  return (message?.embeds ?? []).map(({ url }) => url);
}

/** The labels of the buttons of a message, and whether they are enabled. */
function buttonsIn({ message }: InteractionView): Readonly<Record<string, boolean>> {
  const rows = (message?.components ?? []) as unknown as readonly { components: readonly { label: string; disabled?: boolean }[] }[]; // the bot sends rows of buttons alone
  return Object.fromEntries(rows.flatMap(({ components }) => components.map(({ label, disabled }) => [label, disabled !== true])));
}

/** The whole ranking of the platform. */
async function urlsOf(fixture: LookupsFixture): Promise<readonly unknown[]> {
  return (await fixture.bot.getTopStreams({ pages: 'all', waitTime: 0 })).items.map(({ url }) => url);
}

test('buttons turn pages in the same message through the whole ranking', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });

  const first = await fixture.command('top games');
  expect(buttonsIn(first)).toEqual({ First: false, Back: false, 1: false, Next: true, Refresh: true, 'Show everyone': true });
  const seen = [...urlsIn(first)];
  let view = first;
  while (buttonsIn(view)['Next']) {
    view = await fixture.click(view.message, 'Next');
    expect(view).toMatchObject({ outcome: 'update', message: { id: first.message?.id } });
    seen.push(...urlsIn(view));
  }
  const back = await fixture.click(view.message, 'Back');
  const again = await fixture.click(back.message, 'First');

  const all = (await fixture.bot.getTopGames({ pages: 'all', waitTime: 0 })).items.map(({ url }) => url);
  expect(new Set(seen)).toEqual(new Set(all));
  expect(seen).toHaveLength(all.length);
  expect(urlsIn(again)).toEqual(urlsIn(first));
});

test('pages continue after the first page of the platform', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const ranking = await urlsOf(fixture);
  expect(ranking.length).toBeGreaterThan(105);

  let view = await fixture.command('top streams');
  for (let page = 1; page <= 21; page++) view = await fixture.click(view.message, 'Next');

  expect(buttonsIn(view)).toMatchObject({ 22: false, First: true });
  expect(urlsIn(view)).toEqual(ranking.slice(105, 110));
});

test('a private answer is in the language of the member, a public one in the language of the server', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const german = await fixture.command('top games', {}, { locale: 'de' });
  const english = await fixture.command('top games');

  const next = await fixture.click(german.message, 'Weiter', { locale: 'de' });
  const { message: shared } = await fixture.click(next.message, 'Allen zeigen', { locale: 'de' });
  const refreshed = await fixture.click(shared, 'Refresh', { locale: 'de' });

  expect(german.ephemeral).toBe(true);
  expect(Object.keys(buttonsIn(next))).toContain('Zurück');
  expect(shared).toMatchObject({ ephemeral: false, content: english.message?.content });
  expect(refreshed.message).toMatchObject({ id: shared?.id, content: english.message?.content, embeds: shared?.embeds });
  expect(buttonsIn(refreshed)).toEqual({ First: true, Back: true, 2: false, Next: true, Refresh: true });
});

test('a click loads the page again', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const before = await fixture.command('top streams');
  fixture.world.world.order({ do: 'goLive', user: 'ada', title: 'Out of nowhere', viewers: 900_000 }, fixture.nowMs);

  const after = await fixture.click(before.message, 'Refresh');

  expect(before.message?.embeds[0]?.['title']).not.toBe('Out of nowhere');
  expect(after.message?.embeds[0]).toMatchObject({ title: 'Out of nowhere', description: expect.stringContaining('**900K** watching') });
});

test('pages turn after a restart', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const all = (await fixture.bot.getGameClips('Chess', { sort: 'ALL_TIME' })).items.map(({ url }) => url);
  const first = await fixture.command('game clips', { game: 'Chess' });
  const second = await fixture.click(first.message, 'Next');

  await fixture.restart();
  const third = await fixture.click(second.message, 'Next');

  expect(urlsIn(third)).toEqual(all.slice(10, 15));
});

test('options that are too long for a button are stored and survive a restart', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const tags = 'Ranked, Competitive, 日本語, Português, Русский, nobody has this one, nor this one, and certainly not this';
  const first = await fixture.command('top streams', { tags });
  const ids = [...JSON.stringify(first.message?.components).matchAll(/"custom_id":"([^"]+)"/gu)].map(([, id = '']) => id);

  await fixture.restart();
  const second = await fixture.click(first.message, 'Next');

  expect(ids.filter((id) => id.length > 100)).toEqual([]);
  expect(ids.every((id) => id.includes('~'))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  const page = (await fixture.bot.getTopStreams({ tags: tags.split(', ') })).items.map(({ url }) => url);
  expect(urlsIn(second)).toEqual(page.slice(5, 10));
});

test('only the caller turns the pages, and the log has the user', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const [caller, moderator, member] = fixture.discord.people;
  const first = await fixture.command('top games');
  const { message: shared } = await fixture.click(first.message, 'Show everyone');

  for (const user of [moderator, member]) expect((await fixture.click(shared, 'Next', { user })).ephemeral).toBe(true);
  const second = await fixture.click(shared, 'Next', { user: caller });

  expect(buttonsIn(second)).toMatchObject({ 2: false });
  const outcomes = () => fixture.lines.flatMap((line) => /top:games:next:1.*outcome=(\w+)/u.exec(line)?.[1] ?? []);
  // A use is logged after its answer.
  await expect.poll(outcomes).toEqual(['refused', 'refused', 'done']);
});

test('an expired answer is reported only to the user', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const channel = fixture.discord.channelIds.get('general') ?? '';
  const components = [{ type: 1, components: [{ type: 2, style: 2, label: 'Next', custom_id: 'top:streams:next:1:~longgoneandlost' }] }];
  const sent = await fixture.discord.request('POST', `/channels/${channel}/messages`, { content: 'an old list', components });
  const { id } = (await sent.json()) as { id: string }; // as Discord answers

  const view = await fixture.discord.interact({ user: fixture.discord.people[0], message: id, click: 'Next' });

  expect(view.followUps.concat(view.message ? [view.message] : [])).toMatchObject([
    { ephemeral: true, content: 'This list has expired. Run the command again.' },
  ]);
});

test('if the platform fails, the page stays, and only the user sees the error', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const answer = await fixture.command('top streams');
  const { message: first } = await fixture.click(answer.message, 'Show everyone');
  fixture.world.faults.add({ platform: 'twitch', route: '/helix', kind: 'status', status: 403 });

  const failed = await fixture.click(first, 'Next');

  expect([failed.message, ...failed.followUps].find((message) => message?.ephemeral)?.content).toMatch(
    /^Twitch does not allow this for the account of the bot/,
  );
  const now = (await fixture.discord.messages('general')).find(({ id }) => id === first?.id);
  expect(now?.embeds).toEqual(first?.embeds);
});
