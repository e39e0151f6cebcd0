import { expect, test } from 'vitest';
import { findSent } from '#adapters/discord/operations/recovery.ts';
import { WireMessage } from '#adapters/discord/wire/message.ts';
import { PlatformError } from '#src/errors.ts';
import { openChat, type ChatFixture } from './open-chat.ts';

const MINUTE_MS = 60_000;

test('a message with a lost response is found, and an early repeat creates no second message', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  lose(fixture, 'resetAfter');

  const fault = await faultOf(fixture.chat.send('live', { content: 'Ada is live', key: 'k', since }));
  const recovery = await fixture.recover({ content: 'Ada is live' }, { key: 'k', since });
  const repeated = await fixture.chat.send('live', { content: 'Ada is live', key: 'k', since });

  expect(fault).toBe('unanswered');
  expect(recovery).toEqual({ found: repeated });
  expect(await fixture.standing('live')).toHaveLength(1);
});

test('a message with a lost response is found after the nonce has expired', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  lose(fixture, 'resetAfter');
  await faultOf(
    fixture.chat.send('live', { content: ' Ada is live ', embed: { title: 'Chess ', url: 'https://twitch.example' }, key: 'k', since }),
  );
  await fixture.clock.advance(60 * MINUTE_MS);
  await fixture.fill('live', 250);

  const recovery = await fixture.recover(
    { content: ' Ada is live ', embed: { title: 'Chess ', url: 'https://twitch.example' } },
    { key: 'k', since },
  );

  const [first] = await fixture.standing('live');
  expect(recovery).toMatchObject({ found: { id: `${fixture.discord.channelIds.get('live')}/${first?.id}` } });
});

test('a message of an earlier version is found, although its button has the address as the rule has it', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  const components = [{ type: 1, components: [{ type: 2, style: 5, label: 'Watch', url: 'https://Twitch.example' }] }];
  const channelId = fixture.discord.channelIds.get('live');
  await fixture.discord.rest().post(`/channels/${channelId}/messages`, { body: { content: 'Ada is live', components } });

  const recovery = await fixture.recover(
    { content: 'Ada is live', buttons: [{ label: 'Watch', url: 'https://Twitch.example' }] },
    { key: 'k', since },
  );

  expect(recovery).toMatchObject({ found: { id: expect.stringContaining(`${channelId}/`) } });
});

test('a message that never arrived is absent', async () => {
  await using fixture = await openChat();
  const older = await fixture.chat.send('live', { content: 'Ada is live', key: 'older' });
  await fixture.clock.advance(5 * MINUTE_MS);
  const since = now(fixture);
  lose(fixture, 'resetBefore');

  const fault = await faultOf(fixture.chat.send('live', { content: 'Ada is live', key: 'k', since }));
  const recovery = await fixture.recover({ content: 'Ada is live' }, { key: 'k', since, taken: [older.id] });

  expect(fault).toBe('unanswered');
  expect(recovery).toBe('absent');
});

test('an equal message of another delivery is not claimed', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  const other = await fixture.chat.send('live', { content: 'Ada is live', key: 'other', since });
  lose(fixture, 'resetBefore');
  await faultOf(fixture.chat.send('live', { content: 'Ada is live', key: 'k', since }));

  expect(await fixture.recover({ content: 'Ada is live' }, { key: 'k', since, taken: [other.id] })).toBe('absent');
});

test.for([
  ['with the nonce of the delivery is found, even if it was edited', { nonce: 'k', content: 'Ada was live' }, { found: { id: '5/9' } }],
  ['with another nonce belongs to another delivery', { nonce: 'other', content: 'Ada is live' }, 'absent'],
  ['without a nonce is found if the content is equal', { content: 'Ada is live' }, { found: { id: '5/9' } }],
] as const)('a message in the history %s', async ([, shown, expected]) => {
  const since = new Date('2026-11-20T18:00:00Z');
  const author = { id: '7', username: 'fanfare' };
  const made = { id: '9', channel_id: '5', author, timestamp: '2026-11-20T18:00:01Z', embeds: [], attachments: [], components: [] };
  const page = (before: string | undefined) => Promise.resolve(before === undefined ? [WireMessage.parse({ ...made, ...shown })] : []);
  const history = { guildId: '1', botId: '7', page, newestAt: () => Promise.resolve(undefined) };

  const recovery = await findSent({ nonce: 'k', content: 'Ada is live', since, taken: new Set() }, history);

  expect({ recovery }).toMatchObject({ recovery: expected });
});

test('two equal lost messages are each found once', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  for (const key of ['a', 'b']) {
    lose(fixture, 'resetAfter');
    await faultOf(fixture.chat.send('live', { content: 'Ada is live', key, since }));
  }

  const first = await fixture.recover({ content: 'Ada is live' }, { key: 'a', since });
  const taken = typeof first === 'object' ? [first.found.id] : [];
  const second = await fixture.recover({ content: 'Ada is live' }, { key: 'b', since, taken });

  const ids = (await fixture.standing('live')).map(({ id }) => `${fixture.discord.channelIds.get('live')}/${id}`);
  expect([first, second]).toMatchObject(ids.map((id) => ({ found: { id } })));
});

