import { expect, test } from 'vitest';
import type { Fault } from '#src/errors.ts';
import { readinessOf as readinessWithReason, type ReadinessOptions } from '#src/admin/queries/readiness.ts';

/** The answer without its reason, which the messages show. */
function readinessOf(options: ReadinessOptions) {
  const { ready, message } = readinessWithReason(options);
  return { ready, message };
}

const connected = { state: 'connected', problem: undefined } as const;

test.for([
  [[], 2, { ready: true, message: undefined }],
  [['a'], 2, { ready: true, message: 'a could not be run: see the log' }],
  [['a', 'b'], 2, { ready: false, message: 'a, b could not be run: see the log' }],
  [['a', 'b', 'c', 'd'], 9, { ready: true, message: '4 rules could not be run: see the log' }],
] as const)(
  'with %j stuck rules of %i, the message names them, and Fanfare is not ready if all rules are stuck',
  ([stuck, running, readiness]) => {
    expect(readinessOf({ discord: connected, stuck, running, nowMs: 0 })).toEqual(readiness);
  },
);

test.for([
  [1, 'no rule could be loaded, because the rule file has errors: run npx fanfare check'],
  [3, 'no rule could be loaded, because all 3 rule files have errors: run npx fanfare check'],
] as const)('with %i rule files that all have errors, Fanfare is not ready', ([unloaded, message]) => {
  expect(readinessOf({ discord: connected, stuck: [], running: 0, unloaded, nowMs: 0 })).toEqual({ ready: false, message });
});

test('before the first connection to Discord, Fanfare is not ready, and the message has the reason', () => {
  const discord = { state: 'connecting', problem: undefined } as const;
  const problem = 'Discord cannot be reached: no route';

  expect(readinessOf({ discord, stuck: [], running: 1, nowMs: 0 })).toEqual({ ready: false, message: 'Discord is not connected yet' });
  expect(readinessOf({ discord: { ...discord, problem }, stuck: [], running: 1, nowMs: 0 })).toEqual({ ready: false, message: problem });
});

test('with several servers, Fanfare is not ready if one server does not admit the bot', () => {
  const problem = 'the bot is not in the server of berlin (42)';

  expect(readinessOf({ discord: { ...connected, problem }, stuck: [], running: 1, nowMs: 0 })).toEqual({ ready: false, message: problem });
});

test('a lost connection has two minutes to be restored', () => {
  const at = (nowMs: number) => readinessOf({ discord: { state: 'restoring', lostAtMs: 1_000 }, stuck: [], running: 1, nowMs });

  expect(at(120_999)).toEqual({ ready: true, message: 'the connection to Discord is being restored' });
  expect(at(121_000)).toEqual({ ready: false, message: expect.stringContaining('more than two minutes') });
});

test('Fanfare is not ready if Discord rejects the token at the gateway or at requests', () => {
  const problem = 'Discord does not accept the token: check DISCORD_TOKEN.';
  const failed = { state: 'failed', problem } as const;

  expect(readinessOf({ discord: failed, stuck: [], running: 1, nowMs: 0 })).toEqual({ ready: false, message: problem });
  const at = (fault: Fault) => readinessOf({ discord: connected, accountProblems: [{ problem, fault }], stuck: [], running: 1, nowMs: 0 });
  for (const fault of ['unauthorized', 'forbidden', 'missing'] as const) expect(at(fault)).toEqual({ ready: false, message: problem });
  expect(at('rateLimited')).toEqual({ ready: true, message: undefined });
});

test('while the database does not answer, Fanfare is not ready, in any state of Discord', () => {
  const database = { lostAtMs: Date.parse('2026-11-20T18:00:05.250Z'), code: 'ECONNREFUSED' };
  const discord = { state: 'connecting', problem: undefined } as const;

  const message = 'the database has not answered since 2026-11-20T18:00:05Z (ECONNREFUSED). Fanfare waits for it, and nothing is lost';
  expect(readinessOf({ discord, stuck: [], running: 1, database, nowMs: 0 })).toEqual({ ready: false, message });
});
