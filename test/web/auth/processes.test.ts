import { expect, test } from 'vitest';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { databaseOfStores } from '../../support/postgres-stores.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { NOW } from '../../support/view-records.ts';
import { openSite } from '../open-site.ts';
import { Browser } from './browser.ts';

const OPERATOR = { name: 'root', via: 'cli', role: 'admin' } as const;
const PASSWORD = 'correct horse battery';
const REMOTE = { host: '0.0.0.0', allowedHosts: ['fanfare.example'] } as const;

function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it does not exist');
  return value;
}

test('processes with one database share people, sessions, forms, tokens and limits, even if one process ends', async () => {
  const database = await databaseOfStores();
  const schema = database.newSchema();
  const open = () => openPostgresStore({ url: database.url, schema, maxConnections: 2, clock: new ManualClock(NOW) });
  const first = await open();
  await using second = await open();
  const [one, two] = await Promise.all([first, second].map((store) => openSite({ ...REMOTE, store })));
  const offered = await Promise.all([one?.access.offerFirstRun(), two?.access.offerFirstRun()]);
  expect(offered.filter((firstRun) => firstRun?.text !== undefined)).toHaveLength(1);
  await one?.access.addPerson({ name: 'Ada', role: 'admin', password: PASSWORD }, OPERATOR);
  const { text } = await existing(one).access.createToken({ name: 'ci', scope: 'read' }, OPERATOR);

  // A load balancer sends the form to another process than the page.
  const [browser, elsewhere] = [existing(one), existing(two)].map((site) => new Browser(site.routes));
  await browser?.request('/sign-in');
  for (const [name, value] of browser?.cookies ?? []) elsewhere?.cookies.set(name, value);
  expect((await elsewhere?.signIn('ada', PASSWORD))?.status).toBe(303);
  for (let attempt = 0; attempt < 10; attempt++) await browser?.signIn('ada', 'wrong password');
  await first[Symbol.asyncDispose]();

  expect((await elsewhere?.request('/overview'))?.status).toBe(200);
  expect((await two?.routes.request('http://fanfare.example/api/rules', { headers: { authorization: `Bearer ${text}` } }))?.status).toBe(
    200,
  );
  expect((await new Browser(existing(two).routes).signIn('ada', PASSWORD)).status).toBe(429);
});
