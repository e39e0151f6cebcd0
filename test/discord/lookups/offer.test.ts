import { type Clock, systemClock } from '#src/clock.ts';
import type { Caller } from '#src/discord/caller.ts';
import { en } from '#src/discord/language/en/index.ts';
import { createLookups } from '#src/discord/lookups/lookups.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ManualClock } from '../../support/manual-clock.ts';
import { type LookupsFixture, openLookups } from './fixture.ts';

const Option = z.object({
  name: z.string(),
  get options() {
    return z.array(Option).optional();
  },
  choices: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
});
const Commands = z.object({ commands: z.array(z.object({ name: z.string(), options: z.array(Option) })) });

/** The offered options: `game streams game`, and with choices `game streams sort=TIME|VIEWS`. */
async function offered({ discord }: LookupsFixture): Promise<readonly string[]> {
  const { commands } = Commands.parse(await discord.order('/discord', undefined));
  return commands.flatMap((command) => pathsOf(command)).toSorted();
}

function pathsOf({ name, options = [], choices }: z.output<typeof Option>): readonly string[] {
  if (choices?.length) return [`${name}=${choices.map(({ value }) => value).join('|')}`];
  return options.length === 0 ? [name] : options.flatMap((option) => pathsOf(option).map((path) => `${name} ${path}`));
}

/** A bot that loses its patience twenty times as fast. */
const hasty: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };
/** On a busy machine, a platform needs longer than the bot waits for suggestions. */
const patient = (): Clock => new ManualClock();

test('supported commands are offered, with an option for the account if there are several', async () => {
  await using fixture = await openLookups();

  expect(await offered(fixture)).toEqual([
    'clips sort=TIME|LAST_DAY|LAST_WEEK|LAST_MONTH|ALL_TIME',
    'clips streamer',
    'game clips game',
    'game clips language',
    'game clips sort=TIME|LAST_DAY|LAST_WEEK|LAST_MONTH|ALL_TIME',
    'game streams game',
    'game streams language',
    'game streams platform=twitch|kick',
    'game streams sort=VIEWER_COUNT|VIEWER_COUNT_ASC|STARTED_AT',
    'game streams tags',
    'game videos game',
    'game videos language',
    'game videos sort=TIME|VIEWS|TRENDING',
    'help',
    'live platform=twitch|kick',
    'live streamer',
    'search for=SearchStreams|SearchChannels|SearchGames|SearchVideos',
    'search keyword',
    'search platform=twitch|kick',
    'social post post',
    'social posts replies=yes|no',
    'social posts user',
    'social search for=Top|Latest|Media|People',
    'social search keyword',
    'social thread post',
    'social trends',
    'social user user',
    'top games platform=twitch|kick',
    'top games tags',
    'top streams language',
    'top streams platform=twitch|kick',
    'top streams tags',
    'user platform=twitch|kick',
    'user streamer',
    'videos sort=TIME|VIEWS|TRENDING',
    'videos streamer',
  ]);
});

test('unsupported commands are not offered: Kick has neither videos nor clips', async () => {
  await using fixture = await openLookups({ accounts: ['kick'] });

  const all = await offered(fixture);

  expect(all.filter((path) => /clips|videos|platform|social|SearchVideos/u.test(path))).toEqual([]);
  expect(all).toContain('search for=SearchStreams|SearchChannels|SearchGames');
});

test('an operation that the account does not support is an error for the user', async () => {
  await using fixture = await openLookups();

  const view = await fixture.command('search', { keyword: 'Chess', for: 'SearchVideos', platform: 'kick' });

  expect(view).toMatchObject({
    ephemeral: true,
    message: { content: 'Kick does not support this. Try it without this option, or on another platform.' },
  });
});

test('German users get German answers, numbers and language names', async () => {
  await using fixture = await openLookups({ accounts: ['twitch', 'sandbox'] });
  fixture.world.world.order({ do: 'goLive', user: 'ada', title: 'Feierabend', game: 'Chess', viewers: 1_200_000 }, fixture.nowMs);
  const who = { locale: 'de' };

  const streams = await fixture.command('top streams', {}, who);
  const narrowed = await fixture.command('game streams', { game: 'Chess', language: 'englisch' }, who);
  const nobody = await fixture.command('live', { streamer: 'nobody_at_all' }, who);
  const back = await fixture.click(streams.message, 'Weiter', who);

  expect(streams.message).toMatchObject({
    content: 'Die meistgesehenen Streams:',
    embeds: expect.arrayContaining([
      expect.objectContaining({ description: expect.stringMatching(/^\*\*1,2\sMio\.\*\* schauen zu · Chess · gestartet <t:\d+:R>/) }),
    ]),
  });
  expect(narrowed.message?.content).toMatch(/Chess.*, Sprache: Englisch/);
  expect(nobody).toMatchObject({
    ephemeral: true,
    message: { content: expect.stringMatching(/^Der Name „nobody\\_at\\_all“ wurde nicht gefunden\. Wähle einen/) },
  });
  expect(back.message?.content).toBe('Die meistgesehenen Streams:');
});

