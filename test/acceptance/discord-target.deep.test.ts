import { describe, expect, test } from 'vitest';
import { install, type Installation } from './installation.ts';

const START = '2026-11-20T18:00:05Z';
const USERS = ['ada', 'grace', 'linus', 'margaret'] as const;
const MINUTE = 60;

/** One card for each stream, edited at every poll. */
const cards = (users: readonly string[] = USERS): string => `
id: cards
when: { every: 1m, watch: streaming.getStreams, with: { users: [${users.join(', ')}] }, grace: 2m }
then:
  - { id: card, do: discord.send, with: { channel: live, embed: { title: "\${{ item.owner.handle }}", description: "0 polls" } } }
while:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", embed: { description: "\${{ string(episode.polls) }} polls" } } }
finally:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", embed: { description: over } } }
`;

async function opened(users: readonly string[], rules: readonly string[] = [cards(users)]): Promise<Installation> {
  const fanfare = await install({ rules, at: START });
  for (const user of users) fanfare.order({ do: 'end', user });
  await fanfare.pass(3 * MINUTE, MINUTE);
  for (const user of users) fanfare.order({ do: 'goLive', user, game: 'Chess' });
  await fanfare.pass(MINUTE, MINUTE);
  return fanfare;
}

async function statesOf({ store }: Installation): Promise<ReadonlyMap<string, number>> {
  const { items } = await store.deliveryLog.list({ limit: 5_000, idle: true });
  return new Map([...Map.groupBy(items, ({ state }) => state)].map(([state, some]) => [state, some.length]));
}

/** The current texts of the cards in #live. */
async function messageTexts(fanfare: Installation): Promise<Readonly<Record<string, string | undefined>>> {
  const messages = await fanfare.messages('live');
  return Object.fromEntries(messages.map(({ embeds: [card] }) => [card?.title ?? '', card?.description]));
}

/** The sandbox allows three edits of old messages in twenty seconds for each channel, so four cards exceed the limit. */
describe('live cards over hours', () => {
  // The timeout only detects a hang. The test simulates two hours and twenty minutes.
  test('are edited less often, show their final text, and cause no failure', async () => {
    await using fanfare = await opened(USERS);

    await fanfare.pass(2 * 60 * MINUTE, MINUTE);
    const before = await messageTexts(fanfare);
    const refused = await fanfare.requests('discord', 'PATCH', '/messages');
    for (const user of USERS) fanfare.order({ do: 'end', user });
    await fanfare.pass(20 * MINUTE, MINUTE);

    const states = await statesOf(fanfare);
    expect(Object.keys(before).toSorted()).toEqual([...USERS].toSorted());
    for (const text of Object.values(before)) expect(Number.parseInt(text ?? '', 10)).toBeGreaterThan(115);
    expect(await messageTexts(fanfare)).toEqual(Object.fromEntries(USERS.map((user) => [user, 'over'])));
    expect(states.get('failed') ?? 0).toBe(0);
    expect(states.get('pending') ?? 0).toBe(0);
    expect(fanfare.lines.filter((line) => / (warn|error) /.test(line))).toEqual([]);
    // One edit per minute and card would be 480 edits.
    expect(refused).toBeLessThan(440);
  });
});

describe('a card that a moderator deleted', () => {
  test('is reported once and not edited again, and the next stream has a new card', async () => {
    await using fanfare = await opened(['ada']);
    const [card] = await fanfare.messages('live');
    await fanfare.control('/discord/removals', { message: card?.id });

    await fanfare.pass(10 * MINUTE, MINUTE);
    fanfare.order({ do: 'end', user: 'ada' });
    await fanfare.pass(10 * MINUTE, MINUTE);
    fanfare.order({ do: 'goLive', user: 'ada', game: 'Chess' });
    await fanfare.pass(3 * MINUTE, MINUTE);

    expect(fanfare.lines.filter((line) => / error /.test(line))).toEqual([expect.stringMatching(/The message was deleted/)]);
    expect((await fanfare.messages('live')).map(({ embeds: [one] }) => one?.description)).toEqual([
      '0 polls',
      expect.stringMatching(/^[2-4] polls$/),
    ]);
  });
});

describe('a revoked permission', () => {
  const RULE = `
id: says
when: { every: 1m }
then: [{ do: discord.send, with: { channel: live, embed: { title: "It is \${{ now }}" } } }]
`;

  test('drops messages with the name of the permission, and the rule continues after it is granted again', async () => {
    await using fanfare = await install({ rules: [RULE], at: START });
    await fanfare.pass(2 * MINUTE, MINUTE);
    await fanfare.control('/discord/permissions', { channel: 'live', deny: ['EmbedLinks'] });
    await fanfare.pass(2 * MINUTE, MINUTE);
    const between = await fanfare.messages('live');
    await fanfare.control('/discord/permissions', { channel: 'live' });
    await fanfare.pass(2 * MINUTE, MINUTE);

    expect(between).toHaveLength(2);
    expect(await fanfare.messages('live')).toHaveLength(4);
    expect(fanfare.lines.filter((line) => / error /.test(line))).toHaveLength(2);
    expect(fanfare.lines.join('\n')).toContain(
      'Fanfare does not have the permission Embed Links in #live: the channel denies it to its role \\"Fanfare bot\\"',
    );
  });
});

describe('a question of a rule that was deleted', () => {
  const RULE = `
id: asks
when: { every: 1m }
fuse: { firings: 1, per: 1h }
then: [{ do: discord.ask, maxAge: 12h, with: { channel: live, content: Shall it?, choices: [yes, no] } }]
`;

  test('is closed when its file was gone for a minute', async () => {
    await using fanfare = await install({ rules: [RULE], at: START });
    await fanfare.pass(MINUTE, MINUTE);
    const question = async () =>
      (await fanfare.store.deliveryLog.list({ idle: true })).items.find((one) => one.do === 'discord.ask' && one.result);
    expect((await question())?.state).toBe('asked');
    const removedMs = fanfare.clock.nowMs();

    fanfare.remove('asks');
    await fanfare.reload();
    await fanfare.during(
      (async () => {
        while ((await question())?.state === 'asked' && fanfare.clock.nowMs() < removedMs + 80_000) await new Promise(setImmediate);
      })(),
    );

    expect(await question()).toMatchObject({ state: 'sent', message: 'the rule was deleted' });
    const goneMs = fanfare.clock.nowMs() - removedMs;
    expect(goneMs).toBeGreaterThanOrEqual(60_000);
    expect(goneMs).toBeLessThan(65_000);
  });
});
