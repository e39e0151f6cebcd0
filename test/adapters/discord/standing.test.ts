import { expect, test } from 'vitest';
import type { Button } from '#src/clients/chat/buttons.ts';
import type { StandingMessages } from '#src/clients/chat/chat.ts';
import { openChat, type ChatFixture } from './open-chat.ts';

const MINUTE_MS = 60_000;

/** Stored ids of standing messages, with a crash at the next write. */
function memory(): StandingMessages & { readonly kept: Map<string, string>; crashNext: boolean } {
  const kept = new Map<string, string>();
  return {
    kept,
    crashNext: false,
    find: (account, name) => Promise.resolve(kept.get(`${account}/${name}`)),
    async keep(account, name, message) {
      if (this.crashNext && !message.startsWith('sending')) {
        this.crashNext = false;
        throw new Error('crash');
      }
      kept.set(`${account}/${name}`, message);
    },
  };
}

async function contents(fixture: ChatFixture, channel = 'live'): Promise<readonly string[]> {
  return (await fixture.standing(channel)).map(({ content }) => content);
}

test('a standing message is sent once by its name, and then edited', async () => {
  await using fixture = await openChat();

  const first = await fixture.chat.put('top', 'live', { content: 'Ada', embed: { title: 'Top', footer: '1' } });
  const second = await fixture.chat.put('top', 'live', { content: 'Grace' });

  expect(second).toEqual(first);
  const [message] = await fixture.chat.getMessages('live');
  expect(message).toMatchObject({ id: first.id, content: 'Grace', embeds: [] });
  expect(await fixture.standing('live')).toHaveLength(1);
});

test('two names are two messages, even with equal content', async () => {
  await using fixture = await openChat();

  const top = await fixture.chat.put('top', 'live', { content: 'Nobody is live' });
  const other = await fixture.chat.put('other', 'live', { content: 'Nobody is live' });

  expect(other.id).not.toBe(top.id);
});

test('a deleted standing message is sent again, even while its nonce is valid', async () => {
  await using fixture = await openChat();
  const first = await fixture.chat.put('top', 'live', { content: 'Ada' });
  await fixture.chat.delete(first.id);

  const second = await fixture.chat.put('top', 'live', { content: 'Ada' });
  const third = await fixture.chat.put('top', 'live', { content: 'Grace' });

  expect(second.id).not.toBe(first.id);
  expect(third.id).toBe(second.id);
  expect(await contents(fixture)).toEqual(['Grace']);
});

test('a standing message with another channel moves there', async () => {
  await using fixture = await openChat();
  await fixture.chat.put('top', 'live', { content: 'Ada' });

  await fixture.chat.put('top', 'general', { content: 'Ada' });

  expect([await contents(fixture), await contents(fixture, 'general')]).toEqual([[], ['Ada']]);
});

test.for([
  ['at once', 0],
  ['after the nonce has expired', 60 * MINUTE_MS],
] as const)('a crash between a send and its storage causes no second message: %s', async ([, pauseMs]) => {
  const standingMessages = memory();
  await using fixture = await openChat({ standingMessages });
  await fixture.chat.put('other', 'live', { content: 'Ada' });
  standingMessages.crashNext = true;
  await expect(fixture.chat.put('top', 'live', { content: 'Ada' })).rejects.toThrow('crash');
  await fixture.clock.advance(pauseMs);
  await fixture.fill('live', 120);

  const put = await fixture.chat.put('top', 'live', { content: 'Ada' });
  await fixture.chat.put('top', 'live', { content: 'Grace' });

  expect((await contents(fixture)).filter((content) => !content.startsWith('message'))).toEqual(['Ada', 'Grace']);
  expect(standingMessages.kept.get('discord/top')).toBe(put.id);
});

test('a lost response causes no second message, even with new content', async () => {
  await using fixture = await openChat();
  fixture.lose('resetAfter');
  await expect(fixture.chat.put('top', 'live', { content: 'Ada' })).rejects.toMatchObject({ fault: 'unanswered' });

  await fixture.chat.put('top', 'live', { content: 'Grace' });

  expect(await contents(fixture)).toEqual(['Grace']);
});

