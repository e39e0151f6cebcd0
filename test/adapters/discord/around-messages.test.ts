import { describe, expect, test } from 'vitest';
import { thread as startThread } from '#src/clients/chat/message-actions.ts';
import { openChat, type ChatFixture } from './open-chat.ts';

const MINUTE_MS = 60_000;

function now({ clock }: ChatFixture): Date {
  return new Date(clock.nowMs());
}

describe('a message', () => {
  test('is deleted, and a second deletion is no error', async () => {
    await using fixture = await openChat();
    const sent = await fixture.chat.send('live', { content: 'hello' });

    const deleted = await fixture.chat.delete(sent.id);

    expect(deleted).toEqual(sent);
    expect(await fixture.standing('live')).toEqual([]);
    await expect(fixture.chat.delete(sent.id)).resolves.toEqual(sent);
  });

  test('whose channel or thread was deleted is deleted', async () => {
    await using fixture = await openChat();
    const sent = await fixture.chat.send('live', { content: 'hello' });
    const thread = await fixture.chat.thread({ message: (await fixture.chat.send('general', { content: 'hi' })).id }, 'Talk');
    const inThread = await fixture.chat.send(thread.id, { content: 'hello' });
    await fixture.discord.order('/discord/removals', { channel: 'live' });
    await fixture.discord.order('/discord/removals', { channel: thread.id });

    await expect(fixture.chat.delete(sent.id)).resolves.toEqual(sent);
    await expect(fixture.chat.delete(inThread.id)).resolves.toEqual(inThread);
  });

  test('of another user is deleted only with permission', async () => {
    await using fixture = await openChat();
    await fixture.fill('live', 1);
    const [message] = await fixture.chat.getMessages('live');

    await expect(fixture.chat.delete(message?.id ?? '')).rejects.toMatchObject({ fault: 'forbidden' });
    await fixture.discord.order('/discord/permissions', { channel: 'live', allow: ['ManageMessages'] });

    await expect(fixture.chat.delete(message?.id ?? '')).resolves.toBeDefined();
  });

  test('gets the reaction of the bot once, and an invalid emoji is an error', async () => {
    await using fixture = await openChat();
    const sent = await fixture.chat.send('live', { content: 'hello' });

    for (const emoji of ['🎉', '🎉', '<:heart_hands:1202584131993600777>']) await fixture.chat.react(sent.id, emoji);

    const [message] = await fixture.chat.getMessages('live');
    expect(message?.reactions).toEqual([
      { emoji: '🎉', count: 1 },
      { emoji: 'heart_hands', count: 1 },
    ]);
    await expect(fixture.chat.react(sent.id, '🎉/../../')).rejects.toMatchObject({ fault: 'missing' });
    await expect(fixture.chat.react(sent.id, 'party/../../')).rejects.toMatchObject({ name: 'ValidationError', path: 'emoji' });
  });

  test('of an announcement channel is published, and a repeat is no error', async () => {
    await using fixture = await openChat();
    const sent = await fixture.chat.send('announcements', { content: 'Season two' });
    const elsewhere = await fixture.chat.send('live', { content: 'hello' });

    await fixture.chat.publish(sent.id);
    await fixture.chat.publish(sent.id);

    expect(await fixture.standing('announcements')).toMatchObject([{ published: true }]);
    await expect(fixture.chat.publish(elsewhere.id)).rejects.toMatchObject({ fault: 'rejected' });
  });
});

