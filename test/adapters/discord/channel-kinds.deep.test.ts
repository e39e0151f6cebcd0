import { describe, expect, test } from 'vitest';
import { thread as startThread } from '#src/clients/chat/message-actions.ts';
import { send } from '#src/clients/chat/messages.ts';
import { ask } from '#src/clients/chat/questions.ts';
import { openChat, type ChatFixture } from './open-chat.ts';

const MINUTE_MS = 60_000;

function now({ clock }: ChatFixture): Date {
  return new Date(clock.nowMs());
}

interface PlaceOfKind {
  readonly kind: string;
  readonly channel: string;
  readonly thread?: string | undefined;
  readonly tags?: string[] | undefined;
}

/** A channel of each kind, and how a message to it is put. */
const CHANNELS: readonly PlaceOfKind[] = [
  { kind: 'text', channel: 'live' },
  { kind: 'announcement', channel: 'announcements' },
  { kind: 'voice', channel: 'lounge' },
  { kind: 'thread', channel: 'general', thread: 'Talk' },
  { kind: 'forum', channel: 'guides' },
  { kind: 'forum that wants tags', channel: 'questions', tags: ['Open'] },
  { kind: 'media', channel: 'gallery' },
];

async function withThread(fixture: ChatFixture): Promise<string> {
  return (await fixture.chat.thread({ channel: 'general' }, 'Talk')).id;
}

/** The place, where it has to be named as a channel alone: a thread by its id. */
async function whole(
  fixture: ChatFixture,
  { channel, thread, tags }: Pick<PlaceOfKind, 'channel' | 'thread' | 'tags'>,
): Promise<Pick<PlaceOfKind, 'channel'> & { readonly tags: string[] | undefined }> {
  return { channel: thread === undefined ? channel : await withThread(fixture), tags };
}

/** The contents of all messages in all channels. */
async function everywhere(fixture: ChatFixture): Promise<readonly string[]> {
  return (await fixture.discord.messages()).filter(({ deletedAt }) => deletedAt === undefined).map(({ content }) => content);
}

