import { expect, test } from 'vitest';
import type { InteractionView } from '../../support/discord-sandbox.ts';
import { openLookups } from './fixture.ts';

/** The text of the message, and the titles of its cards. */
function shownIn({ message }: InteractionView): { readonly content: string | undefined; readonly titles: readonly unknown[] } {
  return { content: message?.content, titles: (message?.embeds ?? []).map(({ title }) => plain(title)) };
}

/** A card's text without the backslashes. */
function plain(text: unknown): string {
  return String(text).replaceAll(/\\(.)/gu, '$1').trim();
}

const firstFive = <T>(items: readonly T[], pick: (item: T) => string): readonly string[] =>
  items.slice(0, 5).map((item) => pick(item).trim());

test('/top streams shows the five most watched streams', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const { items } = await fixture.bot.getTopStreams();

  const view = await fixture.command('top streams');

  expect(view).toMatchObject({ outcome: 'message', ephemeral: true });
  expect(shownIn(view)).toEqual({ content: 'Most watched:', titles: firstFive(items, ({ title }) => title) });
  expect(view.message?.embeds.map(({ thumbnail }) => String((thumbnail as { url: string }).url).replace(/\?.*/u, ''))).toEqual(
    items.slice(0, 5).map(({ thumbnailUrl }) => thumbnailUrl?.replace(/\?.*/u, '')),
  );
});

test('/top streams can be narrowed to a language and to tags', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const german = (await fixture.bot.getStreams({ languages: ['de'] })).items;
  const tag = german.flatMap(({ tags }) => tags).find((one) => one !== 'Deutsch') ?? '';
  const tagged = german.filter(({ tags }) => tags.includes(tag));

  const byName = await fixture.command('top streams', { language: 'German' });
  const both = await fixture.command('top streams', { language: 'DE', tags: `#${tag.toLowerCase()}, nothing-has-this` });

  expect(shownIn(byName)).toEqual({ content: 'Most watched in German:', titles: firstFive(german, ({ title }) => title) });
  expect(shownIn(both).titles).toEqual(firstFive(tagged, ({ title }) => title));
});

test('/top games shows games with their box art and their viewers', async () => {
  await using fixture = await openLookups();
  const onTwitch = (await fixture.bot.getTopGames()).items;
  const onKick = (await fixture.kick.getTopGames()).items;

  const usual = await fixture.command('top games');
  const kick = await fixture.command('top games', { platform: 'kick' });

  expect(shownIn(usual)).toEqual({ content: 'The most watched games on Twitch:', titles: firstFive(onTwitch, ({ name }) => name) });
  expect(shownIn(kick)).toEqual({ content: 'The most watched games on Kick:', titles: firstFive(onKick, ({ name }) => name) });
  expect(kick.message?.embeds[0]).toMatchObject({
    description: expect.stringMatching(/^\*\*[\d.]+K?\*\* watching · \d+ channels?$/),
    thumbnail: { url: onKick[0]?.boxArtUrl },
  });
});

test.for([
  ['STARTED_AT', 'Newest streams in'],
  ['VIEWER_COUNT_ASC', 'Least watched in'],
  ['VIEWER_COUNT', 'Most watched in'],
] as const)('/game streams in the order %s', async ([sort, heading]) => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const { items } = await fixture.bot.getGameStreams('VALORANT', { sort });

  const view = await fixture.command('game streams', { game: 'valorant', sort });

  expect(shownIn(view)).toEqual({ content: `${heading} **VALORANT**:`, titles: firstFive(items, ({ title }) => title) });
});

test('/game streams can be sorted and filtered by language', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const { items } = await fixture.bot.getGameStreams('VALORANT', { sort: 'STARTED_AT' });
  const japanese = items.filter(({ language }) => language === 'ja');

  const view = await fixture.command('game streams', { game: 'VALORANT', sort: 'STARTED_AT', language: 'JA' });

  expect(shownIn(view).titles).toEqual(firstFive(japanese, ({ title }) => title));
});

test('/game clips and /game videos show the most viewed first', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const clips = (await fixture.bot.getGameClips('Chess', { sort: 'ALL_TIME' })).items;
  const videos = (await fixture.bot.getGameVideos('Chess', { sort: 'VIEWS', languages: ['EN'] })).items;

  const clipsView = await fixture.command('game clips', { game: 'Chess' });
  const videosView = await fixture.command('game videos', { game: 'Chess', language: 'EN' });

  expect(shownIn(clipsView)).toEqual({
    content: 'Clips of **Chess**, most viewed, all time:',
    titles: firstFive(clips, ({ title }) => title),
  });
  expect(shownIn(videosView)).toEqual({
    content: 'Videos of **Chess** in English, most viewed first:',
    titles: firstFive(videos, ({ title }) => title),
  });
  expect(clipsView.message?.embeds[0]).toMatchObject({
    url: clips[0]?.url,
    description: expect.stringMatching(/^\*\*\d:\d\d\*\* · [\d.]+K? views · clipped by .+ · <t:\d+:R>$/),
  });
  expect(videosView.message?.embeds[0]?.['description']).toMatch(/^Recording · \*\*(?:\d+:)?\d\d?:\d\d\*\* · [\d.]+K? views · <t:\d+:R>$/);
});

