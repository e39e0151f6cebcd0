import { expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock, type Clock } from '#src/clock.ts';
import { openLookups, type LookupGround } from './lookup-ground.ts';

const Option = z.object({
  name: z.string(),
  get options() {
    return z.array(Option).optional();
  },
  choices: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
});
const Commands = z.object({ commands: z.array(z.object({ name: z.string(), options: z.array(Option) })) });

/** All that is offered: `game streams game`, and with choices `game streams sort=TIME|VIEWS`. */
async function offered({ discord }: LookupGround): Promise<readonly string[]> {
  const { commands } = Commands.parse(await discord.order('/discord', undefined));
  return commands.flatMap((command) => pathsOf(command)).toSorted();
}

function pathsOf({ name, options = [], choices }: z.output<typeof Option>): readonly string[] {
  if (choices?.length) return [`${name}=${choices.map(({ value }) => value).join('|')}`];
  return options.length === 0 ? [name] : options.flatMap((option) => pathsOf(option).map((path) => `${name} ${path}`));
}

/** A bot that loses its patience twenty times as fast. */
const hasty: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };

test('what accounts can do is offered, with the account where there are several', async () => {
  await using ground = await openLookups();

  expect(await offered(ground)).toEqual([
    'clips sort=TIME|LAST_DAY|LAST_WEEK|LAST_MONTH|ALL_TIME',
    'clips user',
    'game clips game',
    'game clips language',
    'game clips sort=TIME|LAST_DAY|LAST_WEEK|LAST_MONTH|ALL_TIME',
    'game streams account=twitch|kick',
    'game streams game',
    'game streams language',
    'game streams sort=VIEWER_COUNT|VIEWER_COUNT_ASC|STARTED_AT',
    'game streams tags',
    'game videos game',
    'game videos language',
    'game videos sort=TIME|VIEWS|TRENDING',
    'live account=twitch|kick',
    'live user',
    'search account=twitch|kick',
    'search for=SearchStreams|SearchChannels|SearchGames|SearchVideos',
    'search keyword',
    'social post post',
    'social posts replies=yes|no',
    'social posts user',
    'social search for=Top|Latest|Media|People',
    'social search keyword',
    'social thread post',
    'social trends',
    'social user user',
    'top games account=twitch|kick',
    'top games tags',
    'top streams account=twitch|kick',
    'top streams language',
    'top streams tags',
    'user account=twitch|kick',
    'user name',
    'videos sort=TIME|VIEWS|TRENDING',
    'videos user',
  ]);
});

test('what no account can do is not offered: Kick has neither videos nor clips', async () => {
  await using ground = await openLookups({ accounts: ['kick'] });

  const all = await offered(ground);

  expect(all.filter((path) => /clips|videos|account|social|SearchVideos/u.test(path))).toEqual([]);
  expect(all).toContain('search for=SearchStreams|SearchChannels|SearchGames');
});

test('what one account can do and the other cannot is told clearly, to the asker alone', async () => {
  await using ground = await openLookups();

  const view = await ground.command('search', { keyword: 'Chess', for: 'SearchVideos', account: 'kick' });

  expect(view).toMatchObject({
    ephemeral: true,
    message: { content: 'Kick does not offer that. Try it without this option, or on another account.' },
  });
});

test('who has a German Discord is answered in German, with their numbers and their names of languages', async () => {
  await using ground = await openLookups({ accounts: ['twitch', 'sandbox'] });
  ground.world.world.order({ do: 'goLive', user: 'ada', title: 'Feierabend', game: 'Chess', viewers: 1_200_000 }, ground.nowMs);
  const who = { locale: 'de' };

  const streams = await ground.command('top streams', {}, who);
  const narrowed = await ground.command('game streams', { game: 'Chess', language: 'englisch' }, who);
  const nobody = await ground.command('live', { user: 'nobody_at_all' }, who);
  const back = await ground.press(streams.message, 'Weiter');

  expect(streams.message).toMatchObject({
    content: 'Die meistgesehenen Streams:',
    embeds: expect.arrayContaining([
      expect.objectContaining({ description: expect.stringMatching(/^\*\*1,2\sMio\.\*\* schauen zu · Chess · gestartet <t:\d+:R>/) }),
    ]),
  });
  expect(narrowed.message?.content).toMatch(/Chess.*, Sprache: Englisch/);
  expect(nobody).toMatchObject({
    ephemeral: true,
    message: { content: expect.stringMatching(/^Niemand heißt „nobody\\_at\\_all“\. Such dir jemanden/) },
  });
  // Whoever turns the page reads it, and their Discord is English.
  expect(back.message?.content).toBe('Most watched:');
});

test('languages are offered by their names in the reader’s language, and taken by name or by code', async () => {
  await using ground = await openLookups({ accounts: ['twitch'] });

  const german = await ground.type('top streams', { language: 'fra' }, 'language', 'de');
  const unknown = await ground.command('top streams', { language: 'Klingon' });

  expect(german).toEqual([{ name: 'Französisch', value: 'FR' }]);
  expect(unknown).toMatchObject({ ephemeral: true, message: { content: expect.stringMatching(/^“Klingon” is not a language/) } });
});

test('channels, people and topics are suggested from the platform, beyond the most watched', async () => {
  await using ground = await openLookups();
  const { world } = ground.world;
  const live = new Set(world.liveAt(ground.nowMs).map(({ person }) => person.handle));
  const quiet = world.people.find(({ handle }) => !live.has(handle) && /^[a-z]{8}/u.test(handle))?.handle ?? '';
  const letters = quiet.slice(0, 6);

  const channels = await ground.type('clips', { user: letters }, 'user');
  const people = await ground.type('social posts', { user: letters }, 'user');
  const topics = await ground.type('social search', { keyword: '#spee' }, 'keyword');
  const onKick = await ground.type('live', { account: 'kick', user: quiet }, 'user');

  expect(channels.map(({ value }) => value)).toContain(quiet);
  expect(people.map(({ value }) => value)).toContain(quiet);
  expect(topics.map(({ value }) => value)).toContain('#speedrun');
  expect(onKick.map(({ value }) => value)[0]).toBe(quiet);
});

test('what is typed can be chosen also where the platform is slow or down', async () => {
  await using ground = await openLookups({ clock: hasty });
  ground.world.faults.add({ platform: 'twitch', kind: 'delay', ms: 5_000 });
  ground.world.faults.add({ platform: 'social', kind: 'status', status: 503 });

  expect(await ground.type('user', { name: 'ada' }, 'name')).toEqual([{ name: 'ada', value: 'ada' }]);
  expect(await ground.type('social user', { user: 'ada' }, 'user')).toEqual([{ name: 'ada', value: 'ada' }]);
});

test('a page that takes its time is acknowledged at once, and comes when it is there', async () => {
  await using ground = await openLookups({ accounts: ['twitch'], clock: hasty });
  const first = await ground.command('top streams');
  ground.world.faults.add({ platform: 'twitch', route: '/helix/streams', kind: 'delay', ms: 2_500, times: 1 });

  const second = await ground.press(first.message, 'Next');

  expect(second).toMatchObject({ outcome: 'update', deferred: true });
  expect(second.answeredInMs).toBeLessThan(2_500);
  await expect
    .poll(async () => (await ground.discord.messages('general')).find(({ id }) => id === first.message?.id)?.embeds[0]?.['url'])
    .not.toBe(first.message?.embeds[0]?.['url']);
});
