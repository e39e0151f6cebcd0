import { expect, test } from 'vitest';
import { examineNotifications } from '#src/admin/doctor/notifications.ts';

test.for([
  [undefined, 'warning', 'check whether a firewall blocks the connection'],
  ['unreachable', 'warning', 'check whether a firewall blocks the connection'],
  ['unanswered', 'warning', 'check whether a firewall blocks the connection'],
  ['unauthorized', 'warning', 'check the credentials of the account, or sign in again: npx fanfare auth twitch'],
  ['rateLimited', 'warning', 'wait: Fanfare tries again when the platform accepts requests'],
  ['unavailable', 'warning', 'the status page of the platform may report the failure'],
  ['malformed', 'warning', 'check whether a proxy answers instead of the platform'],
  ['rejected', 'warning', 'check whether a proxy answers instead of the platform'],
  ['quotaExhausted', 'warning', 'raise the limit'],
  ['missing', 'good', undefined],
  ['forbidden', 'good', undefined],
] as const)('notifications that failed with the fault %s have a remedy for it', ([fault, state, remedy]) => {
  const [check, ...others] = examineNotifications('twitch', { state: 'failed', problem: 'it failed', fault });

  expect(others).toEqual([]);
  expect(check).toMatchObject({ state, what: 'it does not notify about changes, so the rules poll at their slots: it failed' });
  expect(check?.remedy === undefined).toBe(remedy === undefined);
  expect(check?.remedy ?? '').toContain(remedy ?? '');
});

test.for([
  [undefined, 'check whether these names still exist'],
  ['unavailable', 'the status page of the platform may report the failure'],
] as const)('names that are only polled after the fault %s have a remedy for it', ([fault, remedy]) => {
  const checks = examineNotifications('twitch', { state: 'connected', subscriptions: 1, onlyPolled: 2, problem: 'it failed', fault });

  expect(checks.at(-1)?.remedy).toContain(remedy);
});
