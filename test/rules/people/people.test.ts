import { describe, expect, test } from 'vitest';
import { check } from '../../support/rule-language.ts';
import { ACCOUNTS, entry, listsOf, peopleRule, PeopleStage } from './people-stage.ts';
import { bindLists } from '#src/rules/people/bind-lists.ts';

/** A stage after a first poll in which no one is live. */
async function stageOf(entries: PeopleStage['entries'], rule = peopleRule()): Promise<PeopleStage> {
  const stage = new PeopleStage(rule);
  stage.entries = entries;
  await stage.poll();
  return stage;
}

describe('a rule with people', () => {
  test('polls the accounts of each entry, and announces one item for each', async () => {
    const stage = await stageOf([
      entry('ada', { kick: 'ada_k' }),
      entry('grace', { userIds: { kick: '7' } }),
      entry('linus', { kick: 'linus' }),
    ]);
    stage.live = { twitch: { ada: 1 }, kick: { ada_k: 1, linus: 1 } };

    expect((await stage.poll()).lines).toEqual(['then ada twitch kick', 'then linus kick']);
    expect(stage.requests.slice(0, 2)).toEqual([
      ['twitch', ['ada']],
      ['kick', ['ada_k', '7', 'linus']],
    ]);
  });

  test('follows the same channel for several servers with one request', async () => {
    const stage = await stageOf([entry('1/ada'), entry('2/ada', { channel: '22' }), entry('ada')]);
    stage.requests.length = 0;
    stage.live = { twitch: { ada: 1 } };

    expect((await stage.poll()).lines).toEqual(['then 1/ada twitch', 'then 2/ada twitch', 'then ada twitch']);
    expect(stage.requests).toEqual([['twitch', ['ada']]]);
  });

  test('sends no request if the list is empty, and none to a platform that no entry names', async () => {
    const stage = await stageOf([]);
    expect(stage.requests).toEqual([]);
    stage.entries = [entry('ada')];
    await stage.poll();
    expect(stage.requests).toEqual([['twitch', ['ada']]]);
  });

  test('is one episode while one of the accounts is live', async () => {
    const stage = await stageOf([entry('ada', { kick: 'ada', twitch: 'ada' })]);
    stage.live = { twitch: { ada: 1 } };
    const first = await stage.poll();
    stage.live = { twitch: { ada: 1 }, kick: { ada: 1 } };
    const second = await stage.poll();
    stage.live = { kick: { ada: 1 } };
    const third = await stage.poll();
    stage.live = {};

    expect([first.lines, second.lines, third.lines, ...(await stage.polls(2))]).toEqual([
      ['then ada twitch'],
      ['while ada twitch kick'],
      ['while ada kick'],
      [],
      ['finally ada kick'],
    ]);
  });

  test('needs streams, and sets their users and key', () => {
    const source =
      'id: x\nwhen: { every: 1m, people: team, watch: streaming.getTopStreams, with: { users: [ada] }, key: item.id }\nthen: [{ do: discord.send, with: { channel: c, content: x } }]\n';
    const codes = check(source, { accounts: ACCOUNTS }).diagnostics.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['people-with-watch', 'set-by-people']));
  });

  test('reads one account of each platform, the default first', () => {
    const streaming = {
      all: ['twitch', 'twitch_2', 'kick'],
      defaults: ['twitch_2'],
      platformNames: { twitch: 'twitch', twitch_2: 'twitch', kick: 'kick' },
    };
    const source = 'id: x\nwhen: { every: 1m, people: team }\nthen: [{ do: discord.send, with: { channel: c, content: x } }]\n';
    const [rule] = check(source, { accounts: { ...ACCOUNTS, streaming } }).rules;
    expect(rule?.watched?.people).toEqual({ list: 'team', platforms: { twitch_2: 'twitch', kick: 'kick' } });
  });
});

