import { expect, test } from 'vitest';
import { runCases } from './cases.ts';

const RULE = `
id: team
when: { every: 1m, people: team }
then: [{ id: card, do: discord.send, with: { channel: "\${{ item.person.channel }}", content: "\${{ item.person.id }}" } }]
finally: [{ do: discord.edit, with: { message: "\${{ steps.card.id }}", content: over } }]
`;

/** The results of a case with lists. */
async function results(body: string): Promise<readonly string[]> {
  return (await runCases(RULE, body)).map((text) => text.split('\n')[0]?.split(' ')[0] ?? '');
}

test('a test names lists, which a poll can replace, even after a restart', async () => {
  const body = `
      lists: { team: { ada: { channel: live } } }
      polls:
        - { at: 0m, items: [] }
        - { at: 1m, items: [{ account: twitch, owner: { handle: ada } }] }
        - { at: 2m, restart: true }
        - { at: 3m, lists: { team: [{ id: grace, server: "1", channel: other }] }, items: [{ account: twitch, owner: { handle: ada } }, { account: twitch, owner: { handle: grace } }] }
        - { at: 4m, items: [] }
        - { at: 5m, items: [] }
        - { at: 6m, items: [{ account: twitch, id: next, owner: { handle: grace } }] }
      expect:
        - { at: 1m, do: discord.send, with: { channel: live, content: ada } }
        - { at: 3m, do: discord.edit, with: { content: over } }
        - { at: 6m, do: discord.send, with: { channel: other, content: grace } }`;

  expect(await results(body)).toEqual(['✓']);
});

test('without lists, no one is watched', async () => {
  const body = `
      polls: [{ at: 0m, items: [] }, { at: 1m, items: [{ account: twitch, owner: { handle: ada } }] }]`;

  expect(await results(body)).toEqual(['✓']);
});

test('a rule reads the entries of a test in the order of their ids, as in an installation', async () => {
  const rule = `
id: week
when: { every: 1m }
then: [{ do: discord.send, with: { channel: live, content: "\${{ lists.days.map(d, d.id).join(' ') }}" } }]
`;
  const body = `
      polls:
        - { at: 0m, lists: { days: { tuesday: {}, friday: {}, "9": {}, "10": {} } } }
        - { at: 1m, lists: { days: [{ id: friday, server: "2" }, { id: tuesday, server: "1" }, { id: monday, server: "1" }, { id: sunday }] } }
      expect:
        - { at: 0m, do: discord.send, with: { content: 10 9 friday tuesday } }
        - { at: 1m, do: discord.send, with: { content: sunday monday tuesday friday } }`;

  expect(await runCases(rule, body)).toEqual([expect.stringMatching(/^✓/)]);
});
