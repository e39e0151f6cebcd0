import { expect, test } from 'vitest';
import { type Clock, systemClock } from '#src/clock.ts';
import type { InteractionView } from '../support/discord-sandbox.ts';
import { type BotFixture, openBot } from './bot-fixture.ts';

const HOSTILE = '@everyone <@&1202584131993600003> [free](https://evil.example) \u202Egnp.exe Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͚̯̞̠͍̉a `x` ||y|| **z**';

function goLive({ world }: BotFixture, order: { readonly title: string; readonly game?: string; readonly viewers?: number }): void {
  world.world.order({ do: 'goLive', user: 'ada', game: 'Chess', viewers: 500_000, ...order }, Date.now());
}

function titleOf({ message }: InteractionView): string {
  const title = message?.embeds[0]?.['title'];
  if (typeof title !== 'string') throw new Error('the answer has no title');
  return title;
}

/** A bot that loses its patience twenty times as fast. */
const hasty: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };

test('/game streams shows the most watched streams of a game as cards', async () => {
  await using fixture = await openBot();
  goLive(fixture, { title: 'Speedrun, day two' });

  const view = await fixture.command('game streams', { game: 'chess' });

  expect(view).toMatchObject({ outcome: 'message', ephemeral: true, message: { content: 'Most watched in **Chess**:' } });
  const [first] = view.message?.embeds ?? [];
  expect(view.message?.embeds.length).toBeLessThanOrEqual(5);
  expect(first).toMatchObject({
    title: 'Speedrun, day two',
    url: expect.stringMatching(/\/ada$/),
    author: { name: 'Ada' },
    description: expect.stringMatching(/^\*\*500K\*\* watching · Chess · started <t:\d+:R>(\n-# .+)?$/),
    thumbnail: { url: expect.stringMatching(/^http/) },
  });
});

test('/live shows a live channel with a large picture', async () => {
  await using fixture = await openBot();
  goLive(fixture, { title: 'Speedrun, day two' });

  const view = await fixture.command('live', { streamer: '@Ada' });

  expect(view).toMatchObject({ ephemeral: true, message: { content: '**Ada** is live:' } });
  expect(view.message?.embeds).toMatchObject([{ title: 'Speedrun, day two', image: { url: expect.stringMatching(/1280x720/) } }]);
});

test.each([
  ['live', 'streamer', '@', 'Enter the name from the address of the channel.'],
  ['live', 'streamer', '  ', 'Enter the name from the address of the channel.'],
  ['ask', 'text', '  ', 'Enter a question.'],
  ['search', 'keyword', '  ', 'Enter at least one letter.'],
])('/%s %s:"%s" asks for the missing value', async (command, option, typed, answered) => {
  await using fixture = await openBot();

  const view = await fixture.command(command, { [option]: typed });

  expect(view).toMatchObject({ ephemeral: true, message: { content: answered } });
  expect(fixture.lines.filter((line) => line.includes(' error '))).toEqual([]);
});

test('/live reports that a channel is not live', async () => {
  await using fixture = await openBot();
  fixture.world.world.order({ do: 'end', user: 'ada' }, Date.now());

  const view = await fixture.command('live', { streamer: 'ada' });

  expect(view).toMatchObject({
    ephemeral: true,
    message: { content: '**Ada** is not live at the moment.', embeds: [{ url: expect.stringMatching(/\/ada$/) }] },
  });
});

test('a hostile title is escaped and pings no one', async () => {
  await using fixture = await openBot();
  goLive(fixture, { title: HOSTILE });

  for (const view of [await fixture.command('live', { streamer: 'ada' }), await fixture.command('game streams', { game: 'Chess' })]) {
    const title = titleOf(view);
    expect(view.message?.pinged).toEqual({ everyone: false, roles: [], users: [] });
    expect(title).toContain('\\@everyone \\<\\@&1202584131993600003\\> \\[free\\]\\(https\\://evil\\.example\\) gnp\\.exe');
    expect(title).toContain('\\`x\\` \\|\\|y\\|\\| \\*\\*z\\*\\*');
    expect(title).not.toMatch(/[\u202A-\u202E]|\p{M}{4}/u);
  }
});

test('a title of 10,000 characters is cut to the limit of Discord', async () => {
  await using fixture = await openBot();
  goLive(fixture, { title: '*'.repeat(10_000) });

  const view = await fixture.command('live', { streamer: 'ada' });

  expect(titleOf(view).length).toBeGreaterThan(200);
  expect(titleOf(view).length).toBeLessThanOrEqual(256);
});

test('an unknown game is an error only for the user, with a remedy', async () => {
  await using fixture = await openBot();

  const view = await fixture.command('game streams', { game: 'No Such Game [x](https://evil.example)' });

  expect(view).toMatchObject({ outcome: 'message', ephemeral: true });
  expect(view.message?.content).toMatch(/^There is no game “No Such Game \\\[x\\\].*Pick one from the list/);
});

test('an unknown channel is an error only for the user', async () => {
  await using fixture = await openBot();

  const view = await fixture.command('live', { streamer: 'nobody_at_all_1' });

  expect(view).toMatchObject({
    ephemeral: true,
    message: { content: expect.stringMatching(/^There is no user “nobody\\_at\\_all\\_1”/) },
  });
});

test.for([
  [{ kind: 'status', status: 403 }, /^Twitch does not allow this for the account of the bot/],
  [{ kind: 'rateLimit', ms: 30_000 }, /^Twitch limits the requests of the bot\. Try again <t:\d+:R>/],
] as const)('the failure %j of a platform is shown only to the user', async ([fault, message]) => {
  await using fixture = await openBot();
  fixture.world.faults.add({ platform: 'twitch', route: '/helix', ...fault });

  const view = await fixture.command('live', { streamer: 'ada' });

  expect(view).toMatchObject({ ephemeral: true, message: { content: expect.stringMatching(message) } });
});

test('with a slow platform, the bot shows first that it is thinking', async () => {
  await using fixture = await openBot({ clock: hasty });
  goLive(fixture, { title: 'Speedrun, day two' });
  fixture.world.faults.add({ platform: 'twitch', route: '/helix/streams', kind: 'delay', ms: 2_500, times: 1 });

  const view = await fixture.command('live', { streamer: 'ada' });

  expect(view).toMatchObject({ deferred: true, ephemeral: true, message: { loading: false, embeds: [{ title: 'Speedrun, day two' }] } });
});

test('a late error is shown only to the user, and the thinking indicator disappears', async () => {
  await using fixture = await openBot({ clock: hasty });
  fixture.world.faults.add({ platform: 'twitch', route: '/helix/streams', kind: 'delay', ms: 400, times: 1 });

  const { id, deferred } = await fixture.command('live', { streamer: 'nobody_at_all_1' }, { waitMs: 0 });

  expect(deferred).toBe(true);
  await expect
    .poll(async () => (await fixture.reload(id)).followUps)
    .toMatchObject([{ ephemeral: true, content: expect.stringContaining('no user') }]);
  expect((await fixture.reload(id)).message?.deletedAt).toBeDefined();
});
