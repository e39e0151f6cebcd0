import { expect, test } from 'vitest';
import { createServerActions } from '#src/admin/actions/server-actions.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('the values before a change of roles undo it, and keep a later change of another ability', async () => {
  await using store = await openStore({ clock: new ManualClock() });
  await store.servers.join({ id: '42', name: 'Club', joinedAt: new Date(0) });
  const { configureServer } = createServerActions({ storedServers: store.servers, auditLog: store.auditLog });
  const by = { name: 'ada', via: 'page', role: 'editor' } as const;
  await configureServer({ server: '42', roles: { follow: ['1'] } }, by);
  const [logged] = (await store.auditLog.list()).items;
  await configureServer({ server: '42', roles: { post: ['2'] } }, by);

  const undone = await configureServer({ server: '42', ...logged?.before }, by);

  expect(logged).toMatchObject({ before: { roles: { follow: [] } }, after: { roles: { follow: ['1'] } } });
  expect(undone.roles).toEqual({ post: ['2'] });
});

test.each([
  ['pings', { pings: ['5', '6'] }, { pings: [] }, { pings: ['5'] }],
  ['roles', { roles: { follow: ['5', '6'] } }, { roles: { follow: [] } }, { roles: { follow: ['5'] } }],
])('of two people who read the same %s and change them, the second one is refused', async (_, change, before, stored) => {
  await using store = await openStore({ clock: new ManualClock() });
  await store.servers.join({ id: '42', name: 'Club', joinedAt: new Date(0) });
  const { configureServer } = createServerActions({ storedServers: store.servers, auditLog: store.auditLog });
  const by = { name: 'ada', via: 'api', role: 'editor' } as const;
  await configureServer({ server: '42', ...stored, expected: before }, by);

  const second = configureServer({ server: '42', zone: 'UTC', ...change, expected: before }, { ...by, name: 'grace' });

  await expect(second).rejects.toMatchObject({ code: 'settingsChanged' });
  expect(await store.servers.find('42')).toMatchObject(stored);
  expect((await store.servers.find('42'))?.zone).toBeUndefined();
  expect((await configureServer({ server: '42', ...change, expected: stored }, by)).id).toBe('42');
  expect(await store.servers.find('42')).toMatchObject(change);
  expect((await store.auditLog.list()).items.map(({ outcome, after }) => [outcome, after])).toEqual([
    ['done', change],
    ['refused', { refused: 'settingsChanged' }],
    ['done', stored],
  ]);
});
