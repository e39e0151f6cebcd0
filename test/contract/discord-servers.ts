import { expect, test } from 'vitest';
import { NOTICE_CLAIM_MS } from '#src/admin/servers/server-store.ts';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { OpenStore } from './store.ts';

const CHESS = { id: '42', name: 'Chess Club', joinedAt: new Date(SLOT_MS - 5000) };
const GO = { id: '7', name: 'Go Club', joinedAt: new Date(SLOT_MS) };
const ALERT = { server: '42', key: 'failed:9', channel: '9' };

/** The contract of the Discord servers of the bot, and of the messages that are kept up to date there. */
export function discordServersContract(open: OpenStore): void {
  test('a server joins once, and a new name is stored', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { servers } = store;

    const joins = [await servers.join(CHESS), await servers.join({ ...CHESS, name: 'Chess' }), await servers.join(GO)];

    expect(joins).toEqual([true, false, true]);
    expect(await servers.list()).toEqual([
      { ...CHESS, name: 'Chess', roles: {} },
      { ...GO, roles: {} },
    ]);
  });

  test('changes are merged, an empty text removes a value, and the values before and after are returned', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { servers } = store;
    await servers.join(CHESS);
    await servers.change('42', { channel: '1', ping: 'everyone' });

    const changed = await servers.change('42', { ping: '', roles: { follow: ['5'] }, pings: ['5'] });

    const before = { ...CHESS, roles: {}, channel: '1', ping: 'everyone' };
    const after = { ...CHESS, roles: { follow: ['5'] }, channel: '1', pings: ['5'] };
    expect(changed).toEqual({ before, after });
    expect(await servers.find('42')).toEqual(after);
    expect([await servers.change('8', { channel: '1' }), await servers.find('8')]).toEqual([undefined, undefined]);
  });

  test('simultaneous changes are all stored', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { servers } = store;
    await servers.join(CHESS);

    await Promise.all([
      servers.change('42', { channel: '1' }),
      servers.change('42', { ping: '2' }),
      servers.change('42', { liveRole: '3' }),
      servers.change('42', { roles: { follow: ['4'] } }),
      servers.change('42', { roles: { operate: ['5'], answer: ['6'] } }),
    ]);
    await servers.change('42', { roles: { answer: [] } });

    expect(await servers.find('42')).toMatchObject({ channel: '1', ping: '2', liveRole: '3', roles: { follow: ['4'], operate: ['5'] } });
    expect((await servers.find('42'))?.roles).not.toHaveProperty('answer');
  });

  test('of simultaneous changes that expect the same roles, one is stored', async () => {
    await using store = await open(new ManualClock(SLOT_MS));
    const { servers } = store;
    await servers.join(CHESS);

    const changes = await Promise.all(
      ['1', '2', '3'].map((role) => servers.change('42', { roles: { follow: [role] } }, { roles: { follow: [] } })),
    );

    expect(changes.filter((one) => one === 'unexpected')).toHaveLength(2);
    expect((await servers.find('42'))?.roles.follow).toHaveLength(1);
  });

  test('a server that returns has its settings again, and a server that left is removed after the retention period', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { servers, notices } = store;
    for (const server of [CHESS, GO]) await servers.join(server);
    await servers.change('42', { channel: '1' });
    await notices.begin(ALERT);

    expect([await servers.leave('42'), await servers.leave('42'), await servers.leave('7'), await servers.leave('8')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(await servers.find('42')).toMatchObject({ leftAt: new Date(SLOT_MS) });
    await clock.advance(1000);
    expect(await servers.join({ ...CHESS, joinedAt: new Date(SLOT_MS + 1000) })).toBe(true);

    expect(await servers.find('42')).toEqual({ ...CHESS, joinedAt: new Date(SLOT_MS + 1000), roles: {}, channel: '1' });
    // The greeting of the first time does not count.
    expect(await notices.list('42')).toEqual([]);
    expect(await servers.removeLeft(new Date(SLOT_MS - 1))).toEqual([]);
    expect(await servers.removeLeft(new Date(SLOT_MS))).toEqual(['7']);
    expect((await servers.list()).map(({ id }) => id)).toEqual(['42']);
  });

  test('one of several processes sends a notice, and another one can claim it if the first one ended', async () => {
    const clock = new ManualClock(SLOT_MS);
    await using store = await open(clock);
    const { notices } = store;

    const first = await Promise.all(Array.from({ length: 4 }, () => notices.begin(ALERT)));
    expect(first.filter(Boolean)).toHaveLength(1);
    await clock.advance(NOTICE_CLAIM_MS);
    expect([await notices.begin(ALERT), await notices.begin(ALERT)]).toEqual([true, false]);
    expect(await notices.list('42')).toEqual([{ ...ALERT, shown: '', at: new Date(SLOT_MS) }]);

    await notices.keep({ ...ALERT, message: '99', shown: 'one' });
    await clock.advance(NOTICE_CLAIM_MS);
    expect(await notices.begin(ALERT)).toBe(false);
    const kept = { ...ALERT, message: '99', shown: 'one', at: new Date(SLOT_MS) };
    expect(await notices.list('42')).toEqual([kept]);
    await notices.begin({ server: '7', key: `${ALERT.key}%`, channel: '1' });
    await notices.begin({ server: '7', key: `not ${ALERT.key}`, channel: '1' });
    expect((await notices.startingWith(ALERT.key)).map(({ server, key }) => [server, key])).toEqual([
      ['42', ALERT.key],
      ['7', `${ALERT.key}%`],
    ]);

    await notices.remove(ALERT);
    expect(await notices.begin(ALERT)).toBe(true);
  });
}