test('messages of other users are never claimed', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  const [owner] = fixture.discord.people;
  await fixture.discord.order('/discord/messages', { user: owner, channel: 'live', content: 'Ada is live' });

  expect(await fixture.recover({ content: 'Ada is live' }, { key: 'k', since })).toBe('absent');
});

test('a message with another card is another message', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  await fixture.chat.send('live', { embed: { title: 'Chess', footer: '10 watching' }, since });

  expect(await fixture.recover({ embed: { title: 'Chess', footer: '11 watching' } }, { key: 'k', since })).toBe('absent');
  expect(await fixture.recover({ embed: { title: 'Chess', footer: '10 watching' } }, { key: 'k', since })).toMatchObject({ found: {} });
});

test('a message with an empty card is found', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  const content = { content: 'Ada is live', embed: { title: '', image: '' } };
  await fixture.chat.send('live', { ...content, since });

  expect(await fixture.recover(content, { key: 'k', since })).toMatchObject({ found: {} });
});

test('if Discord ignores the nonce, the history prevents a second message', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  fixture.discord.sandbox.faults.add({ platform: 'discord', kind: 'ignoreKey' });
  lose(fixture, 'resetAfter');
  await faultOf(fixture.chat.send('live', { content: 'Ada is live', key: 'k', since }));

  const recovery = await fixture.recover({ content: 'Ada is live' }, { key: 'k', since });

  expect(recovery).toMatchObject({ found: {} });
});

test('if the history does not show a message yet, the nonce prevents a second one', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  await fixture.chat.send('live', { content: 'hello' });
  fixture.discord.sandbox.faults.add({ platform: 'discord', kind: 'delayedVisibility', ms: MINUTE_MS, times: 1 });
  lose(fixture, 'resetAfter');
  await faultOf(fixture.chat.send('live', { content: 'Ada is live', key: 'k', since }));

  const early = await fixture.recover({ content: 'Ada is live' }, { key: 'k', since });
  const repeated = await fixture.chat.send('live', { content: 'Ada is live', key: 'k', since });
  await fixture.clock.advance(MINUTE_MS);
  const late = await fixture.recover({ content: 'Ada is live' }, { key: 'k', since });

  expect(early).toBe('absent');
  expect(late).toEqual({ found: repeated });
  expect((await fixture.standing('live')).map(({ content }) => content)).toEqual(['hello', 'Ada is live']);
});

test('without permission to read the history, the result is unknown', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  await fixture.chat.send('live', { content: 'Ada is live', key: 'k', since });
  await fixture.discord.order('/discord/permissions', { channel: 'live', deny: ['ReadMessageHistory'] });

  expect(await fixture.recover({ content: 'Ada is live' }, { key: 'k', since })).toBe('cannotTell');
});

test('in a channel without newer messages, a lost message is absent', async () => {
  await using fixture = await openChat();

  expect(await fixture.recover({ content: 'Ada is live' }, { key: 'k', since: now(fixture) })).toBe('absent');
});

function now({ clock }: ChatFixture): Date {
  return new Date(clock.nowMs());
}

function lose({ discord }: ChatFixture, kind: 'resetAfter' | 'resetBefore'): void {
  discord.sandbox.faults.add({ platform: 'discord', method: 'POST', route: '/messages', kind, times: 1 });
}

async function faultOf(write: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await write.catch((reason: unknown) => reason);
  return error instanceof PlatformError ? error.fault : undefined;
}

test('an edited message is found by the names in it', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  const card = await fixture.chat.send('live', {
    content: 'Ada is live',
    embed: { title: 'Chess', url: 'https://twitch.example/ada' },
    key: 'lost',
  });
  await fixture.chat.edit(card.id, { content: 'Ada is live, 12 viewers' });
  const other = await fixture.chat.send('live', { content: 'Grace is live', key: 'other' });
  const announced = { content: 'Ada is live, 99 viewers' };

  const plain = await fixture.recover(announced, { key: 'k', since });
  const named = await fixture.recover(announced, { key: 'k', since, about: ['Ada', 'https://twitch.example/ada'] });
  const foreign = await fixture.recover(announced, { key: 'k', since, about: ['Linus'] });
  const doubtful = await fixture.recover({ content: 'The top five' }, { key: 'k', since, about: [] });
  const explained = await fixture.recover({ content: 'The top five' }, { key: 'k', since, about: [], taken: [card.id, other.id] });

  expect(named).toMatchObject({ found: { id: card.id } });
  expect([plain, foreign, doubtful, explained]).toEqual(['absent', 'absent', 'cannotTell', 'absent']);
});

test('after a restore, a message without its picture is found by its text', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  const sent = await fixture.chat.send('live', { content: 'The top five', key: 'lost' });
  const wanted = { content: 'The top five', files: ['https://pictures.test/five.png'] };

  expect(await fixture.recover(wanted, { key: 'k', since })).toBe('absent');
  expect(await fixture.recover(wanted, { key: 'k', since, about: [] })).toMatchObject({ found: { id: sent.id } });
});
