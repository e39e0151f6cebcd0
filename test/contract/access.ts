import { expect, test } from 'vitest';
import type { AccessStore } from '#src/admin/access/access-store.ts';
import type { Person } from '#src/admin/actions/people.ts';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const HOUR_MS = 3_600_000;
const ADA: Person = { id: 'password:ada', name: 'Ada', kind: 'password', role: 'admin' };
const GRACE: Person = { id: 'discord:7', name: 'Grace', kind: 'discord', role: 'viewer' };

const at = (ms: number): Date => new Date(SLOT_MS + ms);
const session = (hash: string, person: string, expiresAt = at(HOUR_MS)) => ({ hash, person, address: '192.0.2.7', expiresAt });

/** The contract of the people, sessions and tokens. */
export function accessContract(open: OpenStore): void {
  test('a name is used once, and the current name and role of people from Discord are stored', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { people } = await store.openAccess();
    const added = await Promise.all([people.add(ADA, 'one'), people.add({ ...ADA, role: 'viewer' }, 'two')]);
    await people.put(GRACE);
    await people.put({ ...GRACE, name: 'Grace H.', role: 'editor' });

    expect(added.toSorted()).toEqual([false, true]);
    expect((await people.list()).map(({ name, role }) => [name, role]).slice(1)).toEqual([['Grace H.', 'editor']]);
    expect([await people.passwordOf(GRACE.id), await people.passwordOf('password:nobody')]).toEqual([undefined, undefined]);
    expect(await people.passwordOf(ADA.id)).toMatchObject({ person: { id: ADA.id }, hash: added[0] ? 'one' : 'two' });
  });

  test('sessions end by expiry, sign-out, a new password and the removal of the person', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { people, sessions } = await store.openAccess();
    await people.add(ADA, 'hash');
    await people.put(GRACE);
    const signedIn = async (...hashes: readonly string[]) =>
      (await Promise.all(hashes.map(async (hash) => ((await sessions.find(hash)) ? [hash] : [])))).flat();
    for (const hash of ['a', 'b']) await sessions.begin(session(hash, ADA.id));
    for (const hash of ['c', 'd']) await sessions.begin(session(hash, GRACE.id));
    await sessions.begin(session('e', GRACE.id, at(10 * HOUR_MS)));

    expect(await sessions.find('a')).toEqual(ADA);
    expect([await sessions.isKnown(ADA.id, '192.0.2.7'), await sessions.isKnown(ADA.id, '192.0.2.8')]).toEqual([true, false]);
    await sessions.end('c');
    expect(await signedIn('a', 'b', 'c', 'd', 'e')).toEqual(['a', 'b', 'd', 'e']);
    expect([await people.changePassword(ADA.id, 'new'), await people.changePassword(GRACE.id, 'new')]).toEqual([true, false]);
    expect(await signedIn('a', 'b')).toEqual([]);
    await sessions.begin(session('f', GRACE.id));
    await clock.advance(HOUR_MS);
    expect(await signedIn('d', 'e', 'f')).toEqual([]);
    await sessions.begin(session('g', GRACE.id, at(10 * HOUR_MS)));
    expect([await people.remove(GRACE.id), await people.remove(GRACE.id)]).toEqual(['removed', 'unknown']);
    expect(await signedIn('g')).toEqual([]);
    expect(await people.list()).toEqual([ADA]);
  });

  test('a sign-in that began before a new password, or before the removal of the person, begins no session', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { people, sessions } = await store.openAccess();
    await people.add(ADA, 'old');
    const begin = (hash: string, passwordHash: string) => sessions.begin({ ...session(hash, ADA.id), passwordHash });

    expect(await begin('a', 'old')).toBe(true);
    await people.changePassword(ADA.id, 'new');
    expect([await begin('b', 'old'), await begin('c', 'new')]).toEqual([false, true]);
    const [isBegun] = await Promise.all([begin('d', 'new'), people.changePassword(ADA.id, 'newest')]);
    expect([isBegun ? await sessions.find('d') : undefined, await sessions.find('c')]).toEqual([undefined, undefined]);
    await people.remove(ADA.id);
    await people.add(ADA, 'other');
    expect([await begin('e', 'newest'), await sessions.find('e')]).toEqual([false, undefined]);
  });

  test('the last admin cannot be removed, even if two admins remove each other at once', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { people } = await store.openAccess();
    const EVE: Person = { ...ADA, id: 'password:eve', name: 'Eve' };
    await people.add(ADA, 'hash');
    await people.add({ ...EVE, role: 'viewer' }, 'hash');
    const keepsAdmin = { keepsAdmin: true };

    expect([await people.changeRole(ADA.id, 'editor'), await people.remove(ADA.id, keepsAdmin)]).toEqual(['lastAdmin', 'lastAdmin']);
    expect([await people.changeRole(EVE.id, 'admin'), await people.changeRole('password:nobody', 'admin')]).toEqual(['viewer', 'unknown']);
    const both = await Promise.all([people.changeRole(ADA.id, 'viewer'), people.remove(EVE.id, keepsAdmin)]);
    expect(both.filter((one) => one === 'lastAdmin')).toHaveLength(1);
    expect((await people.list()).filter(({ role }) => role === 'admin')).toHaveLength(1);
  });

  test('an admin from Discord, who may lose the role there, does not stand in for the last admin with a password', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { people } = await store.openAccess();
    const keepsAdmin = { keepsAdmin: true };
    await people.put({ ...GRACE, role: 'admin' });
    expect(await people.remove(GRACE.id, keepsAdmin)).toBe('lastAdmin');
    await people.add(ADA, 'hash');

    expect([await people.changeRole(ADA.id, 'editor'), await people.remove(ADA.id, keepsAdmin)]).toEqual(['lastAdmin', 'lastAdmin']);
    expect(await people.remove(GRACE.id, keepsAdmin)).toBe('removed');
  });

  test('a token works until it expires or is revoked, and its last use is stored', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { apiTokens } = await store.openAccess();
    const base = { name: 'ci', scope: 'write', by: 'ada' } as const;
    await apiTokens.add('forever', { ...base, id: '1' });
    await apiTokens.add('short', { ...base, id: '2', expiresAt: at(HOUR_MS) });

    expect([await apiTokens.use('unknown'), (await apiTokens.use('short'))?.id, (await apiTokens.use('forever'))?.id]).toEqual([
      undefined,
      '2',
      '1',
    ]);
    await clock.advance(HOUR_MS);
    expect([await apiTokens.use('short'), (await apiTokens.use('forever'))?.id]).toEqual([undefined, '1']);
    expect([await apiTokens.revoke('1'), await apiTokens.revoke('1'), await apiTokens.revoke('9')]).toEqual([true, false, false]);
    expect(await apiTokens.use('forever')).toBeUndefined();
    expect(await apiTokens.list()).toEqual([
      { ...base, id: '1', createdAt: at(0), expiresAt: undefined, lastUsedAt: at(HOUR_MS), revokedAt: at(HOUR_MS) },
      { ...base, id: '2', createdAt: at(0), expiresAt: at(HOUR_MS), lastUsedAt: at(0), revokedAt: undefined },
    ]);
  });

  test('a token is listed until 30 days after it expired or was revoked, or until it is dropped', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { apiTokens } = await store.openAccess();
    const base = { name: 'ci', scope: 'write', by: 'ada' } as const;
    const listed = async (): Promise<readonly string[]> => (await apiTokens.list()).map(({ id }) => id).toSorted();
    await apiTokens.add('forever', { ...base, id: '1' });
    await apiTokens.add('short', { ...base, id: '2', expiresAt: at(HOUR_MS) });
    await apiTokens.add('revoked', { ...base, id: '3' });
    await apiTokens.add('long', { ...base, id: '4', expiresAt: at(31 * 24 * HOUR_MS) });
    await apiTokens.revoke('3');

    await clock.advance(30 * 24 * HOUR_MS - 1);
    await apiTokens.add('next', { ...base, id: '5' });
    expect(await listed()).toEqual(['1', '2', '3', '4', '5']);

    await clock.advance(HOUR_MS + 1);
    await apiTokens.add('last', { ...base, id: '6' });
    await apiTokens.drop('5');
    expect(await listed()).toEqual(['1', '4', '6']);
  });

  test('attempts are limited, even simultaneous ones, and are granted again one by one', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { attempts } = await store.openAccess();
    const limit = { burst: 3, intervalMs: 1000 };
    const take = (): Promise<number | undefined> => attempts.take('key', limit);

    const atOnce = await Promise.all(Array.from({ length: 8 }, take));
    expect(atOnce.filter((waitMs) => waitMs === undefined)).toHaveLength(3);
    expect(await take()).toBe(1000);
    await clock.advance(999);
    expect(await take()).toBe(1);
    await clock.advance(1);
    expect([await take(), await take()]).toEqual([undefined, 1000]);
    await attempts.giveBack('key', limit);
    expect([await take(), await take()]).toEqual([undefined, 1000]);
    await clock.advance(60_000);
    expect([await take(), await take(), await take(), await take()]).toEqual([undefined, undefined, undefined, 1000]);
    expect(await attempts.take('other', limit)).toBeUndefined();
  });

  test('after a clock that was ahead, the attempts of before delay the next one by one interval', async () => {
    const clock = new ManualClock(SLOT_MS + HOUR_MS);
    await using store = await open(clock);
    const { attempts } = await store.openAccess();
    const limit = { burst: 3, intervalMs: 1000 };
    const take = (): Promise<number | undefined> => attempts.take('key', limit);
    await take();
    clock.set(SLOT_MS);

    expect([await take(), await take()]).toEqual([1000, 1000]);
    await clock.advance(1000);
    expect([await take(), await take()]).toEqual([undefined, 1000]);
  });

  test('after its attempts are forgotten, a key has all of them', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { attempts } = await store.openAccess();
    const limit = { burst: 2, intervalMs: 1000 };
    const take = (): Promise<number | undefined> => attempts.take('key', limit);
    const before = [await take(), await take(), await take()];

    await attempts.forget('key');

    expect([before, [await take(), await take(), await take()]]).toEqual([
      [undefined, undefined, 1000],
      [undefined, undefined, 1000],
    ]);
  });

  test('of several first-run tokens one is valid, and it creates one admin', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { firstRunTokens, people }: AccessStore = await store.openAccess();

    const offered = await Promise.all(['a', 'b'].map((hash) => firstRunTokens.offer(hash, { expiresAt: at(HOUR_MS) })));
    expect(offered.filter(Boolean)).toHaveLength(1);
    await clock.advance(HOUR_MS);
    const expired = offered[0] ? 'a' : 'b';
    expect(await firstRunTokens.claim(expired, ADA, 'hash')).toBe(false);
    expect(await firstRunTokens.offer('c', { expiresAt: at(2 * HOUR_MS) })).toBe(true);
    expect(await firstRunTokens.offer('other', { expiresAt: at(2 * HOUR_MS) })).toBe(false);
    expect(await firstRunTokens.offer('replacing', { expiresAt: at(2 * HOUR_MS), replaces: true })).toBe(true);
    expect(await firstRunTokens.claim('c', ADA, 'hash')).toBe(false);
    expect(await firstRunTokens.offer('c', { expiresAt: at(2 * HOUR_MS), replaces: true })).toBe(true);
    expect(await firstRunTokens.claim('wrong', ADA, 'hash')).toBe(false);
    const claims = await Promise.all([ADA, { ...ADA, id: 'password:eve' }].map((person) => firstRunTokens.claim('c', person, 'hash')));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await people.list()).toHaveLength(1);
    await firstRunTokens.offer('d', { expiresAt: at(3 * HOUR_MS) });
    expect(await firstRunTokens.claim('d', { ...ADA, id: 'password:mallory' }, 'hash')).toBe(false);
  });
}