test('a lost request is sent again', async () => {
  await using fixture = await openChat();
  fixture.lose('resetBefore');
  await expect(fixture.chat.put('top', 'live', { content: 'Ada' })).rejects.toMatchObject({ fault: 'unanswered' });

  await fixture.chat.put('top', 'live', { content: 'Ada' });

  expect(await contents(fixture)).toEqual(['Ada']);
});

test('a message with a lost response that was deleted is sent again', async () => {
  const standingMessages = memory();
  await using fixture = await openChat({ standingMessages });
  standingMessages.crashNext = true;
  await expect(fixture.chat.put('top', 'live', { content: 'Ada' })).rejects.toThrow('crash');
  const [lost] = await fixture.chat.getMessages('live');
  await fixture.chat.delete(lost?.id ?? '');

  await fixture.chat.put('top', 'live', { content: 'Ada' });

  expect(await contents(fixture)).toEqual(['Ada']);
});

test('a standing message pings no one, and an empty one is refused before any request', async () => {
  await using fixture = await openChat();

  await fixture.chat.put('top', 'live', { content: '@everyone' });
  await fixture.chat.put('top', 'live', { content: '@everyone <@&1202584131993600003>' });

  expect(await fixture.standing('live')).toMatchObject([{ pinged: { everyone: false, roles: [], users: [] } }]);
  await expect(fixture.chat.put('top', 'live', {})).rejects.toMatchObject({ name: 'ValidationError' });
});

test.for([
  ['a text', { content: 'Ada, Grace  and https://twitch.tv/ada' }],
  ['a card', { embed: { title: 'Top', fields: [{ name: 'a', value: ' b ', inline: true }], footer: '1', color: 0x9146ff } }],
  ['a text and a card', { content: 'Ada', embed: { title: 'Top', url: 'https://twitch.tv', image: 'https://near.example/a.png' } }],
  ['a card with empty parts', { embed: { title: 'Top', description: '', fields: [{ name: 'a', value: '' }] } }],
] as const)('equal content is not sent again, even after a restart: %s', async ([, wanted]) => {
  const standingMessages = memory();
  await using fixture = await openChat({ standingMessages });
  const put = async (content: object = wanted): Promise<number | undefined> => {
    await fixture.chat.put('top', 'live', content);
    return (await fixture.standing('live'))[0]?.history.length;
  };

  const counts = [await put(), await put(), await put()];
  // The edits of the program before the restart do not count.
  await fixture.chat.edit(standingMessages.kept.get('discord/top') ?? '', { content: 'Somebody changed it' });
  const repaired = [await put(), await put()];
  const changed = [
    await put({ content: 'Linus' }),
    await put({ content: 'Linus' }),
    await put({ content: 'Linus', embed: { title: 'x' } }),
  ];

  expect({ counts, repaired, changed }).toEqual({ counts: [0, 0, 0], repaired: [2, 2], changed: [3, 3, 4] });
});

test('a card that is left out, and a changed grid of its fields, are edits', async () => {
  await using fixture = await openChat();
  const field = { name: 'a', value: 'b' };
  const versions = [
    { content: 'Ada', embed: { title: 'Top', fields: [field] } },
    { content: 'Ada', embed: { title: 'Top', fields: [{ ...field, inline: true }] } },
    { content: 'Ada' },
    { content: 'Ada' },
  ];

  for (const version of versions) await fixture.chat.put('top', 'live', version);

  const [message] = await fixture.standing('live');
  expect([message?.embeds, message?.history.length]).toEqual([[], 2]);
});

