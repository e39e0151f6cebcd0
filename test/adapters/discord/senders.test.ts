import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { openChat, type ChatFixture } from './open-chat.ts';

const since = new Date('2026-11-20T18:00:00Z');
const sender = { name: 'Ada Alerts', avatar: 'https://pictures.example/ada.png' };
const parts = { content: 'Ada is live', sender };

/** How often a single channel was read. */
async function channelReads({ discord }: ChatFixture): Promise<number> {
  const response = await fetch(`${discord.sandbox.url}/control/requests`);
  const { items } = (await response.json()) as { items: readonly { method: string; route: string; count: number }[] }; // as the sandbox says it
  return items
    .filter(({ method, route }) => method === 'GET' && route.endsWith('/channels/:channel'))
    .reduce((sum, { count }) => sum + count, 0);
}

function idOf({ discord }: ChatFixture, message = ''): string {
  return `${discord.channelIds.get('live')}/${message}`;
}

async function directOf(fixture: ChatFixture, id: string) {
  return (await fixture.discord.messages(id.split('/')[0])).filter(({ deletedAt }) => deletedAt === undefined);
}

describe('a message under another name', () => {
  test('is sent, edited and deleted by one webhook of the channel', async () => {
    await using fixture = await openChat();

    const sent = await fixture.chat.send('live', parts);
    await fixture.chat.send('live', { ...parts, content: 'Again' });
    await fixture.chat.edit(sent.id, { content: 'Ada was live' });
    const [edited, other] = await fixture.standing('live');
    await fixture.chat.delete(sent.id);

    expect([edited?.author, edited?.content, other?.author]).toEqual(['Ada Alerts', 'Ada was live', 'Ada Alerts']);
    expect((await fixture.standing('live')).map(({ content }) => content)).toEqual(['Again']);
    const path = `/channels/${fixture.discord.channelIds.get('live')}/webhooks` as const;
    expect(await fixture.discord.rest().get(path)).toHaveLength(1);
  });

  test('is edited by its webhook, although the channel has another one of the bot', async () => {
    await using fixture = await openChat();
    const channel = fixture.discord.channelIds.get('live');
    const rest = fixture.discord.rest();
    await fixture.chat.send('live', parts);
    const moved = (await rest.post(`/channels/${channel}/webhooks`, { body: { name: 'Moved' } })) as { id: string; token: string }; // Discord's
    const body = { content: 'Grace is live', username: 'Grace Alerts' };
    const query = new URLSearchParams({ wait: 'true' });
    const sent = (await rest.post(`/webhooks/${moved.id}/${moved.token}`, { body, query, auth: false })) as { id: string }; // Discord's

    await fixture.chat.edit(`${channel}/${sent.id}`, { content: 'Grace was live' });

    expect((await fixture.standing('live')).map(({ content }) => content)).toEqual(['Ada is live', 'Grace was live']);
  });

  test('is sent to a thread by the webhook of its channel', async () => {
    await using fixture = await openChat();
    const { id } = await fixture.chat.thread({ channel: 'live' }, 'Talk');

    const sent = await fixture.chat.send(id, parts);
    const before = await channelReads(fixture);
    await fixture.chat.send(id, parts);
    expect(await channelReads(fixture)).toBe(before);
    await fixture.chat.edit(sent.id, { content: 'edited' });

    expect(await channelReads(fixture)).toBe(before + 1);
    expect((await fixture.discord.messages(id)).map(({ author, content }) => [author, content])).toContainEqual(['Ada Alerts', 'edited']);
  });

  test('with a lost response is found by its name and content, and is not sent twice', async () => {
    await using fixture = await openChat();
    await fixture.chat.send('live', { ...parts, key: 'first', since });
    const [first] = await fixture.standing('live');
    const taken = [`${fixture.discord.channelIds.get('live')}/${first?.id}`];
    fixture.lose('resetAfter');
    await fixture.chat.send('live', { ...parts, key: 'k', since }).catch(() => undefined);
    const [, second] = await fixture.standing('live');

    const found = await fixture.recover(parts, { key: 'k', since, taken });
    const ofAnother = await fixture.recover({ ...parts, sender: { name: 'Grace Alerts' } }, { key: 'l', since, taken });

    expect(found).toMatchObject({ found: { id: expect.stringContaining(`/${second?.id}`) } });
    expect(ofAnother).toBe('absent');
  });

  test('with files of the same name and a lost response is found, with and without the optional ones', async () => {
    await using fixture = await openChat();
    const picture = (text: string) => ({ bytes: Buffer.from(text), name: 'cover.png' });
    const stored = (text: string) => ({ base64: btoa(text), name: 'cover.png' });
    const gone = { url: `${fixture.discord.sandbox.url}/none/cover.png`, optional: true };
    // It makes the webhook.
    await fixture.chat.send('live', { ...parts, key: 'first' });
    fixture.lose('resetAfter');
    await fixture.chat.send('live', { ...parts, files: [picture('one'), picture('two')], key: 'k', since }).catch(() => undefined);
    fixture.lose('resetAfter');
    await fixture.chat.send('live', { ...parts, files: [gone, picture('three')], key: 'l', since }).catch(() => undefined);
    const [, first, second] = await fixture.standing('live');

    const both = await fixture.recover({ ...parts, files: [stored('one'), stored('two')] }, { key: 'k', since });
    const one = await fixture.recover({ ...parts, files: [gone, stored('three')] }, { key: 'l', since, taken: [idOf(fixture, first?.id)] });
    const three = await fixture.recover({ ...parts, files: ['one', 'two', 'three'].map(stored) }, { key: 'm', since });

    expect([both, one]).toMatchObject([first, second].map((sent) => ({ found: { id: idOf(fixture, sent?.id) } })));
    expect(three).toBe('absent');
  });

  test('with a word in the name that Discord refuses is sent with a dot in it, and found after a lost response', async () => {
    await using fixture = await openChat();
    await fixture.chat.send('live', { ...parts, key: 'first', since });
    const refused = { ...parts, sender: { name: `Clyde of DISCORDIA ${'x'.repeat(61)}` } };
    fixture.lose('resetAfter');
    await fixture.chat.send('live', { ...refused, key: 'k', since }).catch(() => undefined);
    const [, sent] = await fixture.standing('live');

    expect(sent?.author).toBe(`Cly·de of DIS·CORDIA ${'x'.repeat(59)}`);
    expect(await fixture.recover(refused, { key: 'k', since })).toMatchObject({ found: { id: expect.stringContaining(`/${sent?.id}`) } });
  });

  test('whose name Discord shows without invisible characters and repeated spaces is found after a lost response', async () => {
    await using fixture = await openChat();
    await fixture.chat.send('live', { ...parts, key: 'first', since });
    const untidy = { ...parts, sender: { name: 'Ada\u200B  \u2060Alerts' } };
    fixture.lose('resetAfter');
    await fixture.chat.send('live', { ...untidy, key: 'k', since }).catch(() => undefined);
    const [first, sent] = await fixture.standing('live');

    const taken = [`${fixture.discord.channelIds.get('live')}/${first?.id}`];
    expect(sent?.author).toBe('Ada Alerts');
    expect(await fixture.recover(untidy, { key: 'k', since, taken })).toMatchObject({
      found: { id: expect.stringContaining(`/${sent?.id}`) },
    });
  });

  test('that never arrived is absent', async () => {
    await using fixture = await openChat();
    fixture.lose('resetBefore');
    await fixture.chat.send('live', { ...parts, key: 'k', since }).catch(() => undefined);

    expect(await fixture.recover(parts, { key: 'k', since })).toBe('absent');
  });

  test.for([{ ...parts, replyTo: '1/2' }])('is refused as a reply', async (refused) => {
    await using fixture = await openChat();

    await expect(fixture.chat.send('live', refused)).rejects.toThrow('sender is neither for direct messages nor for replies');
  });
});

