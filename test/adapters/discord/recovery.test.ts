import { expect, test } from 'vitest';
import { findSent } from '#adapters/discord/operations/recovery.ts';
import { WireMessage } from '#adapters/discord/wire/message.ts';
import { PlatformError } from '#src/errors.ts';
import { openChat, type ChatGround } from './open-chat.ts';

const MINUTE_MS = 60_000;

test('a message with a lost response is found, and an early repeat creates no second message', async () => {
  await using ground = await openChat();
  const since = now(ground);
  lose(ground, 'resetAfter');

  const fault = await faultOf(ground.chat.send('live', { content: 'Ada is live', key: 'k', since }));
  const recovery = await ground.recover({ content: 'Ada is live' }, { key: 'k', since });
  const repeated = await ground.chat.send('live', { content: 'Ada is live', key: 'k', since });

  expect(fault).toBe('unanswered');
  expect(recovery).toEqual({ found: repeated });
  expect(await ground.standing('live')).toHaveLength(1);
});

test('a message with a lost response is found after the nonce has expired', async () => {
  await using ground = await openChat();
  const since = now(ground);
  lose(ground, 'resetAfter');
  await faultOf(
    ground.chat.send('live', { content: ' Ada is live ', embed: { title: 'Chess ', url: 'https://twitch.example' }, key: 'k', since }),
  );
  await ground.clock.advance(60 * MINUTE_MS);
  await ground.fill('live', 250);

  const recovery = await ground.recover(
    { content: ' Ada is live ', embed: { title: 'Chess ', url: 'https://twitch.example' } },
    { key: 'k', since },
  );

  const [first] = await ground.standing('live');
  expect(recovery).toMatchObject({ found: { id: `${ground.discord.channelIds.get('live')}/${first?.id}` } });
});

test('a message that never arrived is absent', async () => {
  await using ground = await openChat();
  const older = await ground.chat.send('live', { content: 'Ada is live', key: 'older' });
  await ground.clock.advance(5 * MINUTE_MS);
  const since = now(ground);
  lose(ground, 'resetBefore');

  const fault = await faultOf(ground.chat.send('live', { content: 'Ada is live', key: 'k', since }));
  const recovery = await ground.recover({ content: 'Ada is live' }, { key: 'k', since, taken: [older.id] });

  expect(fault).toBe('unanswered');
  expect(recovery).toBe('absent');
});

test('an equal message of another delivery is not claimed', async () => {
  await using ground = await openChat();
  const since = now(ground);
  const other = await ground.chat.send('live', { content: 'Ada is live', key: 'other', since });
  lose(ground, 'resetBefore');
  await faultOf(ground.chat.send('live', { content: 'Ada is live', key: 'k', since }));

  expect(await ground.recover({ content: 'Ada is live' }, { key: 'k', since, taken: [other.id] })).toBe('absent');
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
  await using ground = await openChat();
  const since = now(ground);
  for (const key of ['a', 'b']) {
    lose(ground, 'resetAfter');
    await faultOf(ground.chat.send('live', { content: 'Ada is live', key, since }));
  }

  const first = await ground.recover({ content: 'Ada is live' }, { key: 'a', since });
  const taken = typeof first === 'object' ? [first.found.id] : [];
  const second = await ground.recover({ content: 'Ada is live' }, { key: 'b', since, taken });

  const ids = (await ground.standing('live')).map(({ id }) => `${ground.discord.channelIds.get('live')}/${id}`);
  expect([first, second]).toMatchObject(ids.map((id) => ({ found: { id } })));
});

test('messages of other users are never claimed', async () => {
  await using ground = await openChat();
  const since = now(ground);
  const [owner] = ground.discord.people;
  await ground.discord.order('/discord/messages', { user: owner, channel: 'live', content: 'Ada is live' });

  expect(await ground.recover({ content: 'Ada is live' }, { key: 'k', since })).toBe('absent');
});

test('a message with another card is another message', async () => {
  await using ground = await openChat();
  const since = now(ground);
  await ground.chat.send('live', { embed: { title: 'Chess', footer: '10 watching' }, since });

  expect(await ground.recover({ embed: { title: 'Chess', footer: '11 watching' } }, { key: 'k', since })).toBe('absent');
  expect(await ground.recover({ embed: { title: 'Chess', footer: '10 watching' } }, { key: 'k', since })).toMatchObject({ found: {} });
});

