import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { openChat, type ChatGround } from './open-chat.ts';

const since = new Date('2026-11-20T18:00:00Z');
const sender = { name: 'Ada Alerts', avatar: 'https://pictures.example/ada.png' };
const parts = { content: 'Ada is live', sender };

/** How often a single channel was read. */
async function channelReads({ discord }: ChatGround): Promise<number> {
  const response = await fetch(`${discord.sandbox.url}/control/requests`);
  const { items } = (await response.json()) as { items: readonly { method: string; route: string; count: number }[] }; // as the sandbox says it
  return items
    .filter(({ method, route }) => method === 'GET' && route.endsWith('/channels/:channel'))
    .reduce((sum, { count }) => sum + count, 0);
}

async function directOf(ground: ChatGround, id: string) {
  return (await ground.discord.messages(id.split('/')[0])).filter(({ deletedAt }) => deletedAt === undefined);
}

describe('a message under another name', () => {
  test('is sent, edited and deleted by one webhook of the channel', async () => {
    await using ground = await openChat();

    const sent = await ground.chat.send('live', parts);
    await ground.chat.send('live', { ...parts, content: 'Again' });
    await ground.chat.edit(sent.id, { content: 'Ada was live' });
    const [edited, other] = await ground.standing('live');
    await ground.chat.delete(sent.id);

    expect([edited?.author, edited?.content, other?.author]).toEqual(['Ada Alerts', 'Ada was live', 'Ada Alerts']);
    expect((await ground.standing('live')).map(({ content }) => content)).toEqual(['Again']);
    const path = `/channels/${ground.discord.channelIds.get('live')}/webhooks` as const;
    expect(await ground.discord.rest().get(path)).toHaveLength(1);
  });

  test('is sent to a thread by the webhook of its channel', async () => {
    await using ground = await openChat();
    const { id } = await ground.chat.thread({ channel: 'live' }, 'Talk');

    const sent = await ground.chat.send(id, parts);
    const before = await channelReads(ground);
    await ground.chat.send(id, parts);
    expect(await channelReads(ground)).toBe(before);
    await ground.chat.edit(sent.id, { content: 'edited' });

    expect(await channelReads(ground)).toBe(before + 1);
    expect((await ground.discord.messages(id)).map(({ author, content }) => [author, content])).toContainEqual(['Ada Alerts', 'edited']);
  });

  test('with a lost response is found by its name and content, and is not sent twice', async () => {
    await using ground = await openChat();
    await ground.chat.send('live', { ...parts, key: 'first', since });
    const [first] = await ground.standing('live');
    const taken = [`${ground.discord.channelIds.get('live')}/${first?.id}`];
    ground.lose('resetAfter');
    await ground.chat.send('live', { ...parts, key: 'k', since }).catch(() => undefined);
    const [, second] = await ground.standing('live');

    const found = await ground.recover(parts, { key: 'k', since, taken });
    const ofAnother = await ground.recover({ ...parts, sender: { name: 'Grace Alerts' } }, { key: 'l', since, taken });

    expect(found).toMatchObject({ found: { id: expect.stringContaining(`/${second?.id}`) } });
    expect(ofAnother).toBe('absent');
  });

  test('that never arrived is absent', async () => {
    await using ground = await openChat();
    ground.lose('resetBefore');
    await ground.chat.send('live', { ...parts, key: 'k', since }).catch(() => undefined);

    expect(await ground.recover(parts, { key: 'k', since })).toBe('absent');
  });

  test.for([{ ...parts, replyTo: '1/2' }])('is refused as a reply', async (refused) => {
    await using ground = await openChat();

    await expect(ground.chat.send('live', refused)).rejects.toThrow('sender is neither for direct messages nor for replies');
  });
});

describe('a direct message', () => {
  test('reaches a member, is edited, and its repeat is the same message', async () => {
    await using ground = await openChat();
    const user = ground.discord.people[2];

    const sent = await ground.chat.send({ user }, { content: 'Ada is live', key: 'k', since });
    const repeated = await ground.chat.send({ user }, { content: 'Ada is live', key: 'k', since });
    await ground.chat.edit(sent.id, { content: 'Ada was live' });

    expect(repeated).toEqual(sent);
    expect(sent.url).toBe(`https://discord.com/channels/@me/${sent.id}`);
    expect((await directOf(ground, sent.id)).map(({ content }) => content)).toEqual(['Ada was live']);
  });

  test('with a lost response is found', async () => {
    await using ground = await openChat();
    const user = ground.discord.people[2];
    const other = await ground.chat.send({ user }, { content: 'hello' });
    ground.lose('resetAfter', 'POST');
    await ground.chat.send({ user }, { content: 'Ada is live', key: 'k', since }).catch(() => undefined);
    await ground.chat.send({ user }, { content: 'Ada is live', key: 'k', since });

    const recovery = await ground.recover({ channel: undefined, user, content: 'Ada is live' }, { key: 'k', since });

    const all = await directOf(ground, other.id);
    expect(all.map(({ content }) => content)).toEqual(['hello', 'Ada is live']);
    expect(recovery).toMatchObject({ found: { id: expect.stringContaining(`/${all[1]?.id}`) } });
  });

  test('to a user who does not accept it is the fault forbidden', async () => {
    await using ground = await openChat();
    const bot = (await ground.discord.rest().get('/users/@me')) as { id: string };

    const sending = ground.chat.send({ user: bot.id }, { content: 'hello' });

    await expect(sending).rejects.toMatchObject({
      fault: 'forbidden',
      message: expect.stringContaining('does not accept direct messages'),
    });
  });

  test('needs either a channel or a user', async () => {
    await using ground = await openChat();

    await expect(ground.chat.send({ user: 'ada' }, { content: 'a', channel: 'live' } as never)).rejects.toThrow(
      'give either channel or user',
    ); // as a caller without types
  });
});
