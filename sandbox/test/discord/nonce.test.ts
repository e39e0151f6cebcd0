import { describe, expect, test } from 'vitest';
import { channelOf, startDiscordSandbox } from '../../../test/support/discord-sandbox.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';

const keyed = { nonce: 'step-1', enforceNonce: true };

describe('a repeat with the same nonce', () => {
  test('returns the existing message and sends none', async () => {
    await using discord = await startDiscordSandbox();
    const client = await discord.login();

    const first = await channelOf(client, 'live').send({ content: 'once', ...keyed });
    const repeat = await channelOf(client, 'live').send({ content: 'once more', ...keyed });

    expect(repeat.id).toBe(first.id);
    expect(repeat.content).toBe('once');
    expect(await discord.messages()).toMatchObject([{ content: 'once', nonce: 'step-1', history: [] }]);
  });

  test('returns "unknown message" if the message was deleted', async () => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');
    await (await live.send({ content: 'once', ...keyed })).delete();

    const repeat = live.send({ content: 'once', ...keyed });

    await expect(repeat).rejects.toMatchObject({ code: 10_008 });
    expect(await discord.messages()).toHaveLength(1);
  });

  test('sends another message after five minutes', async () => {
    const clock = new ManualClock();
    await using discord = await startDiscordSandbox({ clock });
    const live = channelOf(await discord.login(), 'live');
    const first = await live.send({ content: 'once', ...keyed });

    await clock.advance(299_000);
    const soon = await live.send({ content: 'once', ...keyed });
    await clock.advance(1000);
    const late = await live.send({ content: 'once', ...keyed });

    expect(soon.id).toBe(first.id);
    expect(late.id).not.toBe(first.id);
  });

  test.for([
    ['does not set enforce_nonce', { nonce: 'step-1' }],
    ['has another nonce', { nonce: 'step-2', enforceNonce: true }],
  ] as const)('sends another message if it %s', async ([, repeat]) => {
    await using discord = await startDiscordSandbox();
    const live = channelOf(await discord.login(), 'live');
    const first = await live.send({ content: 'once', ...keyed });

    const second = await live.send({ content: 'once', ...repeat });

    expect(second.id).not.toBe(first.id);
  });
});

test('reads do not contain the nonce', async () => {
  await using discord = await startDiscordSandbox();
  const live = channelOf(await discord.login(), 'live');
  const { id } = await live.send({ content: 'once', ...keyed });

  const read = await (await discord.request('GET', `/channels/${live.id}/messages/${id}`)).json();

  expect(read).toMatchObject({ id, content: 'once' });
  expect(read).not.toHaveProperty('nonce');
});

test('concurrent repeats create one message', async () => {
  await using discord = await startDiscordSandbox();
  const path = `/channels/${discord.channelIds.get('live')}/messages`;

  const repeats = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const answer = await discord.request('POST', path, { content: `${index}`, nonce: 'step-1', enforce_nonce: true });
      return ((await answer.json()) as { id: string }).id; // a message, as documented
    }),
  );

  expect(new Set(repeats).size).toBe(1);
  expect(await discord.messages()).toHaveLength(1);
});