test('languages are suggested by their names, and accepted by name or code', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });

  const german = await fixture.type('top streams', { language: 'fra' }, 'language', 'de');
  const unknown = await fixture.command('top streams', { language: 'Klingon' });

  expect(german).toEqual([{ name: 'Französisch', value: 'FR' }]);
  expect(unknown).toMatchObject({ ephemeral: true, message: { content: expect.stringMatching(/^“Klingon” is not a supported language/) } });
});

test('channels, users and topics are suggested by a search on the platform', async () => {
  await using fixture = await openLookups({ clock: patient() });
  const { world } = fixture.world;
  const live = new Set(world.liveAt(fixture.nowMs).map(({ person }) => person.handle));
  const quiet = world.people.find(({ handle }) => !live.has(handle) && /^[a-z]{8}/u.test(handle))?.handle ?? '';
  const characters = quiet.slice(0, 6);

  const channels = await fixture.type('clips', { streamer: characters }, 'streamer');
  const people = await fixture.type('social posts', { user: characters }, 'user');
  const topics = await fixture.type('social search', { keyword: '#spee' }, 'keyword');
  const onKick = await fixture.type('live', { platform: 'kick', streamer: quiet }, 'streamer');

  expect(channels.map(({ value }) => value)).toContain(quiet);
  expect(people.map(({ value }) => value)).toContain(quiet);
  expect(topics.map(({ value }) => value)).toContain('#speedrun');
  expect(onKick.map(({ value }) => value)[0]).toBe(quiet);
});

test('the typed text can be chosen even if the platform is slow or down', async () => {
  await using fixture = await openLookups({ clock: hasty });
  fixture.world.faults.add({ platform: 'twitch', kind: 'delay', ms: 5_000 });
  fixture.world.faults.add({ platform: 'social', kind: 'status', status: 503 });

  expect(await fixture.type('user', { streamer: 'ada' }, 'streamer')).toEqual([{ name: 'ada', value: 'ada' }]);
  expect(await fixture.type('social user', { user: 'ada' }, 'user')).toEqual([{ name: 'ada', value: 'ada' }]);
});

test('a slow page is acknowledged at once and shown later', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'], clock: hasty });
  const first = await fixture.command('top streams');
  fixture.world.faults.add({ platform: 'twitch', route: '/helix/streams', kind: 'delay', ms: 2_500, times: 1 });

  const second = await fixture.click(first.message, 'Next');

  expect(second).toMatchObject({ outcome: 'update', deferred: true });
  await expect
    .poll(async () => (await fixture.discord.messages('general')).find(({ id }) => id === first.message?.id)?.embeds[0]?.['url'])
    .not.toBe(first.message?.embeds[0]?.['url']);
});

test('followed streamers are suggested first, and live ones are marked', async () => {
  await using fixture = await openLookups({ accounts: ['twitch'] });
  const { world } = fixture.world;
  const quiet = 'margaret';
  world.order({ do: 'end', user: quiet }, fixture.nowMs);
  world.order({ do: 'goLive', user: 'ada', title: 'Endgames', game: 'Chess', viewers: 3 }, fixture.nowMs);
  const entry = (id: string) => ({ id, list: 'followed', server: '7', fields: { twitch: id } });
  const list = async () => ({ list: 'followed', server: '7', source: 'store', entries: [entry(quiet), entry('ada')] });
  const lookups = createLookups({
    streaming: new Map([['twitch', fixture.bot]]),
    social: new Map(),
    savedViews: { keep: async () => '', find: async () => undefined },
    listQueries: { list: list as never }, // only the entries are read
    clock: patient(),
    signal: new AbortController().signal,
  });
  const caller = { texts: en, locale: 'en', server: { account: 'discord', id: '7', zone: 'UTC' } } as Caller; // nothing else is read

  const found = await lookups.suggest.channels('', {}, caller);
  const typed = await lookups.suggest.channels('mar', {}, caller);

  expect(found.slice(0, 2)).toEqual([{ name: '🔴 Ada · Chess · 3', value: 'ada' }, quiet]);
  expect(typed[0]).toBe(quiet);
});
