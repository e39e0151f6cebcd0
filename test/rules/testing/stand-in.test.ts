import { expect, test } from 'vitest';
import { catalogue } from '#src/app/catalogue.ts';
import { hash, type PlannedStep } from '#src/rules/firing.ts';
import type { TestPoll } from '#src/rules/testing/rule-tests.ts';
import { StandIn } from '#src/rules/testing/world/stand-in.ts';
import { aStep, cardRule, START_MS } from '../episodes/fixture.ts';

test('a stream began when it was there first, whenever it is read', () => {
  const world = standIn();
  const polls = [START_MS, START_MS + 60_000].map((slotMs) => world.pollOf(aPoll({ items: [{ key: 'ada' }] }), slotMs));

  expect(polls).toMatchObject([
    { items: [{ startedAt: '2026-11-20T18:00:00.000Z', fetchedAt: '2026-11-20T18:00:00.000Z' }] },
    { items: [{ startedAt: '2026-11-20T18:00:00.000Z', fetchedAt: '2026-11-20T18:01:00.000Z' }] },
  ]);
});

test('and its next broadcast when that was', () => {
  const world = standIn();
  world.pollOf(aPoll({ items: [{ key: 'ada' }] }), START_MS);

  const next = world.pollOf(aPoll({ items: [{ key: 'ada', id: 'ada-2' }] }), START_MS + 60_000);

  expect(next).toMatchObject({ items: [{ id: 'ada-2', startedAt: '2026-11-20T18:01:00.000Z' }] });
});

test.for([
  { does: 'writes a record', step: { id: 'card', do: 'discord.send' }, gives: { id: 'card-1' } },
  { does: 'writes and has no name', step: { do: 'discord.send' }, gives: { id: 'send-1' } },
  { does: 'writes and is told how it went', step: { id: 'gone', do: 'social.deletePost' }, gives: true },
  { does: 'reads a record', step: { id: 'who', do: 'streaming.getUser' }, gives: { handle: 'ada', bio: "ada's bio" } },
  { does: 'reads a list', step: { id: 'posts', do: 'social.getPosts' }, gives: { items: [{ text: 'a' }, { text: "posts-2's text" }] } },
  { does: 'reads a list that nobody answers', step: { id: 'others', do: 'social.getPosts' }, gives: { items: [] } },
])('a step that $does gives what was answered and what can be made up', ({ step, gives }) => {
  const poll = aPoll({ answers: { who: { key: 'ada' }, posts: [{ text: 'a' }, {}] } });

  const result = standIn().resultOf(planned(step), poll, START_MS);

  expect({ result }).toMatchObject({ result: gives });
});

test('each time a step is done it gives another record', () => {
  const world = standIn();

  const results = [1, 2].map(() => world.resultOf(planned({ id: 'card' }), aPoll({}), START_MS));

  expect(results).toMatchObject([{ id: 'card-1' }, { id: 'card-2' }]);
});

function standIn(): StandIn {
  return new StandIn({
    rule: cardRule(),
    catalogue,
    complain: (complaint) => {
      throw new Error(complaint);
    },
  });
}

function aPoll(poll: Partial<TestPoll>): TestPoll {
  return { atMs: 0, line: 1, restart: false, answers: {}, fail: [], ...poll };
}

function planned(step: Parameters<typeof aStep>[0]): PlannedStep {
  return { key: hash('a step'), index: 0, account: 'discord', step: aStep(step) };
}
