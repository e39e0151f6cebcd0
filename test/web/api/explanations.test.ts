import { expect, test } from 'vitest';
import type { Commit } from '#src/engine/scheduler/rule-states.ts';
import { committing, episodeOf } from '../../support/firings.ts';
import { NOW } from '../../support/view-records.ts';
import { differencesFrom, operationOf } from './answer-checks.ts';
import { openApi } from './open-api.ts';

const KEY = 'twitch/1202584';
const SEEN_MS = NOW.getTime() - 3_600_000;

/** One poll of a rule that saw Ada and decided something about her. */
function sighting(rule: string, atMs: number, key = KEY): Commit {
  const episode = episodeOf(`${key}@${atMs}`);
  return committing([], {
    rule,
    slotMs: atMs,
    change: {
      memory: { firings: 0, firedMs: {} },
      put: [{ ...episode, key, item: { owner: { displayName: 'Ada', handle: 'ada_plays' } }, startedMs: atMs, openedMs: atMs }],
      drop: [],
    },
    decisions: [{ rule, atMs, outcome: 'suppressed', item: key, message: 'cooldown' }],
  });
}

test.for(['Ada', 'ADA_PLAYS', '@ada_plays', KEY])('the rules that saw %s are explained, deleted rules too', async (name) => {
  const { get, store } = await openApi();
  await store.ruleStates.commit(sighting('games/Go', SEEN_MS));
  await store.ruleStates.commit(sighting('deleted', SEEN_MS));

  const answer = await get(`/api/explanations?item=${encodeURIComponent(name)}`);

  const episodes = [{ id: `${KEY}@${SEEN_MS}`, key: KEY, name: 'Ada', startedAt: new Date(SEEN_MS).toISOString(), announced: true }];
  const decisions = [{ outcome: 'suppressed', at: new Date(SEEN_MS).toISOString(), item: KEY, message: 'cooldown' }];
  expect(answer).toMatchObject({
    status: 200,
    json: {
      name,
      keys: [KEY],
      rules: [{ id: 'games/Go', on: true, isPaused: false, isNamed: false, isOpen: true, episodes, decisions }],
      gone: [{ id: 'deleted', episodes, decisions }],
      others: [{ id: 'games/Chess', verb: 'streaming.getGameStreams' }],
    },
  });
  expect(differencesFrom(operationOf('get', '/api/explanations'), answer)).toEqual([]);
});

test('an entry of a feed is found by its key, which can be a long address', async () => {
  const { get, store } = await openApi();
  const key = `https://news.example/${'a'.repeat(479)}`;
  await store.ruleStates.commit(sighting('games/Go', SEEN_MS, key));

  const answer = await get(`/api/explanations?item=${encodeURIComponent(key)}`);

  expect(answer).toMatchObject({ status: 200, json: { keys: [key], rules: [{ id: 'games/Go' }] } });
});

test('limit is the number of episodes and of decisions for one rule', async () => {
  const { get, store } = await openApi();
  for (const minutes of [3, 2, 1]) await store.ruleStates.commit(sighting('games/Go', NOW.getTime() - minutes * 60_000));

  const { json } = await get('/api/explanations?item=ada_plays&limit=2');

  expect(json).toMatchObject({ rules: [{ episodes: [{}, {}], decisions: [{}, {}] }] });
});

test('an unknown name has no rules and no keys', async () => {
  const { get } = await openApi();

  expect(await get('/api/explanations?item=nobody')).toMatchObject({
    status: 200,
    json: { name: 'nobody', keys: [], rules: [], gone: [] },
  });
});

test.for(['/api/rules/go', '/api/rules/go/explanation'])(
  '%s of a deleted rule says when it was deleted, and when it ran last',
  async (path) => {
    const { get, store } = await openApi();
    await store.ruleStates.commit(sighting('go', SEEN_MS));
    await store.ruleStates.retire('go');

    const answer = await get(path);

    const [lastRunAt, goneAt] = [SEEN_MS, NOW.getTime()].map((ms) => new Date(ms).toISOString());
    const detail = `The rule go was deleted or renamed at ${goneAt}. It last ran at ${lastRunAt}. Its decisions are at /api/decisions?rule=go.`;
    expect(answer).toMatchObject({ status: 404, json: { code: 'ruleNotFound', detail, goneAt, lastRunAt } });
  },
);

test.for(['/api/explanations', '/api/explanations?item=', '/api/explanations?item=ada&rule=x'])('%s is a problem', async (path) => {
  const { get } = await openApi();

  const answer = await get(path);

  expect(answer).toMatchObject({ status: 400, json: { code: 'invalidParameter' } });
  expect(differencesFrom(operationOf('get', '/api/explanations'), answer)).toEqual([]);
});