describe('a thread', () => {
  test('starts on a message with a first message, and accepts messages by its id', async () => {
    await using fixture = await openChat();
    const sent = await fixture.chat.send('live', { content: 'Ada is live' });

    const thread = await fixture.chat.thread({ message: sent.id }, 'How it goes', { content: 'Tell us, @everyone' });
    await fixture.chat.send(thread.id, { content: 'Here' });
    await fixture.chat.send('live', { thread: 'How it goes', content: 'And here' });

    const [message] = await fixture.chat.getMessages('live');
    expect(thread).toMatchObject({ name: 'How it goes', url: `https://discord.com/channels/${fixture.discord.guildId}/${thread.id}` });
    expect(message?.thread).toEqual(thread);
    expect(await fixture.standing('How it goes')).toMatchObject([
      { content: 'Tell us, @everyone', pinged: { everyone: false } },
      { content: 'Here' },
      { content: 'And here' },
    ]);
  });

  test('starts in a channel, and in a forum as a post', async () => {
    await using fixture = await openChat();

    const free = await fixture.chat.thread({ channel: 'general' }, 'Bets');
    const post = await fixture.chat.thread({ channel: 'guides' }, 'How to castle', { content: 'King and rook' });
    const named = await fixture.chat.thread({ channel: '#guides' }, 'En passant');
    await fixture.chat.send('guides', { thread: named.id, content: 'Pawns' });

    expect(free).toMatchObject({ name: 'Bets' });
    expect((await fixture.standing(post.id)).map(({ content }) => content)).toEqual(['King and rook']);
    expect((await fixture.standing(named.id)).map(({ content }) => content)).toEqual(['En passant', 'Pawns']);
    await expect(fixture.chat.send('live', { thread: 'Nowhere', content: 'x' })).rejects.toMatchObject({ fault: 'missing' });
  });

  test('in a channel has a note of Discord there, which is no message of the bot', async () => {
    await using fixture = await openChat();
    const since = now(fixture);

    await fixture.chat.thread({ channel: 'general' }, 'Bets');

    const answer = await fixture.discord.request('GET', `/channels/${fixture.discord.channelIds.get('general')}/messages`);
    expect(await answer.json()).toMatchObject([{ type: 18, content: 'Bets' }]);
    expect((await fixture.chat.getMessages('general')).items).toEqual([]);
    expect(await fixture.recover({ channel: 'general', content: 'Bets' }, { key: 'k', since })).toBe('absent');
  });

  test('needs either a message or a channel', async () => {
    await using fixture = await openChat();
    const both = { message: '1/2', channel: 'live' };

    await expect(fixture.chat.thread(both, 'x')).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringMatching(/either message or channel/),
    });
  });

  test.for(['general', 'guides', 'message'])('with a lost response is found and completed: %s', async (where) => {
    await using fixture = await openChat();
    const sent = await fixture.chat.send('general', { content: 'hello' });
    const place = where === 'message' ? { message: sent.id } : { channel: where };
    const since = now(fixture);
    await fixture.chat.thread({ channel: 'general' }, 'Other');
    fixture.lose('resetAfter');

    await expect(fixture.chat.thread(place, 'Bets', { content: 'First', key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });
    await fixture.clock.advance(10 * MINUTE_MS);
    const wanted = { ...place, name: 'Bets', content: 'First' };
    const recovery = await fixture.recoverOf(startThread.declared, wanted, { key: 'k', since });
    const again = await fixture.recoverOf(startThread.declared, wanted, { key: 'k', since });

    expect(recovery).toMatchObject({ found: { name: 'Bets' } });
    expect(again).toEqual(recovery);
    expect((await fixture.standing('Bets')).map(({ content }) => content)).toEqual(['First']);
  });

  test('that does not exist is absent, and so is a thread of another write', async () => {
    await using fixture = await openChat();
    const since = now(fixture);
    const other = await fixture.chat.thread({ channel: 'general' }, 'Bets');
    fixture.lose('resetBefore');
    await expect(fixture.chat.thread({ channel: 'general' }, 'Bets', { key: 'k', since })).rejects.toThrow('did not respond');

    const wanted = { channel: 'general', name: 'Bets' };

    expect(await fixture.recoverOf(startThread.declared, wanted, { key: 'k', since, taken: [other.id] })).toBe('absent');
  });
});

test('a message states whether its author is a bot, and whether it is the bot of the account', async () => {
  await using fixture = await openChat();
  await fixture.fill('live', 1);
  await fixture.chat.send('live', { content: 'mine' });
  await fixture.chat.send('live', { content: 'under another name', sender: { name: 'Ada Alerts' } });

  const messages = await fixture.chat.getMessages('live');

  expect(messages.items.map(({ content, author: { bot, self } }) => [content, bot, self])).toEqual([
    ['under another name', true, true],
    ['mine', true, true],
    ['message 0', false, false],
  ]);
});