describe('a direct message', () => {
  test('reaches a member, is edited, and its repeat is the same message', async () => {
    await using fixture = await openChat();
    const user = fixture.discord.people[2];

    const sent = await fixture.chat.send({ user }, { content: 'Ada is live', key: 'k', since });
    const repeated = await fixture.chat.send({ user }, { content: 'Ada is live', key: 'k', since });
    await fixture.chat.edit(sent.id, { content: 'Ada was live' });

    expect(repeated).toEqual(sent);
    expect(sent.url).toBe(`https://discord.com/channels/@me/${sent.id}`);
    expect((await directOf(fixture, sent.id)).map(({ content }) => content)).toEqual(['Ada was live']);
  });

  test('with a lost response is found', async () => {
    await using fixture = await openChat();
    const user = fixture.discord.people[2];
    const other = await fixture.chat.send({ user }, { content: 'hello' });
    fixture.lose('resetAfter', 'POST');
    await fixture.chat.send({ user }, { content: 'Ada is live', key: 'k', since }).catch(() => undefined);
    await fixture.chat.send({ user }, { content: 'Ada is live', key: 'k', since });

    const recovery = await fixture.recover({ channel: undefined, user, content: 'Ada is live' }, { key: 'k', since });

    const all = await directOf(fixture, other.id);
    expect(all.map(({ content }) => content)).toEqual(['hello', 'Ada is live']);
    expect(recovery).toMatchObject({ found: { id: expect.stringContaining(`/${all[1]?.id}`) } });
  });

  test('to a user who does not accept it is the fault forbidden', async () => {
    await using fixture = await openChat();
    const bot = (await fixture.discord.rest().get('/users/@me')) as { id: string };

    const sending = fixture.chat.send({ user: bot.id }, { content: 'hello' });

    await expect(sending).rejects.toMatchObject({
      fault: 'forbidden',
      message: expect.stringContaining('does not accept direct messages'),
    });
  });

  test('needs either a channel or a user', async () => {
    await using fixture = await openChat();

    await expect(fixture.chat.send({ user: 'ada' }, { content: 'a', channel: 'live' } as never)).rejects.toThrow(
      'give either channel or user',
    ); // as a caller without types
  });
});
