import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test, type TestContext } from 'vitest';
import { discord } from '#adapters/discord/index.ts';
import { Chat, type MemberStateKind } from '#src/clients/chat/chat.ts';
import { systemClock } from '#src/clock.ts';
import { memoryShardTable } from '#src/discord/gateway/shard-leases.ts';
import { memoryHandledEvents } from '#src/discord/handled-events.ts';
import { startDiscord, type StartDiscordOptions } from '#src/discord/start.ts';
import { openStore } from '#src/store/store.ts';
import { startDiscordSandbox } from '../support/discord-sandbox.ts';
import { startOptions } from './start-options.ts';

/** A bot whose rules read these states, and a client of the same store. */
async function openStates(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  {
    kinds = ['presence', 'voice'],
    disallow = [],
  }: { readonly kinds?: readonly MemberStateKind[]; readonly disallow?: readonly string[] } = {},
) {
  await using stack = new AsyncDisposableStack();
  const running = stack.use(await startDiscordSandbox());
  const store = stack.use(await openStore({ clock: systemClock }));
  if (disallow.length > 0) await running.order('/discord/gateway', { do: 'disallow', intents: disallow });
  const wanted = new Set(kinds);
  const start = async (shared: Pick<StartDiscordOptions, 'shards' | 'handled'> = {}) => {
    const bot = await startDiscord({
      ...startOptions(running, []),
      ...shared,
      memberStates: { states: store.memberStates, asked: async () => ({ has: (_, kind) => wanted.has(kind), kinds: new Set(wanted) }) },
      signal: new AbortController().signal,
    });
    await bot.ready;
    return bot;
  };
  const { token, guildId, sandbox, people } = running;
  const chat = new Chat({
    platform: discord({
      token,
      guildId,
      apiUrl: sandbox.environment['DISCORD_API_URL'],
      memberStates: store.memberStates,
      clock: systemClock,
    }),
  });
  const open = stack.move();
  onTestFinished(() => open.disposeAsync());
  return {
    running,
    store,
    wanted,
    people,
    guildId,
    start,
    chat,
    set: (user: string, state: object) => running.order('/discord/member-states', { user, ...state }),
    online: async () => (await chat.getMembers({ status: ['online', 'idle', 'dnd'] })).items.map(({ handle, status }) => [handle, status]),
    streaming: async () => (await chat.getVoiceMembers({ streaming: true })).items.map(({ handle, channel }) => [handle, channel.name]),
  };
}

// Each has its own Discord, and waits seconds until it may identify again.
describe.concurrent('the states of members', () => {
  test('the status of members and their voice channels follow the events of Discord', async ({ expect, onTestFinished }) => {
    const { start, set, online, streaming, people, chat } = await openStates({ onTestFinished });
    const [owner, moderator, member] = people;
    await set(owner, { status: 'online' });
    await using _bot = await start();
    await expect.poll(online).toEqual([[owner, 'online']]);
    await expect.poll(streaming).toEqual([]);

    await set(moderator, { status: 'idle' });
    await set(member, { voice: { channel: 'general', streaming: true } });
    await set(owner, { voice: { channel: 'general' } });

    await expect.poll(online).toEqual([
      [owner, 'online'],
      [moderator, 'idle'],
    ]);
    await expect.poll(streaming).toEqual([[member, 'general']]);
    // Each write of the bot has the events until then.
    await expect.poll(async () => (await chat.getVoiceMembers()).items).toHaveLength(2);
    expect((await chat.getMembers({ role: 'Moderator', status: 'idle' })).items.map(({ handle }) => handle)).toEqual([moderator]);
    expect((await chat.getMembers({ status: 'offline' })).items.map(({ handle }) => handle)).not.toContain(owner);

    await set(member, { voice: null });
    await set(moderator, { status: 'offline' });
    await expect.poll(streaming).toEqual([]);
    await expect.poll(online).toEqual([[owner, 'online']]);
  });

  test('a look-up rejects until the states of all members are known', async ({ expect, onTestFinished }) => {
    const { start, set, online, streaming, people, running } = await openStates({ onTestFinished });
    await expect(online()).rejects.toMatchObject({ fault: 'unavailable', message: expect.stringContaining('Presence Intent') });
    await expect(streaming()).rejects.toMatchObject({ fault: 'unavailable' });
    const bot = await start();
    await set(people[0], { status: 'dnd' });
    await expect.poll(online).toEqual([[people[0], 'dnd']]);

    await running.order('/discord/gateway', { do: 'drop' });
    await expect.poll(online).toEqual([[people[0], 'dnd']]);

    await running.order('/discord/gateway', { do: 'invalidSession' });
    await expect.poll(online).toEqual([[people[0], 'dnd']]);

    // discord.js can no longer identify, so the connection stays lost.
    await running.order('/discord/gateway', { do: 'refuse', code: 4000 });
    await running.order('/discord/gateway', { do: 'invalidSession' });
    await expect.poll(() => online().catch(({ fault }: { fault: string }) => fault)).toBe('unavailable');
    await bot[Symbol.asyncDispose]();
    await expect.poll(() => online().catch(() => 'unknown')).toBe('unknown');
  });

  test('without the Presence Intent, the bot connects, and only the status is unknown', async ({ expect, onTestFinished }) => {
    const { start, set, online, streaming, people } = await openStates({ onTestFinished }, { disallow: ['GuildPresences'] });
    await using _bot = await start();
    await set(people[2], { voice: { channel: 'general', streaming: true } });

    await expect.poll(() => streaming().catch(() => [])).toEqual([[people[2], 'general']]);

    await expect(online()).rejects.toMatchObject({ fault: 'unavailable' });
  });

  test('stay known while a shard moves to another process, and the first one ends', async ({ expect, onTestFinished }) => {
    const { start, set, streaming, people } = await openStates({ onTestFinished }, { kinds: ['voice'] });
    const [table, handled] = [memoryShardTable(), memoryHandledEvents(systemClock)];
    const first = await start({ shards: { table, gateway: 'a' }, handled });
    await set(people[0], { voice: { channel: 'general', streaming: true } });
    await expect.poll(() => streaming().catch(() => [])).toEqual([[people[0], 'general']]);
    const next = start({ shards: { table, gateway: 'b' }, handled });
    const failures: unknown[] = [];
    const life = new AbortController();
    const watching = (async () => {
      for (; !life.signal.aborted; await sleep(100)) await streaming().catch((error: unknown) => failures.push(error));
    })();

    await first.handOver();
    await using _next = await next;
    await first[Symbol.asyncDispose]();
    await sleep(3_000);

    life.abort();
    await watching;
    expect(failures).toEqual([]);
    expect(await streaming()).toEqual([[people[0], 'general']]);
  });

  test('states that nothing reads are deleted', async ({ expect, onTestFinished }) => {
    const { start, set, online, people, store, guildId, wanted } = await openStates({ onTestFinished });
    await using _bot = await start();
    await set(people[0], { status: 'online' });
    await expect.poll(online).toHaveLength(1);

    wanted.delete('presence');

    await expect.poll(() => store.memberStates.find(guildId, 'presence')).toBeUndefined();
    await expect.poll(() => store.memberStates.find(guildId, 'voice')).toEqual({});
  });
});