test('/videos and /clips show those of a channel, newest first, by name or address', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const [stream] = await fixture.bot.getTopStreams();
  const owner = stream?.owner ?? { handle: '', displayName: '' };
  const videos = (await fixture.bot.getUserVideos(owner.handle)).items;
  const clips = (await fixture.bot.getUserClips(owner.handle)).items;
  const popular = (await fixture.bot.getUserClips(owner.handle, { sort: 'ALL_TIME' })).items;

  const videosView = await fixture.command('videos', { streamer: `<https://www.twitch.tv/${owner.handle}/videos>\u200B` });
  const clipsView = await fixture.command('clips', { streamer: `@${owner.handle.toUpperCase()}` });
  const popularView = await fixture.command('clips', { streamer: owner.handle, sort: 'ALL_TIME' });

  expect(shownIn(videosView)).toEqual({
    content: `Videos of **${owner.displayName}**, newest first:`,
    titles: firstFive(videos, ({ title }) => title),
  });
  expect(shownIn(clipsView).titles).toEqual(firstFive(clips, ({ title }) => title));
  expect(shownIn(popularView).titles).toEqual(firstFive(popular, ({ title }) => title));
});

test('/user shows a channel, whether it is live, and its link', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  fixture.world.world.order({ do: 'goLive', user: 'ada' }, fixture.nowMs);
  const ada = await fixture.bot.getUser('ada');

  const view = await fixture.command('user', { streamer: '@Ada' });

  expect(view.message?.embeds).toMatchObject([
    {
      title: expect.stringMatching(/^Ada/),
      url: ada.url,
      description: expect.stringMatching(/^-# \\@ada\nChess after work, coffee before it\.\n\*\*Live now\*\* · .*since <t:\d+:D>$/),
      thumbnail: { url: ada.avatarUrl },
    },
  ]);
  expect(JSON.stringify(view.message?.components)).toContain(`"label":"To the channel","url":"${ada.url}"`);
});

test.for([
  ['SearchStreams', 'Streams'],
  ['SearchChannels', 'Channels'],
  ['SearchGames', 'Games'],
] as const)('/search looks for %s', async ([kind, word]) => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const keyword = kind === 'SearchGames' ? 'ch' : 'br';
  const { items } = await fixture.bot.search(keyword, { filter: kind });
  const nameOf = (item: (typeof items)[number]): string => ('title' in item ? item.title : 'name' in item ? item.name : item.displayName);

  const view = await fixture.command('search', { keyword, for: kind });

  expect(items.length).toBeGreaterThan(0);
  expect(view.message?.content).toBe(`${word} for **${keyword}**:`);
  expect(shownIn(view).titles.map((title) => String(title).replace(/ ✓$/u, ''))).toEqual(firstFive(items, nameOf));
});

test('/search finds the videos of a game by its exact name', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });

  const videos = await fixture.command('search', { keyword: 'Chess', for: 'SearchVideos' });
  const nothing = await fixture.command('search', { keyword: 'lovely moments', for: 'SearchVideos' });

  expect(videos.message?.embeds).toHaveLength(5);
  expect(nothing).toMatchObject({
    ephemeral: true,
    message: { content: 'Twitch finds videos only by the exact name of a game. Enter the name, or use `/videos` for a channel.' },
  });
});

test('an account of Kick shows data from Kick', async () => {
  await using fixture = await openLookups();
  const { items } = await fixture.kick.getTopStreams();

  const view = await fixture.command('top streams', { platform: 'kick' });

  expect(shownIn(view)).toEqual({ content: 'Most watched on Kick:', titles: firstFive(items, ({ title }) => title) });
});

test('an empty result has a remedy', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });

  const streams = await fixture.command('top streams', { tags: 'nobody-has-this-tag' });
  const search = await fixture.command('search', { keyword: 'zzzzqqqq' });

  expect(streams).toMatchObject({
    ephemeral: true,
    message: { content: expect.stringMatching(/^No live stream matches\. Leave out/) },
  });
  expect(search).toMatchObject({
    ephemeral: true,
    message: { content: expect.stringMatching(/^Nothing was found for \*\*zzzzqqqq\*\*\. Try/) },
  });
});

test.for([
  ['live', { streamer: 'nobody_at_all', platform: 'Kick' }, 'There is no user “nobody\\_at\\_all” on Kick.'],
  ['user', { streamer: 'nobody_at_all', platform: 'Kick' }, 'There is no user “nobody\\_at\\_all” on Kick.'],
  ['game streams', { game: 'No such game', platform: 'Twitch' }, 'There is no game “No such game” on Twitch.'],
] as const)('/%s names the account of the search: %j', async ([command, options, message]) => {
  await using fixture = await openLookups({ accounts: ['twitch', 'kick'] });

  const view = await fixture.command(command, options);

  expect(view).toMatchObject({ ephemeral: true, message: { content: expect.stringContaining(message) } });
});
