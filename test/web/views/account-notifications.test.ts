import { expect, test } from 'vitest';
import type { StatusView } from '#src/admin/queries/status-answer.ts';
import { noOperations } from '../../support/operations.ts';
import { textOf } from '../../support/page-text.ts';
import { minutesAgo } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';

type Notifications = StatusView['accounts'][number]['notifications'];

const PROBLEM = 'The connection was closed (4007).';
const FULL: Notifications = {
  state: 'connected',
  problem: 'The cost has no room for more.',
  subscriptions: 9_999,
  cost: 9_999,
  maxCost: 10_000,
  onlyPolled: 1_200,
  lastAt: minutesAgo(4),
};

async function pageOf(notifications: Notifications, language: string): Promise<string> {
  const accounts = () => Promise.resolve([{ account: 'twitch', platform: 'twitch', method: 'credentials' } as const]);
  const { routes, apiQueries } = await openSite({ operations: { ...noOperations, accounts } });
  const state = { account: 'twitch', platform: 'twitch', sandbox: false, state: 'connected', isRefused: false, notifications } as const;
  apiQueries.statusChanges = { accounts: [state] };
  return (await routes.request('/accounts', { headers: { 'accept-language': language } })).text();
}

test.for([
  [
    'en',
    FULL,
    /Notifications: connected 9,999 subscriptions cost 9,999 of 10,000 1,200 names only polled last notification .* UTC The cost has no room for more\. Check/u,
  ],
  [
    'de',
    FULL,
    /Benachrichtigungen: verbunden 9\.999 Abonnements Kosten 9\.999 von 10\.000 1\.200 Namen nur abgefragt letzte Benachrichtigung .* UTC The cost has no room for more\. Zugangsdaten/u,
  ],
  [
    'en',
    { state: 'connected', subscriptions: 1, cost: 1, maxCost: 10, onlyPolled: 1 },
    /Notifications: connected 1 subscription cost 1 of 10 1 name only polled no notification yet Check/u,
  ],
  [
    'de',
    { state: 'connected', subscriptions: 1, cost: 0, maxCost: 10, onlyPolled: 0 },
    /Benachrichtigungen: verbunden 1 Abonnement Kosten 0 von 10 noch keine Benachrichtigung Zugangsdaten/u,
  ],
  ['en', { state: 'failed', problem: PROBLEM }, /Notifications: failed The connection was closed \(4007\)\. Check/u],
  ['de', { state: 'failed', problem: PROBLEM }, /Benachrichtigungen: fehlgeschlagen The connection was closed \(4007\)\. Zugangsdaten/u],
  ['en', { state: 'connecting' }, /Notifications: connecting Check/u],
  ['de', { state: 'connecting' }, /Benachrichtigungen: verbindet Zugangsdaten/u],
  ['en', { state: 'stopped', lastAt: minutesAgo(4) }, /Notifications: not needed last notification .* UTC Check/u],
  ['de', { state: 'stopped' }, /Benachrichtigungen: nicht nötig Zugangsdaten/u],
] as const)('an account shows the state of its notifications: %s, %o', async ([language, notifications, text]) => {
  expect(textOf(await pageOf(notifications, language))).toMatch(text);
});

test('the problem of notifications is marked as English in German', async () => {
  const page = await pageOf({ state: 'failed', problem: PROBLEM }, 'de');

  expect(page).toMatch(/<p[^>]* lang="en"[^>]*>The connection was closed/u);
});

test('an account without notifications shows nothing of them', async () => {
  expect(textOf(await pageOf(undefined, 'en'))).not.toMatch(/notification/iu);
});