describe('a change of the list', () => {
  test('does not announce a new entry that is live, but its next stream', async () => {
    const stage = await stageOf([entry('ada')]);
    stage.entries = [entry('ada'), entry('grace'), entry('2/ada')];
    stage.live = { twitch: { ada: 1, grace: 1 } };
    const first = await stage.poll();
    stage.live = {};
    const ends = await stage.polls(2);
    stage.live = { twitch: { ada: 2, grace: 2 } };

    expect([first.lines, ...ends]).toEqual([['then ada twitch'], [], ['finally ada twitch']]);
    expect((await stage.poll()).lines.toSorted()).toEqual(['then 2/ada twitch', 'then ada twitch', 'then grace twitch']);
  });

  test('ends the episode of a removed entry without an announcement, even if its platform is down', async () => {
    const stage = await stageOf([entry('ada', { twitch: '', kick: 'ada' }), entry('grace')]);
    stage.live = { kick: { ada: 1 }, twitch: { grace: 1 } };
    await stage.poll();
    stage.entries = [entry('grace'), entry('linus', { twitch: '', kick: 'linus' })];
    stage.failing = new Set(['kick']);

    expect((await stage.poll()).lines.toSorted()).toEqual(['finally ada kick without announcements', 'while grace twitch']);
    expect([...stage.state.episodes.values()].map(({ key, phase }) => [key, phase])).toEqual(
      expect.arrayContaining([
        ['team//ada', 'closed'],
        ['team//grace', 'open'],
      ]),
    );
  });

  test('ends the last episode if the list is empty', async () => {
    const stage = await stageOf([entry('ada')]);
    stage.live = { twitch: { ada: 1 } };
    await stage.poll();
    stage.entries = [];
    stage.requests.length = 0;

    expect((await stage.poll()).lines).toEqual(['finally ada twitch without announcements']);
    expect(stage.requests).toEqual([]);
  });

  test('continues the episode of a renamed entry', async () => {
    const stage = await stageOf([entry('1/ada'), entry('2/ada')]);
    stage.live = { twitch: { ada: 1 } };
    await stage.poll();
    stage.entries = [entry('1/lovelace', { twitch: 'ada' }), entry('2/ada')];

    expect((await stage.poll()).lines.toSorted()).toEqual(['while 1/lovelace twitch', 'while 2/ada twitch']);
  });

  test('ends the episode of an entry that names another channel, and does not announce that one', async () => {
    const stage = await stageOf([entry('ada', { twitch: 'ada' })], peopleRule('people: team, grace: 10m'));
    stage.live = { twitch: { ada: 1, grace: 1 } };
    await stage.poll();
    stage.entries = [entry('ada', { twitch: 'grace' })];

    expect(await stage.polls(2)).toEqual([['finally ada twitch without announcements'], []]);
  });

  test('of other fields changes the item only', async () => {
    const stage = await stageOf([entry('ada', { channel: '1' })]);
    stage.live = { twitch: { ada: 1 } };
    await stage.poll();
    stage.entries = [entry('ada', { channel: '2' })];
    const { advanced } = await stage.poll();

    expect(advanced.firings.map(({ section, scope }) => [section, scope.item?.['person']])).toEqual([
      ['while', { channel: '2', id: 'ada' }],
    ]);
  });

  test('announces the stream of a new entry with first: fire', async () => {
    const stage = await stageOf([], peopleRule('people: team, first: fire'));
    stage.entries = [entry('ada')];
    stage.live = { twitch: { ada: 1 } };

    expect((await stage.poll()).lines).toEqual(['then ada twitch']);
  });
});

