import { expect, test } from 'vitest';
import { Postponed } from '#src/errors.ts';
import { openChat, type ChatFixture } from './open-chat.ts';

const MINUTE_MS = 60_000;

async function nameOf(fixture: ChatFixture, id: string): Promise<string> {
  const { name } = (await fixture.discord.rest().get(`/channels/${id}`)) as { name: string }; // as Discord documents it
  return name;
}

test('a channel is renamed twice in ten minutes, and of the waiting names only the last one is sent', async () => {
  await using fixture = await openChat();
  const id = fixture.discord.channelIds.get('live') ?? '';
  const rename = (name: string, key: string) => fixture.chat.editChannel(id, name, { key });

  await rename('1 live', 'a');
  await rename('2 live', 'b');
  const third = await rename('3 live', 'c').catch((error: unknown) => error);
  const fourth = await rename('4 live', 'd').catch((error: unknown) => error);
  await fixture.clock.advance(10 * MINUTE_MS);
  await rename('3 live', 'c');
  const between = await nameOf(fixture, id);
  await rename('4 live', 'd');

  expect([third, fourth]).toEqual([expect.any(Postponed), expect.any(Postponed)]);
  expect([between, await nameOf(fixture, id)]).toEqual(['2-live', '4-live']);
});

test('an equal name is not sent', async () => {
  await using fixture = await openChat();
  const id = fixture.discord.channelIds.get('live') ?? '';

  for (const key of ['a', 'b', 'c', 'd']) await fixture.chat.editChannel(id, 'Live', { key });

  expect(await nameOf(fixture, id)).toBe('live');
});

test('a thread is renamed and archived', async () => {
  await using fixture = await openChat();
  const { id } = await fixture.chat.thread({ channel: 'live' }, 'Talk');

  const changed = await fixture.chat.editThread(id, { name: 'It was', archived: true });

  expect(changed).toMatchObject({ id, name: 'It was' });
  expect(await fixture.discord.rest().get(`/channels/${id}`)).toMatchObject({ thread_metadata: { archived: true } });
});

test.for([
  [{ archived: true }, 'Talk'],
  [{ name: 'It was', archived: true }, 'It was'],
  [{ name: 'It was' }, 'It was'],
] as const)('a thread that is archived already stays archived with %o', async ([change, name]) => {
  await using fixture = await openChat();
  const { id } = await fixture.chat.thread({ channel: 'live' }, 'Talk');
  await fixture.discord.order('/discord/thread-states', { thread: id, archived: true });

  const changed = await fixture.chat.editThread(id, change);

  expect(changed).toMatchObject({ id, name });
  expect(await fixture.discord.rest().get(`/channels/${id}`)).toMatchObject({ thread_metadata: { archived: true } });
});

test('an archived thread is opened by `archived: false`', async () => {
  await using fixture = await openChat();
  const { id } = await fixture.chat.thread({ channel: 'live' }, 'Talk');
  await fixture.discord.order('/discord/thread-states', { thread: id, archived: true });

  await fixture.chat.editThread(id, { archived: false });

  expect(await fixture.discord.rest().get(`/channels/${id}`)).toMatchObject({ thread_metadata: { archived: false } });
});

test('a standing message with `last` moves to the bottom when it changes', async () => {
  await using fixture = await openChat();
  const keep = (content: string) => fixture.chat.put('menu', 'live', { content, last: true });
  const first = await keep('one');
  await fixture.chat.send('live', { content: 'something else' });

  const same = await keep('one');
  const moved = await keep('two');
  const edited = await keep('three');

  expect([same.id === first.id, moved.id === first.id, edited.id === moved.id]).toEqual([true, false, true]);
  expect((await fixture.standing('live')).map(({ content }) => content)).toEqual(['something else', 'three']);
});