test('a changed role of a button, and other roles that may mute, are edits; another key alone is none', async () => {
  await using fixture = await openChat();
  const edits = async (buttons: Button[], key: string): Promise<number | undefined> => {
    await fixture.chat.put('top', 'live', { content: 'Choose', buttons, key });
    return (await fixture.standing('live'))[0]?.history.length;
  };
  const mute = { label: 'Mute', mute: 'item' } as const;

  const counts = [
    await edits([{ label: 'Ping me', role: 'Live' }], 'k1'),
    await edits([{ label: 'Ping me', role: 'Live' }], 'k2'),
    await edits([{ label: 'Ping me', role: 'Moderator' }], 'k3'),
    await edits([{ ...mute, allow: ['Live'] }], 'k4'),
    await edits([{ ...mute, allow: ['Moderator'] }], 'k5'),
  ];

  expect(counts).toEqual([0, 0, 1, 2, 3]);
});

test('an equal message with a mute gets the key of the newer write, so that a press mutes the current episode', async () => {
  await using fixture = await openChat();
  const mute = { label: 'Mute', mute: 'item', allow: ['Live'] } as const;
  const layout = { blocks: [{ text: 'Ada is live' }, { buttons: [mute] }] };
  const put = async (wanted: object, key: string): Promise<readonly unknown[]> => {
    await fixture.chat.put('ada', 'live', { ...wanted, key });
    const [message] = await fixture.standing('live');
    return [message?.history.length, /press:(\w+):/u.exec(JSON.stringify(message?.components))?.[1]];
  };

  const below = { content: 'Ada is live', buttons: [mute] };
  const shown = [
    await put(below, 'k1'),
    await put(below, 'k1'),
    await put(below, 'k2'),
    await put({ layout }, 'k3'),
    await put({ layout }, 'k4'),
  ];

  expect(shown).toEqual([
    [0, 'k1'],
    [0, 'k1'],
    [1, 'k2'],
    [2, 'k3'],
    [3, 'k4'],
  ]);
});

test('after 30 days, the buttons of an equal message get the key of the newer write', async () => {
  await using fixture = await openChat();
  const put = async (key: string, buttons: Button[] = [{ label: 'Ping me', role: 'Live' }]): Promise<readonly unknown[]> => {
    await fixture.chat.put('top', 'live', { content: 'Choose', buttons, key });
    const [message] = await fixture.standing('live');
    return [message?.history.length, /press:(\w+):/u.exec(JSON.stringify(message?.components))?.[1]];
  };
  const waitDays = (days: number) => fixture.clock.set(fixture.clock.nowMs() + days * 1440 * MINUTE_MS);

  const first = await put('k1');
  waitDays(29);
  const before = await put('k2');
  waitDays(2);
  const after = [await put('k3'), await put('k4')];

  expect([first, before, after]).toEqual([
    [0, 'k1'],
    [0, 'k1'],
    [
      [1, 'k3'],
      [1, 'k3'],
    ],
  ]);
});

test('a message with buttons of an earlier version is edited once', async () => {
  const standingMessages = memory();
  await using fixture = await openChat({ standingMessages });
  const buttons = [{ label: 'Ping me', role: 'Live' }];
  const { id } = await fixture.chat.put('top', 'live', { content: 'Choose', buttons, key: 'k1' });
  const components = [{ type: 1, components: [{ type: 2, style: 2, label: 'Ping me', custom_id: 'press:k0:0' }] }];
  const [channelId, messageId] = id.split('/');
  await fixture.discord.rest().patch(`/channels/${channelId}/messages/${messageId}`, { body: { components } });

  for (const key of ['k2', 'k3']) await fixture.chat.put('top', 'live', { content: 'Choose', buttons, key });

  expect(JSON.stringify(await fixture.standing('live'))).toContain('press:k2:0:');
});

test('a message moves away from a channel that the bot no longer sees', async () => {
  await using fixture = await openChat();
  await fixture.chat.put('top', 'live', { content: 'Ada' });
  await fixture.discord.order('/discord/permissions', { channel: 'live', deny: ['ViewChannel'] });

  for (const content of ['Ada', 'Grace']) await fixture.chat.put('top', 'general', { content });

  expect((await fixture.standing('general')).map(({ content }) => content)).toEqual(['Grace']);
});
