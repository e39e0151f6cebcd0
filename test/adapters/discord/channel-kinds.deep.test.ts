import { describe, expect, test } from 'vitest';
import { thread as startThread } from '#src/clients/chat/message-actions.ts';
import { send } from '#src/clients/chat/messages.ts';
import { ask } from '#src/clients/chat/questions.ts';
import { openChat, type ChatGround } from './open-chat.ts';

const MINUTE_MS = 60_000;

function now({ clock }: ChatGround): Date {
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

async function withThread(ground: ChatGround): Promise<string> {
  return (await ground.chat.thread({ channel: 'general' }, 'Talk')).id;
}

/** The place, where it has to be named as a channel alone: a thread by its id. */
async function whole(
  ground: ChatGround,
  { channel, thread, tags }: Pick<PlaceOfKind, 'channel' | 'thread' | 'tags'>,
): Promise<Pick<PlaceOfKind, 'channel'> & { readonly tags: string[] | undefined }> {
  return { channel: thread === undefined ? channel : await withThread(ground), tags };
}

/** The contents of all messages in all channels. */
async function everywhere(ground: ChatGround): Promise<readonly string[]> {
  return (await ground.discord.messages()).filter(({ deletedAt }) => deletedAt === undefined).map(({ content }) => content);
}

describe.for(CHANNELS)('in a $kind channel', (form) => {
  const place = { channel: form.channel, thread: form.thread, tags: form.tags };

  test('a message is sent, edited, reacted to, read and deleted', async () => {
    await using ground = await openChat();
    await withThread(ground);

    const sent = await ground.chat.send(place.channel, { ...place, content: 'Ada is live', embed: { title: 'Chess' } });
    await ground.chat.edit(sent.id, { embed: { footer: '4 watching' } });
    await ground.chat.react(sent.id, '🎉');
    const [where = ''] = sent.id.split('/');
    const [read] = await ground.chat.getMessages(where);

    expect(read).toMatchObject({ id: sent.id, content: 'Ada is live', embeds: [{ title: 'Chess', footer: '4 watching' }] });
    expect(read?.reactions).toEqual([{ emoji: '🎉', count: 1 }]);
    await ground.chat.delete(sent.id);
    expect(await everywhere(ground)).toEqual([]);
  });

  test.for(['resetAfter', 'resetBefore'] as const)('a message with a lost response exists once: %s', async (fault) => {
    await using ground = await openChat();
    await withThread(ground);
    const since = now(ground);
    const wanted = { ...place, content: 'Ada is live', embed: { title: 'Chess' } };
    // Another message with the same content.
    const other = await ground.chat.send(place.channel, { ...wanted, key: 'other', since });
    ground.lose(fault);
    await expect(ground.chat.send(place.channel, { ...wanted, key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });
    await ground.clock.advance(10 * MINUTE_MS);

    const recovery = await ground.recoverOf(send.declared, wanted, { key: 'k', since, taken: [other.id] });
    if (recovery === 'absent') await ground.chat.send(place.channel, { ...wanted, key: 'k', since });

    expect(recovery === 'absent').toBe(fault === 'resetBefore');
    expect(await everywhere(ground)).toEqual(['Ada is live', 'Ada is live']);
  });

  test('a question with a lost response exists once', async () => {
    await using ground = await openChat();
    const { channel, tags } = await whole(ground, place);
    const since = now(ground);
    const wanted = { channel, tags, content: 'Shall it go out?', choices: ['yes', 'no'] };
    ground.lose('resetAfter');
    await expect(ground.chat.ask(channel, wanted.content, wanted.choices, { tags, key: 'k', since })).rejects.toMatchObject({
      fault: 'unanswered',
    });

    const recovery = await ground.recoverOf(ask.declared, wanted, { key: 'k', since });

    expect(recovery).toMatchObject({ found: { id: expect.stringMatching(/^\d+\/\d+$/) } });
    expect(await everywhere(ground)).toEqual(['Shall it go out?']);
  });

  test('a standing message exists once after a lost response, and again after a deletion', async () => {
    await using ground = await openChat();
    const { channel, tags } = await whole(ground, place);
    ground.lose('resetAfter');
    await expect(ground.chat.put('Top five', channel, { tags, content: 'Ada' })).rejects.toMatchObject({ fault: 'unanswered' });
    const first = await ground.chat.put('Top five', channel, { tags, content: 'Ada, Grace' });
    const second = await ground.chat.put('Top five', channel, { tags, content: 'Grace' });
    const before = await everywhere(ground);
    await ground.discord.order('/discord/removals', { message: second.id.split('/')[1] });

    const third = await ground.chat.put('Top five', channel, { tags, content: 'Linus' });

    expect(second).toEqual(first);
    expect(before).toEqual(['Grace']);
    expect(third.id).not.toBe(first.id);
    expect(await everywhere(ground)).toEqual(['Linus']);
  });
});

describe('a forum', () => {
  test('gets a post with the title and the tags of the message', async () => {
    await using ground = await openChat();

    const sent = await ground.chat.send('questions', { title: 'How to castle', tags: ['open', 'Solved'], content: 'King and rook' });

    const thread = await threadOf(ground, sent.id);
    expect(thread).toMatchObject({ name: 'How to castle', applied_tags: ['1202584131993600020', '1202584131993600021'] });
    expect(sent.id).toBe(`${thread.id}/${thread.id}`);
  });

  test.for([
    ['the title of its card', { content: 'Now', embed: { title: 'Ada \\*plays\\* chess' } }, 'Ada *plays* chess'],
    ['its first line, without markup', { content: '**Ada** is live\nCome and see' }, 'Ada is live'],
    ['as much of it as fits', { content: 'go '.repeat(100) }, expect.stringMatching(/^(go )+go…$/)],
    ['three dots without a text', { files: [{ base64: 'aGk=', name: 'hi.txt' }] }, '…'],
  ] as const)('uses as the title of a post without one %s', async ([, message, name]) => {
    await using ground = await openChat();

    const sent = await ground.chat.send('guides', { ...message });

    expect((await threadOf(ground, sent.id)).name).toEqual(name);
  });

  test('that requires a tag is an error with the existing tags before anything is sent', async () => {
    await using ground = await openChat();

    await expect(ground.chat.send('questions', { content: 'x' })).rejects.toMatchObject({
      fault: 'rejected',
      message: '#questions requires a tag for each post: set tags. It has: Open, Solved, Official.',
    });
    await expect(ground.chat.send('questions', { content: 'x', tags: ['Shut'] })).rejects.toMatchObject({
      fault: 'missing',
      message: '#questions has no tag "Shut". It has: Open, Solved, Official.',
      part: { parameter: 'tags', index: 0 },
    });
    await expect(ground.chat.thread({ channel: 'questions' }, 'x')).rejects.toThrow('requires a tag');
    expect(await everywhere(ground)).toEqual([]);
  });

  test('is the only channel with titles and tags', async () => {
    await using ground = await openChat();

    await expect(ground.chat.send('live', { content: 'x', title: 'y' })).rejects.toMatchObject({
      message: expect.stringMatching(/^#live is not a forum/),
    });
  });

  test('of kind media accepts files', async () => {
    await using ground = await openChat();

    const sent = await ground.chat.send('gallery', {
      title: 'A card',
      files: [{ bytes: new Uint8Array([1, 2]), name: 'card.png', altText: 'A card' }],
    });

    const [message] = await ground.standing(sent.id.split('/')[0] ?? '');
    expect(message?.files).toEqual([{ filename: 'card.png', sizeBytes: 2, description: 'A card' }]);
  });
});

describe('a thread', () => {
  test.for(['its id', 'its address', 'its mention', 'its name and channel', 'its address and channel'] as const)(
    'is found by %s',
    async (how) => {
      await using ground = await openChat();
      const id = await withThread(ground);
      const address = `https://discord.com/channels/${ground.discord.guildId}/${id}`;
      const place = {
        'its id': [id],
        'its address': [address],
        'its mention': [`<#${id}>`],
        'its name and channel': ['general', 'Talk'],
        'its address and channel': ['#general', address],
      }[how];

      await ground.chat.send(place[0] ?? '', { content: 'hello', thread: place[1] });

      expect((await ground.standing(id)).map(({ content }) => content)).toEqual(['hello']);
    },
  );

  test('that is archived reopens for a message, an edit, a reaction and a deletion, and is found by its name', async () => {
    await using ground = await openChat();
    const id = await withThread(ground);
    const [one, other] = [await ground.chat.send(id, { content: 'one' }), await ground.chat.send(id, { content: 'other' })];
    const archive = () => ground.discord.order('/discord/thread-states', { thread: id, archived: true });

    for (const act of [
      () => ground.chat.edit(one.id, { content: 'changed' }),
      () => ground.chat.react(one.id, '🎉'),
      () => ground.chat.delete(other.id),
      () => ground.chat.send('general', { thread: 'Talk', content: 'new' }),
    ]) {
      await archive();
      await act();
    }

    expect((await ground.standing(id)).map(({ content }) => content)).toEqual(['changed', 'new']);
  });

  test('that is locked accepts messages only with the named permission', async () => {
    await using ground = await openChat();
    const id = await withThread(ground);
    const sent = await ground.chat.send(id, { content: 'one' });
    await ground.discord.order('/discord/thread-states', { thread: id, archived: true, locked: true });

    await expect(ground.chat.send(id, { content: 'x' })).rejects.toMatchObject({ message: expect.stringMatching(/Manage Threads/) });
    await expect(ground.chat.edit(sent.id, { content: 'x' })).rejects.toMatchObject({ message: expect.stringMatching(/Manage Threads/) });
    await ground.discord.order('/discord/permissions', { channel: 'general', allow: ['ManageThreads'] });
    await ground.chat.send(id, { content: 'x' });

    expect((await ground.standing(id)).map(({ content }) => content)).toEqual(['one', 'x']);
  });

  test('does not start in a voice channel', async () => {
    await using ground = await openChat();

    await expect(ground.chat.thread({ channel: 'lounge' }, 'x')).rejects.toMatchObject({ message: expect.stringMatching(/voice channel/) });
  });

  test('starts once on an announcement with a lost response', async () => {
    await using ground = await openChat();
    const since = now(ground);
    ground.lose('resetAfter');
    await expect(ground.chat.thread({ channel: 'announcements' }, 'Season', { content: 'One', key: 'k', since })).rejects.toThrow(
      'did not respond',
    );

    const recovery = await ground.recoverOf(
      startThread.declared,
      { channel: 'announcements', name: 'Season', content: 'One' },
      { key: 'k', since },
    );

    expect(recovery).toMatchObject({ found: { name: 'Season' } });
    expect(await everywhere(ground)).toEqual(['One']);
  });
});

describe('a reply', () => {
  test('to a deleted message is a plain message', async () => {
    await using ground = await openChat();
    const asked = await ground.chat.send('live', { content: 'one' });
    await ground.discord.order('/discord/removals', { message: asked.id.split('/')[1] });

    await ground.chat.send('live', { content: 'two', replyTo: asked.id });

    const [message] = await ground.standing('live');
    expect([message?.content, message?.replyTo]).toEqual(['two', undefined]);
  });

  test('accepts the address of the message', async () => {
    await using ground = await openChat();
    const asked = await ground.chat.send('live', { content: 'one' });

    await ground.chat.send('live', { content: 'two', replyTo: asked.url });

    expect((await ground.standing('live'))[1]?.replyTo).toBe(asked.id.split('/')[1]);
  });
});

async function threadOf(
  ground: ChatGround,
  message: string,
): Promise<{ readonly id: string; readonly name: string; readonly applied_tags: unknown }> {
  const response = await ground.discord.request('GET', `/channels/${message.split('/')[0]}`);
  return (await response.json()) as Awaited<ReturnType<typeof threadOf>>; // a thread of Discord
}
