import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openEventSub } from './eventsub-client.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

describe('a WebSocket of EventSub', () => {
  test('begins with a welcome in the format of Twitch', async () => {
    await using twitch = await openEventSub();
    const client = await twitch.connect();
    const id = await client.sessionId();

    expect(client.messages).toEqual([
      {
        metadata: {
          message_id: expect.stringMatching(UUID),
          message_type: 'session_welcome',
          message_timestamp: '2026-11-20T18:00:00.000000000Z',
        },
        payload: {
          session: {
            id,
            status: 'connected',
            keepalive_timeout_seconds: 10,
            reconnect_url: null,
            recovery_url: null,
            connected_at: '2026-11-20T18:00:00.000000000Z',
          },
        },
      },
    ]);
    expect(id).toMatch(/^[\w-]{36}$/u);
  });

  test.each([
    ['30', 30],
    ['1', 10],
    ['9999', 600],
    ['soon', 10],
  ])('takes the nearest keepalive timeout: %s', async (requested, seconds) => {
    await using twitch = await openEventSub();
    const client = await twitch.connect(`${twitch.sandbox.url.replace(/^http/u, 'ws')}/ws?keepalive_timeout_seconds=${requested}`);
    await client.sessionId();

    expect(client.messages[0]?.payload.session).toMatchObject({ keepalive_timeout_seconds: seconds });
  });

  test('is closed with 4003 if nothing uses it for 10 seconds', async () => {
    await using twitch = await openEventSub();
    const client = await twitch.connect();
    await client.sessionId();

    await twitch.clock.advance(10_000);

    expect(await client.closed).toEqual({ code: 4003, reason: 'connection unused' });
  });

  test('stays open with a shard, and sends a keepalive after each interval without a notification', async () => {
    await using twitch = await openEventSub();
    const { client, transport } = await twitch.connectedConduit();
    await twitch.subscribe('stream.online', 'midnightowl', transport);
    const keepalives = async (): Promise<number> => {
      await client.received();
      return client.ofType('session_keepalive').length;
    };

    await twitch.clock.advance(9_999);
    const early = await keepalives();
    await twitch.clock.advance(1);
    const due = await keepalives();
    await twitch.clock.advance(5_000);
    twitch.sandbox.world.order({ do: 'goLive', user: 'midnightowl' }, twitch.clock.nowMs());
    await twitch.clock.advance(9_999);
    const delayed = await keepalives();
    await twitch.clock.advance(1);

    expect([early, due, delayed, await keepalives()]).toEqual([0, 1, 1, 2]);
    expect(client.ofType('session_keepalive')[0]?.payload).toEqual({});
  });

  test('is closed with 4001 if the client sends a message', async () => {
    await using twitch = await openEventSub();
    const { client, conduit } = await twitch.connectedConduit();

    client.socket.send('{}');

    expect(await client.closed).toEqual({ code: 4001, reason: 'sent inbound traffic' });
    expect((await twitch.helix('GET', `/conduits/shards?conduit_id=${conduit}`)).data).toMatchObject([
      { id: '0', status: 'websocket_received_inbound_traffic' },
    ]);
  });

  test('is closed with 4002 if the client does not answer a ping', async () => {
    const pingClock = new ManualClock();
    await using twitch = await openEventSub({ pingClock });
    const { client } = await twitch.connectedConduit();
    await pingClock.advance(10_000);
    await client.received();
    await pingClock.advance(10_000);
    const isOpen = client.socket.readyState === client.socket.OPEN;
    await client.received();

    client.socket.pong = () => undefined;
    await pingClock.advance(10_000);
    await pingClock.advance(10_000);

    expect(isOpen).toBe(true);
    expect(await client.closed).toEqual({ code: 4002, reason: 'failed ping pong' });
  });

  test('continues on another connection, and the old one is closed after 30 seconds', async () => {
    await using twitch = await openEventSub();
    const { client, transport, conduit } = await twitch.connectedConduit();
    await twitch.subscribe('stream.online', 'midnightowl', transport);
    expect(await twitch.order('/twitch/eventsub', { do: 'reconnect' })).toEqual({ changed: 1 });
    const told = await client.until(({ metadata }) => metadata.message_type === 'session_reconnect');
    const address = told.payload.session?.reconnect_url ?? '';

    const next = await twitch.connect(address);
    const sessionId = await next.sessionId();
    twitch.sandbox.world.order({ do: 'goLive', user: 'midnightowl' }, twitch.clock.nowMs());
    await next.until(({ metadata }) => metadata.message_type === 'notification');
    const again = await twitch.connect(address);
    await twitch.clock.advance(30_000);

    expect(told.payload.session).toMatchObject({ id: sessionId, status: 'reconnecting', keepalive_timeout_seconds: null });
    expect(address).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/twitch\/ws\?challenge=[\da-f-]{36}&id=/u);
    expect(client.ofType('notification')).toEqual([]);
    expect(await again.closed).toEqual({ code: 4007, reason: 'invalid reconnect attempt' });
    expect(await client.closed).toEqual({ code: 4004, reason: 'client reconnect grace time expired' });
    expect(next.socket.readyState).toBe(next.socket.OPEN);
    expect((await twitch.helix('GET', `/conduits/shards?conduit_id=${conduit}`)).data).toMatchObject([{ status: 'enabled' }]);
  });

  test('that does not reconnect in time ends its session', async () => {
    await using twitch = await openEventSub();
    const { client, conduit } = await twitch.connectedConduit();
    await twitch.order('/twitch/eventsub', { do: 'reconnect' });

    await twitch.clock.advance(30_000);

    expect(await client.closed).toEqual({ code: 4004, reason: 'client reconnect grace time expired' });
    expect((await twitch.helix('GET', `/conduits/shards?conduit_id=${conduit}`)).data).toMatchObject([
      { status: 'websocket_failed_to_reconnect', transport: { disconnected_at: '2026-11-20T18:00:30.000000000Z' } },
    ]);
  });

  test('stays open and silent after the fault silentSocket', async () => {
    await using twitch = await openEventSub();
    const { client, transport } = await twitch.connectedConduit();
    await twitch.subscribe('stream.online', 'midnightowl', transport);
    twitch.sandbox.faults.add({ platform: 'twitch', kind: 'silentSocket', times: 1 });

    await twitch.clock.advance(60_000);
    twitch.sandbox.world.order({ do: 'goLive', user: 'midnightowl' }, twitch.clock.nowMs());
    await client.received();

    expect(client.messages.map(({ metadata }) => metadata.message_type)).toEqual(['session_welcome']);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    expect(await twitch.order('/twitch/eventsub')).toMatchObject({
      sessions: [{ silent: true }],
      notifications: { sent: 0, undelivered: 1 },
    });
  });

  test.each([
    [4000, 'internal server error', 'websocket_internal_error'] as const,
    [4006, 'network error', 'websocket_network_error'] as const,
  ])('is closed with %i by order', async (code, reason, status) => {
    await using twitch = await openEventSub();
    const { client, conduit } = await twitch.connectedConduit();

    await twitch.order('/twitch/eventsub', { do: 'disconnect', code });

    expect(await client.closed).toEqual({ code, reason });
    expect((await twitch.helix('GET', `/conduits/shards?conduit_id=${conduit}`)).data).toMatchObject([{ status }]);
  });

  test('is lost without a close frame by order', async () => {
    await using twitch = await openEventSub();
    const { client } = await twitch.connectedConduit();

    await twitch.order('/twitch/eventsub', { do: 'disconnect' });

    expect(await client.closed).toEqual({ code: 1006, reason: '' });
  });

  test('leaves no work behind when the sandbox stops', async () => {
    const twitch = await openEventSub();
    const { client, transport } = await twitch.connectedConduit();
    await twitch.subscribe('stream.online', 'midnightowl', transport);

    await twitch.sandbox[Symbol.asyncDispose]();

    expect((await client.closed).code).toBe(1006);
    expect(twitch.clock.sleeping).toBe(0);
  });
});
