import { expect, test } from 'vitest';
import { openSite } from '../open-site.ts';

/** As the store names it. */
class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

test('while the database does not answer, the page shows why, without a wait for the database', async () => {
  const { routes, views } = await openSite();
  views.databaseState = { lostAtMs: 1_000, code: 'ECONNREFUSED' };
  views.readiness = { ready: false, message: 'the database has not answered since 18:00' };
  const neverAnswers = () => new Promise<never>(() => undefined);
  views.rulePage = neverAnswers;
  views.pageDeliveries = neverAnswers;
  views.undelivered = neverAnswers;

  const page = await (await routes.request('/')).text();

  expect(page).toContain('>Not ready: the database has not answered since 18:00</p>');
  expect(page.match(/The database does not answer\./gu)).toHaveLength(2);
});

test('the lists of the API answer 503', async () => {
  const { routes, views } = await openSite();
  views.rules = () => Promise.reject(new DatabaseUnavailable('the database is not available'));

  const answer = await routes.request('/api/rules');

  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'databaseUnavailable', detail: 'The database does not answer. See /readyz.' });
});
