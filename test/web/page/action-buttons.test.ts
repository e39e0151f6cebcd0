import { expect, test } from 'vitest';
import type { DeliveryState } from '#src/admin/queries/records.ts';
import { ROUTES } from '#src/web/client/operations.ts';
import { deliveryRows } from '#src/web/page/parts/deliveries.ts';
import { ruleCards } from '#src/web/page/parts/rules.ts';
import { delivery, NOW, rule } from '../../support/view-records.ts';
import { Browser } from '../auth/browser.ts';
import { openSite } from '../open-site.ts';

/** The buttons of a page: their requests and inputs. */
function buttonsOf(page: string): readonly (readonly [path: string, input: string])[] {
  return [...page.matchAll(/<p class="actions" data-path="([^"]*)"[^>]*>(.*?)<\/p>/gsu)].flatMap(([, path = '', buttons = '']) =>
    [...buttons.matchAll(/data-act="(\w+)"(?: data-resolution="(\w+)")?/gu)].map(
      ([, action = '', resolution]) => [`${path}${action}`, JSON.stringify({ resolution })] as const,
    ),
  );
}

test.for<[DeliveryState, readonly (readonly [string, string])[]]>([
  ['pending', []],
  ['sending', []],
  ['asked', []],
  ['sent', []],
  ['skipped', []],
  ['failed', [['/api/deliveries/d1/resend', '{}']]],
  [
    'unknown',
    [
      ['/api/deliveries/d1/resolve', '{"resolution":"sent"}'],
      ['/api/deliveries/d1/resolve', '{"resolution":"again"}'],
    ],
  ],
])('a delivery that is %s has the buttons that can act on it', async ([state, expected]) => {
  const page = String(await deliveryRows([delivery('d1', { state })], { canAct: true }));

  expect(buttonsOf(page)).toEqual(expected);
});

test.for([
  ['on', { on: true }, ['run', 'pause']],
  ['off', { on: false }, []],
  ['paused', { on: true, paused: { at: NOW, by: 'ada (Discord)' } }, ['resume']],
] as const)('a rule that is %s has the buttons that can act on it', async ([, over, expected]) => {
  const page = String(await ruleCards([rule('games/Go "now"', over)], { canAct: true }));

  expect(buttonsOf(page)).toEqual(expected.map((verb) => [`/api/rules/games%2FGo%20%22now%22/${verb}`, '{}']));
});

test('a viewer sees no buttons; an editor and an admin see them, in the page and in each part', async () => {
  const { routes, views, access } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'] });
  views.ruleList = [rule('go'), rule('chess', { paused: { at: NOW, by: 'ada (Discord)' } })];
  views.deliveryList = [delivery('d1', { state: 'unknown' }), delivery('d2', { state: 'failed' })];

  for (const [role, count] of [
    ['viewer', 0],
    ['editor', 6],
    ['admin', 6],
  ] as const) {
    await access.addPerson({ name: role, role, password: 'correct horse battery' }, { name: 'root', via: 'cli', role: 'admin' });
    const browser = new Browser(routes, { address: '192.0.2.1' });
    await browser.signIn(role, 'correct horse battery');
    const textOf = async (path: string): Promise<string> => (await browser.request(path)).text();
    const [page, rules, deliveries] = await Promise.all([textOf('/'), textOf('/fragments/rules'), textOf('/fragments/deliveries')]);

    expect(buttonsOf(page), role).toHaveLength(count);
    expect(buttonsOf(`${rules}${deliveries}`), role).toEqual(buttonsOf(page));
    expect(page.includes('without-script'), role).toBe(count > 0);
  }
});

test('the requests of all buttons are routes of the API', async () => {
  const rules = await ruleCards([rule('go'), rule('chess', { paused: { at: NOW, by: 'ada (Discord)' } })], { canAct: true });
  const rows = await deliveryRows([delivery('go', { state: 'unknown' }), delivery('go', { state: 'failed' })], { canAct: true });

  const posts = Object.values(ROUTES).flatMap(([method, path]) => (method === 'POST' ? [path.replace(/\{\w+\}/u, 'id')] : []));
  for (const [path] of buttonsOf(`${rules}${rows}`)) expect(posts).toContain(path.replace(/\/(?:go|chess)\//u, '/id/'));
});
