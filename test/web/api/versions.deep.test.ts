import { expect, onTestFinished, test } from 'vitest';
import { publisherIn } from '#src/app/open-rule-publisher.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { publishApproved } from '#src/engine/rule-sets/approve-rule.ts';
import { cardRule } from '../../engine/rule-sets/fixture.ts';
import { openEmptyStore } from '../../support/postgres-stores.ts';
import { differencesFrom, operationOf } from './answer-checks.ts';
import { openApi } from './open-api.ts';

/** The API over rules in PostgreSQL. */
async function openVersions() {
  const store = await openEmptyStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const { ruleVersions } = store;
  const config = configOfEnvironment({});
  return { ...(await openApi({ store, openPublisher: () => publisherIn(config, { ...store, ruleVersions }) })), versions: ruleVersions };
}

const file = (name: string, source = cardRule(name)) => ({ file: `${name}.yaml`, source });

test('rules are published, rolled back and deleted, each against the version that the person saw', async () => {
  const { get, post, store, versions } = await openVersions();

  const first = await post('/api/versions', { body: { after: 0, files: [file('live')], publisher: 'ci', note: 'first' } });
  await publishApproved(
    { rule: 'raid', source: cardRule('raid'), by: 'Grace' },
    { versions, accounts: {}, isOn: () => false, nowMs: () => 0 },
  );
  const late = await post('/api/versions', { body: { after: 1, files: [file('live'), file('more')] } });
  const third = await post('/api/versions', { body: { after: 2, files: [file('live'), file('more')] } });
  const same = await post('/api/versions', { body: { after: 3, files: [file('live'), file('more')] } });
  const deleted = await post('/api/rules/raid/delete', { body: { after: 3 } });
  const back = await post('/api/versions/1/roll-back');
  const list = await get('/api/versions');

  expect(first.json).toMatchObject({
    version: { number: 1, by: 'ci', note: 'first' },
    isNew: true,
    changes: [{ kind: 'new', text: 'live', rule: 'live' }],
  });
  expect(late).toMatchObject({ status: 409, json: { code: 'overtaken', detail: expect.stringContaining('Grace published version 2') } });
  expect(third.json).toMatchObject({ version: { number: 3, by: 'local (API)' }, changes: [{ kind: 'new', text: 'more' }] });
  expect(same.json).toMatchObject({ version: { number: 3 }, isNew: false });
  expect(deleted.json).toMatchObject({ version: { number: 4 }, changes: [{ kind: 'deleted', text: 'raid' }] });
  expect(back.json).toMatchObject({ version: { number: 5, repeats: 1 } });
  expect(list.json).toMatchObject({ items: [5, 4, 3, 2, 1].map((number) => ({ number })) });
  for (const [path, answer] of [
    ['/api/versions', first],
    ['/api/versions', late],
    ['/api/rules/{rule}/delete', deleted],
    ['/api/versions/{version}/roll-back', back],
  ] as const)
    expect(differencesFrom(operationOf('post', path), answer)).toEqual([]);
  expect(differencesFrom(operationOf('get', '/api/versions'), list)).toEqual([]);
  const { items } = await store.auditLog.list();
  expect(items.map(({ action, target, outcome, before, after }) => [action, target, outcome, before, after]).toReversed()).toEqual([
    ['publishVersion', '0', 'done', { version: 0 }, { version: 1 }],
    ['publishVersion', '1', 'refused', undefined, { refused: 'overtaken' }],
    ['publishVersion', '2', 'done', { version: 2 }, { version: 3 }],
    ['publishVersion', '3', 'unchanged', undefined, undefined],
    ['deleteRule', 'raid', 'done', { version: 3 }, { version: 4 }],
    ['rollBackVersion', '1', 'done', { version: 4 }, { version: 5 }],
  ]);
});

test('one of two simultaneous publications succeeds', async () => {
  const { post } = await openVersions();
  const publish = (name: string) => post('/api/versions', { body: { after: 0, files: [file(name)] } });

  const both = await Promise.all([publish('one'), publish('two')]);

  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
});

test('rules with errors, wrong names, other versions and other rules are refused', async () => {
  const { post, get } = await openVersions();
  await post('/api/versions', { body: { after: 0, files: [file('live')] } });
  const publish = (...files: readonly object[]) => post('/api/versions', { body: { after: 1, files } });

  for (const [answer, status, code] of [
    [await publish(file('live', 'id: live\nwenn: now\n')), 409, 'rulesHaveErrors'],
    [await publish({ file: '../live.yaml', source: cardRule('live') }), 409, 'rulesHaveErrors'],
    [await publish({ file: '../live.test.yaml', source: 'rule: live' }), 409, 'rulesHaveErrors'],
    [await publish({ file: 'live.txt', source: cardRule('live') }), 409, 'rulesHaveErrors'],
    [await post('/api/versions/9/roll-back'), 404, 'versionNotFound'],
    [await post('/api/versions/x/roll-back'), 400, 'invalidParameter'],
    [await post('/api/rules/live/delete'), 409, 'notApproved'],
  ] as const)
    expect(answer).toMatchObject({ status, json: { code } });
  expect((await get('/api/versions')).json).toMatchObject({ items: [{ number: 1 }] });
});