describe.for(CHANNELS)('in a $kind channel', (form) => {
  const place = { channel: form.channel, thread: form.thread, tags: form.tags };

  test('a message is sent, edited, reacted to, read and deleted', async () => {
    await using fixture = await openChat();
    await withThread(fixture);

    const sent = await fixture.chat.send(place.channel, { ...place, content: 'Ada is live', embed: { title: 'Chess' } });
    await fixture.chat.edit(sent.id, { embed: { footer: '4 watching' } });
    await fixture.chat.react(sent.id, '🎉');
    const [where = ''] = sent.id.split('/');
    const [read] = await fixture.chat.getMessages(where);

    expect(read).toMatchObject({ id: sent.id, content: 'Ada is live', embeds: [{ title: 'Chess', footer: '4 watching' }] });
    expect(read?.reactions).toEqual([{ emoji: '🎉', count: 1 }]);
    await fixture.chat.delete(sent.id);
    expect(await everywhere(fixture)).toEqual([]);
  });

  test.for(['resetAfter', 'resetBefore'] as const)('a message with a lost response exists once: %s', async (fault) => {
    await using fixture = await openChat();
    await withThread(fixture);
    const since = now(fixture);
    const wanted = { ...place, content: 'Ada is live', embed: { title: 'Chess' } };
    // Another message with the same content.
    const other = await fixture.chat.send(place.channel, { ...wanted, key: 'other', since });
    fixture.lose(fault);
    await expect(fixture.chat.send(place.channel, { ...wanted, key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });
    await fixture.clock.advance(10 * MINUTE_MS);

    const recovery = await fixture.recoverOf(send.declared, wanted, { key: 'k', since, taken: [other.id] });
    if (recovery === 'absent') await fixture.chat.send(place.channel, { ...wanted, key: 'k', since });

    expect(recovery === 'absent').toBe(fault === 'resetBefore');
    expect(await everywhere(fixture)).toEqual(['Ada is live', 'Ada is live']);
  });

  test('a question with a lost response exists once', async () => {
    await using fixture = await openChat();
    const { channel, tags } = await whole(fixture, place);
    const since = now(fixture);
    const wanted = { channel, tags, content: 'Shall it go out?', choices: ['yes', 'no'] };
    fixture.lose('resetAfter');
    await expect(fixture.chat.ask(channel, wanted.content, wanted.choices, { tags, key: 'k', since })).rejects.toMatchObject({
      fault: 'unanswered',
    });

    const recovery = await fixture.recoverOf(ask.declared, wanted, { key: 'k', since });

    expect(recovery).toMatchObject({ found: { id: expect.stringMatching(/^\d+\/\d+$/) } });
    expect(await everywhere(fixture)).toEqual(['Shall it go out?']);
  });

  test('a standing message exists once after a lost response, and again after a deletion', async () => {
    await using fixture = await openChat();
    const { channel, tags } = await whole(fixture, place);
    fixture.lose('resetAfter');
    await expect(fixture.chat.put('Top five', channel, { tags, content: 'Ada' })).rejects.toMatchObject({ fault: 'unanswered' });
    const first = await fixture.chat.put('Top five', channel, { tags, content: 'Ada, Grace' });
    const second = await fixture.chat.put('Top five', channel, { tags, content: 'Grace' });
    const before = await everywhere(fixture);
    await fixture.discord.order('/discord/removals', { message: second.id.split('/')[1] });

    const third = await fixture.chat.put('Top five', channel, { tags, content: 'Linus' });

    expect(second).toEqual(first);
    expect(before).toEqual(['Grace']);
    expect(third.id).not.toBe(first.id);
    expect(await everywhere(fixture)).toEqual(['Linus']);
  });
});

describe('a forum', () => {
  test('gets a post with the title and the tags of the message', async () => {
    await using fixture = await openChat();

    const sent = await fixture.chat.send('questions', { title: 'How to castle', tags: ['open', 'Solved'], content: 'King and rook' });

    const thread = await threadOf(fixture, sent.id);
    expect(thread).toMatchObject({ name: 'How to castle', applied_tags: ['1202584131993600020', '1202584131993600021'] });
    expect(sent.id).toBe(`${thread.id}/${thread.id}`);
  });

  test.for([
    ['the title of its card', { content: 'Now', embed: { title: 'Ada \\*plays\\* chess' } }, 'Ada *plays* chess'],
    ['its first line, without markup', { content: '**Ada** is live\nCome and see' }, 'Ada is live'],
    ['as much of it as fits', { content: 'go '.repeat(100) }, expect.stringMatching(/^(go )+go…$/)],
    ['three dots without a text', { files: [{ base64: 'aGk=', name: 'hi.txt' }] }, '…'],
  ] as const)('uses as the title of a post without one %s', async ([, message, name]) => {
    await using fixture = await openChat();

    const sent = await fixture.chat.send('guides', { ...message });

    expect((await threadOf(fixture, sent.id)).name).toEqual(name);
  });

  test('that requires a tag is an error with the existing tags before anything is sent', async () => {
    await using fixture = await openChat();

    await expect(fixture.chat.send('questions', { content: 'x' })).rejects.toMatchObject({
      fault: 'rejected',
      message: '#questions requires a tag for each post: set tags. It has: Open, Solved, Official.',
    });
    await expect(fixture.chat.send('questions', { content: 'x', tags: ['Shut'] })).rejects.toMatchObject({
      fault: 'missing',
      message: '#questions has no tag "Shut". It has: Open, Solved, Official.',
      part: { parameter: 'tags', index: 0 },
    });
    await expect(fixture.chat.thread({ channel: 'questions' }, 'x')).rejects.toThrow('requires a tag');
    expect(await everywhere(fixture)).toEqual([]);
  });

  test('is the only channel with titles and tags', async () => {
    await using fixture = await openChat();

    await expect(fixture.chat.send('live', { content: 'x', title: 'y' })).rejects.toMatchObject({
      message: expect.stringMatching(/^#live is not a forum/),
    });
  });

  test('of kind media accepts files', async () => {
    await using fixture = await openChat();

    const sent = await fixture.chat.send('gallery', {
      title: 'A card',
      files: [{ bytes: new Uint8Array([1, 2]), name: 'card.png', altText: 'A card' }],
    });

    const [message] = await fixture.standing(sent.id.split('/')[0] ?? '');
    expect(message?.files).toEqual([{ filename: 'card.png', sizeBytes: 2, description: 'A card' }]);
  });
});

describe('a thread', () => {
  test.for(['its id', 'its address', 'its mention', 'its name and channel', 'its address and channel'] as const)(
    'is found by %s',
    async (how) => {
      await using fixture = await openChat();
      const id = await withThread(fixture);
      const address = `https://discord.com/channels/${fixture.discord.guildId}/${id}`;
      const place = {
        'its id': [id],
        'its address': [address],
        'its mention': [`<#${id}>`],
        'its name and channel': ['general', 'Talk'],
        'its address and channel': ['#general', address],
      }[how];

      await fixture.chat.send(place[0] ?? '', { content: 'hello', thread: place[1] });

      expect((await fixture.standing(id)).map(({ content }) => content)).toEqual(['hello']);
    },
  );

  test('that is archived reopens for a message, is archived again after an edit, a reaction and a deletion, and is found by its name', async () => {
    await using fixture = await openChat();
    const id = await withThread(fixture);
    const [one, other] = [await fixture.chat.send(id, { content: 'one' }), await fixture.chat.send(id, { content: 'other' })];
    const archive = () => fixture.discord.order('/discord/thread-states', { thread: id, archived: true });
    const states: boolean[] = [];
    const isArchived = async () => {
      const thread = (await fixture.discord.rest().get(`/channels/${id}`)) as { thread_metadata: { archived: boolean } }; // Discord's
      return thread.thread_metadata.archived;
    };

    for (const act of [
      () => fixture.chat.edit(one.id, { content: 'changed' }),
      () => fixture.chat.react(one.id, '🎉'),
      () => fixture.chat.delete(other.id),
      () => fixture.chat.send('general', { thread: 'Talk', content: 'new' }),
    ]) {
      await archive();
      await act();
      states.push(await isArchived());
    }

    expect(states).toEqual([true, true, true, false]);

    expect((await fixture.standing(id)).map(({ content }) => content)).toEqual(['changed', 'new']);
  });

  test('that is locked accepts messages only with the named permission', async () => {
    await using fixture = await openChat();
    const id = await withThread(fixture);
    const sent = await fixture.chat.send(id, { content: 'one' });
    await fixture.discord.order('/discord/thread-states', { thread: id, archived: true, locked: true });

    await expect(fixture.chat.send(id, { content: 'x' })).rejects.toMatchObject({ message: expect.stringMatching(/Manage Threads/) });
    await expect(fixture.chat.edit(sent.id, { content: 'x' })).rejects.toMatchObject({ message: expect.stringMatching(/Manage Threads/) });
    await fixture.discord.order('/discord/permissions', { channel: 'general', allow: ['ManageThreads'] });
    await fixture.chat.send(id, { content: 'x' });

    expect((await fixture.standing(id)).map(({ content }) => content)).toEqual(['one', 'x']);
  });

  test('does not start in a voice channel', async () => {
    await using fixture = await openChat();

    await expect(fixture.chat.thread({ channel: 'lounge' }, 'x')).rejects.toMatchObject({
      message: expect.stringMatching(/voice channel/),
    });
  });

  test('starts once on an announcement with a lost response', async () => {
    await using fixture = await openChat();
    const since = now(fixture);
    fixture.lose('resetAfter');
    await expect(fixture.chat.thread({ channel: 'announcements' }, 'Season', { content: 'One', key: 'k', since })).rejects.toThrow(
      'did not respond',
    );

    const recovery = await fixture.recoverOf(
      startThread.declared,
      { channel: 'announcements', name: 'Season', content: 'One' },
      { key: 'k', since },
    );

    expect(recovery).toMatchObject({ found: { name: 'Season' } });
    expect(await everywhere(fixture)).toEqual(['One']);
  });
});

describe('a reply', () => {
  test('to a deleted message is a plain message', async () => {
    await using fixture = await openChat();
    const asked = await fixture.chat.send('live', { content: 'one' });
    await fixture.discord.order('/discord/removals', { message: asked.id.split('/')[1] });

    await fixture.chat.send('live', { content: 'two', replyTo: asked.id });

    const [message] = await fixture.standing('live');
    expect([message?.content, message?.replyTo]).toEqual(['two', undefined]);
  });

  test('accepts the address of the message', async () => {
    await using fixture = await openChat();
    const asked = await fixture.chat.send('live', { content: 'one' });

    await fixture.chat.send('live', { content: 'two', replyTo: asked.url });

    expect((await fixture.standing('live'))[1]?.replyTo).toBe(asked.id.split('/')[1]);
  });
});

async function threadOf(
  fixture: ChatFixture,
  message: string,
): Promise<{ readonly id: string; readonly name: string; readonly applied_tags: unknown }> {
  const response = await fixture.discord.request('GET', `/channels/${message.split('/')[0]}`);
  return (await response.json()) as Awaited<ReturnType<typeof threadOf>>; // a thread of Discord
}
