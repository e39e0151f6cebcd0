import { describe, expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import { hash, type PlannedStep } from '#src/rules/firing.ts';
import type { TestPoll } from '#src/engine/testing/rule-tests.ts';
import { CaseWorld } from '#src/engine/testing/world/case-world.ts';
import { aStep, cardRule, START_MS } from '../../rules/evaluate/fixture.ts';

test('a stream has the instant of its first poll as its start, even in later polls', () => {
  const world = caseWorld();
  const polls = [START_MS, START_MS + 60_000].map((slotMs) => world.pollOf(aPoll({ items: [{ key: 'ada' }] }), slotMs));

  expect(polls).toMatchObject([
    { items: [{ startedAt: '2026-11-20T18:00:00.000Z', fetchedAt: '2026-11-20T18:00:00.000Z' }] },
    { items: [{ startedAt: '2026-11-20T18:00:00.000Z', fetchedAt: '2026-11-20T18:01:00.000Z' }] },
  ]);
});

test('the next broadcast of a channel starts at its first poll', () => {
  const world = caseWorld();
  world.pollOf(aPoll({ items: [{ key: 'ada' }] }), START_MS);

  const next = world.pollOf(aPoll({ items: [{ key: 'ada', id: 'ada-2' }] }), START_MS + 60_000);

  expect(next).toMatchObject({ items: [{ id: 'ada-2', startedAt: '2026-11-20T18:01:00.000Z' }] });
});

test.for([
  { does: 'writes a record', step: { id: 'card', do: 'discord.send' }, gives: { id: 'card-1' } },
  { does: 'writes and has no id', step: { do: 'discord.send' }, gives: { id: 'send-1' } },
  { does: 'writes and has a boolean result', step: { id: 'gone', do: 'social.deletePost' }, gives: true },
  { does: 'reads a record', step: { id: 'who', do: 'streaming.getUser' }, gives: { handle: 'ada', bio: "ada's bio" } },
  { does: 'reads a list', step: { id: 'posts', do: 'social.getPosts' }, gives: { items: [{ text: 'a' }, { text: "posts-2's text" }] } },
  { does: 'reads a list without an answer in the case', step: { id: 'others', do: 'social.getPosts' }, gives: { items: [] } },
])('a step that $does returns the result of the case, completed with sample values', ({ step, gives }) => {
  const world = caseWorld();
  world.apply(aPoll({ answers: { who: { key: 'ada' }, posts: [{ text: 'a' }, {}] } }));

  const result = world.resultOf(planned(step), START_MS);

  expect({ result }).toMatchObject({ result: gives });
});

test('a post has the visibility that its step asks for, unless the case has another one', () => {
  const world = caseWorld();
  world.apply(aPoll({ answers: { other: { visibility: 'public' } } }));
  const visibilityOf = (id: string) =>
    world.resultOf(planned({ id, do: 'social.createPost' }), START_MS, { params: { visibility: 'followers' } });

  expect(['post', 'other'].map(visibilityOf)).toMatchObject([{ visibility: 'followers' }, { visibility: 'public' }]);
});

test('each run of a step returns another record', () => {
  const world = caseWorld();

  const results = [1, 2].map(() => world.resultOf(planned({ id: 'card' }), START_MS));

  expect(results).toMatchObject([{ id: 'card-1' }, { id: 'card-2' }]);
});

describe('the values of a line for a step', () => {
  test('with a reading operation last until another line changes them', () => {
    const world = caseWorld();
    const bios = [{ who: { bio: 'first' } }, {}, { who: { bio: 'second' } }].map((answers) => {
      world.apply(aPoll({ answers }));
      return world.resultOf(planned({ id: 'who', do: 'streaming.getUser' }), START_MS);
    });

    expect(bios).toMatchObject([{ bio: 'first' }, { bio: 'first' }, { bio: 'second' }]);
  });

  test('with a question or a failing target last until the next poll, and a restart does not change them', () => {
    const world = caseWorld();
    const verdict = planned({ id: 'verdict', do: 'discord.ask' });
    const lines = [{ answers: { verdict: { choice: 'send' } }, fail: ['verdict.discord'] }, { restart: true }, {}];

    const results = lines.map((line, index) => {
      world.apply(aPoll(line));
      return { answer: world.answerTo(verdict), refuses: world.refuses({ ...verdict, key: String(index) }) };
    });

    expect(results).toEqual([
      { answer: { choice: 'send' }, refuses: true },
      { answer: { choice: 'send' }, refuses: true },
      { answer: undefined, refuses: false },
    ]);
  });
});

test('a failed step keeps failing', () => {
  const world = caseWorld();
  const refused = [{ fail: ['card.discord'] }, {}].map((line) => {
    world.apply(aPoll(line));
    return world.refuses(planned({ id: 'card' }));
  });

  expect(refused).toEqual([true, true]);
});

test('the result of a question has its id and link only', () => {
  const question = caseWorld().resultOf(planned({ id: 'verdict', do: 'discord.ask' }), START_MS);

  expect(question).toEqual({ platform: 'test', id: 'verdict-1', url: 'https://example.invalid/verdict-1' });
});

test.for([
  { answer: { by: 'mia', text: 'Hello!' }, result: { by: { handle: 'mia' }, text: 'Hello!', choice: 'send' }, errors: [] },
  { answer: { choice: 'drop', by: { handle: 'mia' } }, result: { choice: 'drop', by: { handle: 'mia' } }, errors: [] },
  { answer: { choice: 'sned' }, result: {}, errors: ['line 7: answers.verdict.choice: unknown button "sned"; available: send, drop'] },
  { answer: { choise: 'send' }, result: {}, errors: ['line 7: answers.verdict.choise: unknown field, did you mean choice?'] },
  { answer: 'send', result: {}, errors: ['line 7: answers.verdict must be a map, as { choice: send, by: ada }'] },
])('the answer $answer of a user', ({ answer, result, errors }) => {
  const reported: string[] = [];
  const world = new CaseWorld({ rule: cardRule(), catalogue, reportError: (error) => reported.push(error) });
  world.apply(aPoll({ line: 7, answers: { verdict: answer } }));

  const answered = world.answerTo(planned({ id: 'verdict', do: 'discord.ask', with: { choices: ['send', 'drop'] } }));

  expect(answered).toMatchObject(result);
  expect(reported).toEqual(errors);
});

test('an item belongs to the first of several accounts by default', () => {
  const rule = cardRule({
    names: { watch: 'streaming.getStreams', byAccount: true, steps: {} },
    watched: { accounts: ['twitch', 'kick'] },
  });
  const world = new CaseWorld({ rule, catalogue, reportError: (error) => expect.unreachable(error) });

  const poll = world.pollOf(aPoll({ items: [{ key: 'ada' }, { key: 'ada', account: 'kick' }] }), START_MS);

  expect(poll).toMatchObject({ items: [{ account: 'twitch' }, { account: 'kick' }] });
});

describe('a poll of the most watched streams', () => {
  const few = { key: 'ada', viewerCount: 10 };
  const many = { key: 'grace', viewerCount: 20 };
  const fault =
    'line 5: items[1] has a greater viewerCount than items[0]: streaming.getGameStreams lists the greatest viewerCount first, so write it before items[0]';

  test.for([
    { does: 'reports an order that no platform has', items: [few, many], errors: [fault] },
    { does: 'takes the order of the platform', items: [many, few, few] },
    { does: 'compares only the numbers that are written', items: [few, { key: 'linus' }] },
    { does: 'compares the items of each account', items: [few, { ...many, account: 'kick' }] },
    { does: 'takes any order with another sort', items: [few, many], sort: 'STARTED_AT' },
    { does: 'takes any order of a list without ranks', items: [few, many], verb: 'streaming.getStreams' },
  ])('$does', ({ items, sort, verb = 'streaming.getGameStreams', errors = [] }) => {
    const reported: string[] = [];
    const watched = { verb, accounts: ['twitch', 'kick'], with: { game: 'Chess', ...(sort !== undefined && { sort }) } };
    const rule = cardRule({ names: { watch: verb, byAccount: true, steps: {} }, watched });
    const world = new CaseWorld({ rule, catalogue, reportError: (error) => reported.push(error) });

    const poll = world.pollOf(aPoll({ line: 5, items }), START_MS);

    expect(reported).toEqual(errors);
    expect(poll).toMatchObject({ items: items.map(({ key }) => ({ owner: { handle: key } })) });
  });
});

function caseWorld(): CaseWorld {
  return new CaseWorld({
    rule: cardRule(),
    catalogue,
    reportError: (error) => {
      throw new Error(error);
    },
  });
}

function aPoll(poll: Partial<TestPoll>): TestPoll {
  return { atMs: 0, line: 1, restart: false, answers: {}, fail: [], ...poll };
}

function planned(step: Parameters<typeof aStep>[0]): PlannedStep {
  return { key: hash('a step'), index: 0, account: 'discord', step: aStep(step) };
}