describe('a poll that fails', () => {
  test('because the lists cannot be read changes nothing', async () => {
    const stage = await stageOf([entry('ada')]);
    stage.live = { twitch: { ada: 1 } };
    await stage.poll();
    stage.entries = undefined;
    const { advanced } = await stage.poll();

    expect(advanced.change).toBeUndefined();
    expect(advanced.decisions.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  test('on one platform leaves the others in force, and ends no episode there', async () => {
    const stage = await stageOf([
      entry('ada', { twitch: 'ada', kick: 'ada' }),
      entry('grace'),
      entry('linus', { twitch: '', kick: 'linus' }),
    ]);
    stage.live = { twitch: { ada: 1, grace: 1 }, kick: { linus: 1 } };
    await stage.poll();
    stage.live = { twitch: { margaret: 1 } };
    stage.failing = new Set(['kick']);
    const down = await stage.polls(3);
    stage.failing = new Set();

    expect(down).toEqual([[], ['finally grace twitch'], []]);
    expect(await stage.polls(2)).toEqual([[], ['finally ada twitch', 'finally linus kick']]);
  });

  test.for([
    { failed: 5, lines: ['while linus kick'] },
    { failed: 20, lines: ['finally linus kick', 'then linus kick'] },
  ])('on one platform for $failed minutes, with `grace: 10m`: a new stream after it', async ({ failed, lines }) => {
    const stage = await stageOf([entry('ada'), entry('linus', { twitch: '', kick: 'linus' })], peopleRule('people: team, grace: 10m'));
    stage.live = { kick: { linus: 1 } };
    await stage.poll();
    stage.failing = new Set(['kick']);
    await stage.polls(failed);
    stage.failing = new Set();
    stage.live = { kick: { linus: 2 } };

    expect((await stage.poll()).lines).toEqual(lines);
  });

  test('for some names leaves the others in force', async () => {
    const stage = await stageOf([entry('ada'), entry('grace')]);
    stage.live = { twitch: { ada: 1 } };
    await stage.poll();
    stage.live = { twitch: { grace: 1 } };
    stage.failing = new Set(['twitch/ada']);
    const [first, ...later] = await stage.polls(3);
    stage.failing = new Set();

    expect([first, ...later]).toEqual([['then grace twitch'], ['while grace twitch'], ['while grace twitch']]);
    expect(await stage.polls(2)).toEqual([['while grace twitch'], ['finally ada twitch', 'while grace twitch']]);
  });

  test('in part has a decision with the names, the accounts and the reasons', async () => {
    const stage = await stageOf([entry('ada', { twitch: 'ada', kick: 'ada' }), entry('grace')]);
    stage.failing = new Set(['twitch/grace', 'kick']);
    const quiet = await stage.poll();
    stage.live = { twitch: { ada: 1 } };
    const busy = await stage.poll();

    const unread = 'not read: everything through kick (unavailable: kick is down); grace through twitch (unavailable: a batch failed)';
    expect(quiet.advanced.decisions.map(({ message }) => message)).toEqual([`0 live; ${unread}`]);
    expect(busy.advanced.decisions.map(({ outcome, message }) => [outcome, message]).slice(1)).toEqual([['unchanged', unread]]);
  });

  test('at first announces later nothing that it could not read', async () => {
    const stage = new PeopleStage();
    stage.entries = [entry('ada', { kick: 'ada', twitch: 'ada' }), entry('linus', { twitch: '', kick: 'linus' })];
    stage.live = { kick: { ada: 1, linus: 1 } };
    stage.failing = new Set(['kick']);
    const down = await stage.polls(2);
    stage.failing = new Set();

    expect([...down, ...(await stage.polls(2))]).toEqual([[], [], [], []]);
  });
});

describe('a requested announcement', () => {
  test('announces an entry that was live when it was added, once', async () => {
    const stage = await stageOf([]);
    stage.entries = [entry('1/ada'), entry('2/ada')];
    stage.live = { twitch: { ada: 1 } };
    const silent = await stage.poll();
    const key = new Set(['team/1/ada']);

    expect([silent.lines, (await stage.poll(key)).lines, (await stage.poll(key)).lines]).toEqual([
      [],
      ['then 1/ada twitch'],
      ['while 1/ada twitch'],
    ]);
  });

  test('announces an entry before its first poll', async () => {
    const stage = await stageOf([]);
    stage.entries = [entry('ada')];
    stage.live = { twitch: { ada: 1 } };

    expect((await stage.poll(new Set(['team//ada']))).lines).toEqual(['then ada twitch']);
  });

  test('announces nothing that is not live', async () => {
    const stage = await stageOf([entry('ada')]);
    expect((await stage.poll(new Set(['team//ada']))).lines).toEqual([]);
  });
});

test('an index of equal lists is made once', () => {
  const rule = peopleRule();
  const lists = listsOf([entry('ada')]);
  expect(bindLists(rule, lists)).toBe(bindLists(rule, lists));
});
