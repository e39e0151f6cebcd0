import { expect, test } from 'vitest';
import { differencesFrom, operationOf } from './answer-checks.ts';
import { openSite } from '../open-site.ts';
import { Browser } from '../auth/browser.ts';
import { openApi } from './open-api.ts';

const PASSWORD = 'correct horse battery';

test('people are added, change their role and are removed, and the log has each change without the password', async () => {
  const { get, post, store } = await openApi();

  const added = await post('/api/people', { body: { name: 'Ada', role: 'admin', password: PASSWORD } });
  await post('/api/people', { body: { name: 'Grace', role: 'viewer', password: PASSWORD } });
  const changed = await post('/api/people/grace', { method: 'PATCH', body: { role: 'editor' } });
  const again = await post('/api/people/grace', { method: 'PATCH', body: { role: 'editor' } });
  const signedOut = await post('/api/people/grace/sign-out');
  const newPassword = await post('/api/people/grace/change-password', { body: { password: `${PASSWORD} 2` } });
  const people = await get('/api/people');
  const removed = await post('/api/people/password:grace/remove');

  const grace = { id: 'password:grace', name: 'Grace', kind: 'password', role: 'editor' };
  expect(added.json).toEqual({ id: 'password:ada', name: 'Ada', kind: 'password', role: 'admin' });
  expect([changed.json, again.json, signedOut.json, newPassword.json, removed.json]).toEqual(Array.from({ length: 5 }, () => grace));
  expect(people.json).toEqual({ items: [added.json, grace] });
  expect(differencesFrom(operationOf('get', '/api/people'), people)).toEqual([]);
  expect(differencesFrom(operationOf('patch', '/api/people/{person}'), changed)).toEqual([]);
  const { items } = await store.auditLog.list();
  expect(items.map(({ action, target, outcome, before, after }) => [action, target, outcome, before, after]).toReversed()).toEqual([
    ['addPerson', 'Ada', 'done', undefined, { id: 'password:ada', role: 'admin' }],
    ['addPerson', 'Grace', 'done', undefined, { id: 'password:grace', role: 'viewer' }],
    ['changeRole', 'grace', 'done', { role: 'viewer' }, { role: 'editor' }],
    ['changeRole', 'grace', 'unchanged', undefined, undefined],
    ['signOutPerson', 'grace', 'done', undefined, undefined],
    ['changePassword', 'grace', 'done', undefined, undefined],
    ['removePerson', 'password:grace', 'done', { id: 'password:grace', role: 'editor' }, undefined],
  ]);
  expect(JSON.stringify(items)).not.toContain(PASSWORD);
});

test('the last admin, a used name and a role from Discord cannot be changed', async () => {
  const { post, store } = await openApi();
  await post('/api/people', { body: { name: 'Ada', role: 'admin', password: PASSWORD } });
  await (await store.openAccess()).people.put({ id: 'discord:7', name: 'Grace', kind: 'discord', role: 'viewer' });

  for (const [answer, status, code] of [
    [await post('/api/people/ada', { method: 'PATCH', body: { role: 'viewer' } }), 409, 'lastAdmin'],
    [await post('/api/people/ada/remove'), 409, 'lastAdmin'],
    [await post('/api/people', { body: { name: 'ADA', role: 'viewer', password: PASSWORD } }), 409, 'nameTaken'],
    [await post('/api/people', { body: { name: 'Eve', role: 'viewer', password: 'short' } }), 409, 'passwordTooShort'],
    [await post('/api/people/discord:7', { method: 'PATCH', body: { role: 'admin' } }), 409, 'roleOfDiscord'],
    [await post('/api/people/eve/remove'), 404, 'personNotFound'],
    [await post('/api/tokens/none/revoke'), 404, 'tokenNotFound'],
  ] as const) {
    expect(answer).toMatchObject({ status, json: { code } });
    expect(answer.body).not.toContain(PASSWORD);
  }
  expect((await (await store.openAccess()).people.list()).map(({ name, role }) => [name, role])).toEqual([
    ['Ada', 'admin'],
    ['Grace', 'viewer'],
  ]);
});

test('the text of a token is in one answer only, and is not stored for repeats', async () => {
  const { get, post, store } = await openApi();
  const body = { name: 'ci', scope: 'write', expiresAt: '2027-01-01T00:00:00Z' };

  const created = await post('/api/tokens', { body });
  const withKey = await post('/api/tokens', { body, headers: { 'idempotency-key': 'once' } });
  const expired = await post('/api/tokens', { body: { ...body, expiresAt: '2020-01-01T00:00:00Z' } });
  const listed = await get('/api/tokens');

  expect(created.json).toMatchObject({ token: { name: 'ci', scope: 'write', by: 'local' }, text: expect.stringMatching(/^fanfare_/) });
  expect(differencesFrom(operationOf('post', '/api/tokens'), created)).toEqual([]);
  expect([withKey.status, expired.status]).toEqual([400, 409]);
  const { text, token } = created.json as { readonly text: string; readonly token: { readonly id: string } }; // checked above
  expect(listed.json).toMatchObject({ items: [{ id: token.id, expiresAt: '2027-01-01T00:00:00.000Z' }] });
  expect(listed.body + JSON.stringify((await store.auditLog.list()).items)).not.toContain(text);
  const revoked = await post(`/api/tokens/${token.id}/revoke`);
  expect(revoked.json).toMatchObject({ id: token.id, revokedAt: expect.any(String) });
  expect((await get('/api/actions?action=revokeToken')).json).toMatchObject({ items: [{ target: token.id, before: { scope: 'write' } }] });
});

test('the session names the person of the requests, and has the token for writes of a page', async () => {
  const local = await openApi();
  const { routes, access } = await openSite({ host: '0.0.0.0', allowedHosts: ['fanfare.example'] });
  const root = { name: 'root', via: 'cli', role: 'admin' } as const;
  await access.addPerson({ name: 'Ada', role: 'editor', password: PASSWORD }, root);
  const { text, token } = await access.createToken({ name: 'ci', scope: 'read' }, root);
  const browser = new Browser(routes);
  await browser.signIn('ada', PASSWORD);
  const session = async (headers?: Readonly<Record<string, string>>) =>
    (await (headers ? routes.request('http://fanfare.example/api/session', { headers }) : browser.request('/api/session'))).json();

  expect((await local.get('/api/session')).json).toEqual({ name: 'local', role: 'admin', signedInWith: 'loopback' });
  expect(await session({ authorization: `Bearer ${text}` })).toEqual({ name: 'ci', id: token.id, role: 'viewer', signedInWith: 'token' });
  const own = (await session()) as { readonly csrfToken: string }; // checked below
  expect(own).toEqual({ name: 'Ada', id: 'password:ada', role: 'editor', signedInWith: 'password', csrfToken: expect.any(String) });
  const write = (csrfToken: string) =>
    browser.request('/api/rules/x/pause', {
      method: 'POST',
      body: '[]',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrfToken },
    });
  expect([(await write(own.csrfToken)).status, (await write('other')).status]).toEqual([400, 403]);
});
