import { expect, test } from 'vitest';
import { readinessOf } from '#src/queries/readiness.ts';

const connected = { state: 'connected', problem: undefined } as const;

test.for([
  [[], 2, { ready: true, why: undefined }],
  [['a'], 2, { ready: true, why: 'a could not be run: the log says why' }],
  [['a', 'b'], 2, { ready: false, why: 'a, b could not be run: the log says why' }],
  [['a', 'b', 'c', 'd'], 9, { ready: true, why: '4 rules could not be run: the log says why' }],
] as const)('of %j stuck rules of %i it says so, and is not ready where all are', ([stuck, running, readiness]) => {
  expect(readinessOf({ discord: connected, stuck, running, nowMs: 0 })).toEqual(readiness);
});

test('while Discord is not connected for the first time, nothing is ready, and the reason is named', () => {
  const discord = { state: 'connecting', problem: undefined } as const;
  const problem = 'Discord cannot be reached: no route';

  expect(readinessOf({ discord, stuck: [], running: 1, nowMs: 0 })).toEqual({ ready: false, why: 'Discord is not connected yet' });
  expect(readinessOf({ discord: { ...discord, problem }, stuck: [], running: 1, nowMs: 0 })).toEqual({ ready: false, why: problem });
});

test('of several servers, one that does not let the bot in is not ready, and the reason names it', () => {
  const problem = 'the bot is not in the server of berlin (42)';

  expect(readinessOf({ discord: { ...connected, problem }, stuck: [], running: 1, nowMs: 0 })).toEqual({ ready: false, why: problem });
});

test('a lost connection may take two minutes to come back', () => {
  const at = (nowMs: number) => readinessOf({ discord: { state: 'restoring', lostAtMs: 1_000 }, stuck: [], running: 1, nowMs });

  expect(at(120_999)).toEqual({ ready: true, why: 'the connection to Discord is being restored' });
  expect(at(121_000)).toEqual({ ready: false, why: expect.stringContaining('more than two minutes') });
});

test('a token that Discord does not accept, at the gateway or at requests, is not ready', () => {
  const problem = 'Discord does not accept the token: check DISCORD_TOKEN.';
  const failed = { state: 'failed', problem } as const;

  expect(readinessOf({ discord: failed, stuck: [], running: 1, nowMs: 0 })).toEqual({ ready: false, why: problem });
  expect(readinessOf({ discord: connected, refusal: problem, stuck: [], running: 1, nowMs: 0 })).toEqual({ ready: false, why: problem });
});