test('a message with an empty card is found', async () => {
  await using ground = await openChat();
  const since = now(ground);
  const content = { content: 'Ada is live', embed: { title: '', image: '' } };
  await ground.chat.send('live', { ...content, since });

  expect(await ground.recover(content, { key: 'k', since })).toMatchObject({ found: {} });
});

test('if Discord ignores the nonce, the history prevents a second message', async () => {
  await using ground = await openChat();
  const since = now(ground);
  ground.discord.sandbox.faults.add({ platform: 'discord', kind: 'ignoreKey' });
  lose(ground, 'resetAfter');
  await faultOf(ground.chat.send('live', { content: 'Ada is live', key: 'k', since }));

  const recovery = await ground.recover({ content: 'Ada is live' }, { key: 'k', since });

  expect(recovery).toMatchObject({ found: {} });
});

test('if the history does not show a message yet, the nonce prevents a second one', async () => {
  await using ground = await openChat();
  const since = now(ground);
  await ground.chat.send('live', { content: 'hello' });
  ground.discord.sandbox.faults.add({ platform: 'discord', kind: 'delayedVisibility', ms: MINUTE_MS, times: 1 });
  lose(ground, 'resetAfter');
  await faultOf(ground.chat.send('live', { content: 'Ada is live', key: 'k', since }));

  const early = await ground.recover({ content: 'Ada is live' }, { key: 'k', since });
  const repeated = await ground.chat.send('live', { content: 'Ada is live', key: 'k', since });
  await ground.clock.advance(MINUTE_MS);
  const late = await ground.recover({ content: 'Ada is live' }, { key: 'k', since });

  expect(early).toBe('absent');
  expect(late).toEqual({ found: repeated });
  expect((await ground.standing('live')).map(({ content }) => content)).toEqual(['hello', 'Ada is live']);
});

test('without permission to read the history, the result is unknown', async () => {
  await using ground = await openChat();
  const since = now(ground);
  await ground.chat.send('live', { content: 'Ada is live', key: 'k', since });
  await ground.discord.order('/discord/permissions', { channel: 'live', deny: ['ReadMessageHistory'] });

  expect(await ground.recover({ content: 'Ada is live' }, { key: 'k', since })).toBe('cannotTell');
});

test('in a channel without newer messages, a lost message is absent', async () => {
  await using ground = await openChat();

  expect(await ground.recover({ content: 'Ada is live' }, { key: 'k', since: now(ground) })).toBe('absent');
});

function now({ clock }: ChatGround): Date {
  return new Date(clock.nowMs());
}

function lose({ discord }: ChatGround, kind: 'resetAfter' | 'resetBefore'): void {
  discord.sandbox.faults.add({ platform: 'discord', method: 'POST', route: '/messages', kind, times: 1 });
}

async function faultOf(write: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await write.catch((reason: unknown) => reason);
  return error instanceof PlatformError ? error.fault : undefined;
}

test('an edited message is found by the names in it', async () => {
  await using ground = await openChat();
  const since = now(ground);
  const card = await ground.chat.send('live', {
    content: 'Ada is live',
    embed: { title: 'Chess', url: 'https://twitch.example/ada' },
    key: 'lost',
  });
  await ground.chat.edit(card.id, { content: 'Ada is live, 12 viewers' });
  const other = await ground.chat.send('live', { content: 'Grace is live', key: 'other' });
  const announced = { content: 'Ada is live, 99 viewers' };

  const plain = await ground.recover(announced, { key: 'k', since });
  const named = await ground.recover(announced, { key: 'k', since, about: ['Ada', 'https://twitch.example/ada'] });
  const foreign = await ground.recover(announced, { key: 'k', since, about: ['Linus'] });
  const doubtful = await ground.recover({ content: 'The top five' }, { key: 'k', since, about: [] });
  const explained = await ground.recover({ content: 'The top five' }, { key: 'k', since, about: [], taken: [card.id, other.id] });

  expect(named).toMatchObject({ found: { id: card.id } });
  expect([plain, foreign, doubtful, explained]).toEqual(['absent', 'absent', 'cannotTell', 'absent']);
});

test('after a restore, a message without its picture is found by its text', async () => {
  await using ground = await openChat();
  const since = now(ground);
  const sent = await ground.chat.send('live', { content: 'The top five', key: 'lost' });
  const wanted = { content: 'The top five', files: ['https://pictures.test/five.png'] };

  expect(await ground.recover(wanted, { key: 'k', since })).toBe('absent');
  expect(await ground.recover(wanted, { key: 'k', since, about: [] })).toMatchObject({ found: { id: sent.id } });
});
