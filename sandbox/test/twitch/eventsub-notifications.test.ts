import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../test/support/sandbox-world.ts';
import { notified, openEventSub } from './eventsub-client.ts';

const HANDLE = 'midnightowl';

/** A WebSocket with subscriptions to all types of a channel that is offline. */
async function openSubscribed() {
  const twitch = await openEventSub();
  const { client, transport } = await twitch.connectedConduit();
  for (const type of ['stream.online', 'stream.offline', 'channel.update']) await twitch.subscribe(type, HANDLE, transport);
  const order = (what: 'goLive' | 'end' | 'changeGame' | 'changeTitle', change: { readonly game?: string; readonly title?: string } = {}) =>
    twitch.sandbox.world.order({ do: what, user: HANDLE, ...change }, twitch.clock.nowMs());
  const fault = (kind: Parameters<typeof twitch.sandbox.faults.add>[0]['kind'], ms?: number) =>
    twitch.sandbox.faults.add({ platform: 'twitch', kind, times: 1, ms });
  return { ...twitch, client, transport, order, fault, control: twitch.order, [Symbol.asyncDispose]: () => twitch[Symbol.asyncDispose]() };
}

describe('notifications', () => {
  test('have the fields of Twitch', async () => {
    await using twitch = await openSubscribed();
    const { id } = twitch.person(HANDLE);
    const broadcaster = {
      broadcaster_user_id: id,
      broadcaster_user_login: HANDLE,
      broadcaster_user_name: twitch.person(HANDLE).displayName,
    };

    const stream = twitch.order('goLive', { game: 'Chess' });
    twitch.order('changeTitle', { title: 'Rooks' });
    twitch.order('changeGame', { game: 'Minecraft' });
    twitch.order('end');
    await twitch.client.received();

    const game = twitch.sandbox.world.findGame('Minecraft');
    const chess = twitch.sandbox.world.findGame('Chess');
    const messages = twitch.client.ofType('notification');
    expect(messages[0]).toEqual({
      metadata: {
        message_id: expect.stringMatching(/^[\da-f-]{36}$/u),
        message_type: 'notification',
        message_timestamp: '2026-11-20T18:00:00.000000000Z',
        subscription_type: 'stream.online',
        subscription_version: '1',
      },
      payload: {
        subscription: {
          id: expect.any(String),
          status: 'enabled',
          type: 'stream.online',
          version: '1',
          condition: { broadcaster_user_id: id },
          transport: twitch.transport,
          created_at: '2026-11-20T18:00:00.000000000Z',
          cost: 1,
        },
        event: { id: stream?.id, ...broadcaster, type: 'live', started_at: '2026-11-20T18:00:00.000000000Z' },
      },
    });
    const update = { ...broadcaster, language: twitch.person(HANDLE).language, content_classification_labels: [] };
    expect(messages.slice(1).map(({ payload }) => payload.event)).toEqual([
      { ...update, title: 'Rooks', category_id: chess?.id, category_name: 'Chess' },
      { ...update, title: 'Rooks', category_id: game?.id, category_name: 'Minecraft' },
      broadcaster,
    ]);
  });

  test('of a resumed stream have the id and the start of the stream', async () => {
    await using twitch = await openSubscribed();
    const stream = twitch.order('goLive');
    await twitch.clock.advance(MINUTE_MS);
    twitch.order('end');
    await twitch.clock.advance(MINUTE_MS);

    twitch.sandbox.world.order({ do: 'goLive', user: HANDLE, broadcastId: stream?.id }, twitch.clock.nowMs());
    await twitch.client.received();

    expect(twitch.client.ofType('notification').at(-1)?.payload.event).toMatchObject({
      id: stream?.id,
      started_at: '2026-11-20T18:00:00.000000000Z',
    });
  });

  test('of a raid reach the subscribers of both channels', async () => {
    await using twitch = await openSubscribed();
    for (const condition of [
      { from_broadcaster_user_id: twitch.person(HANDLE).id },
      { to_broadcaster_user_id: twitch.person('grace').id },
    ]) {
      await twitch.helix('POST', '/subscriptions', { type: 'channel.raid', version: '1', condition, transport: twitch.transport });
    }
    twitch.order('goLive');

    await expect(twitch.control('/twitch/raid', { from: 'odd_fathom', to: 'grace' })).rejects.toThrow('odd_fathom is not live');
    expect(await twitch.control('/twitch/raid', { from: HANDLE, to: 'grace', viewers: 12 })).toEqual({ viewers: 12 });
    await twitch.client.received();

    const raids = twitch.client
      .ofType('notification')
      .flatMap(({ metadata, payload }) => (metadata['subscription_type'] === 'channel.raid' ? [payload.event] : []));
    const raid = { from_broadcaster_user_login: HANDLE, to_broadcaster_user_login: 'grace', viewers: 12 };
    expect(raids).toMatchObject([raid, raid]);
  });

  test('are not sent for channels without a subscription, and not after its deletion', async () => {
    await using twitch = await openSubscribed();
    const { data } = await twitch.helix('GET', '/subscriptions');

    twitch.sandbox.world.order({ do: 'goLive', user: 'odd_fathom' }, twitch.clock.nowMs());
    for (const { id } of data) await twitch.helix('DELETE', `/subscriptions?id=${id}`);
    twitch.order('goLive');
    await twitch.client.received();

    expect(twitch.client.ofType('notification')).toEqual([]);
  });

  test('end with a revocation', async () => {
    await using twitch = await openSubscribed();

    expect(await twitch.control('/twitch/eventsub', { do: 'revoke', user: HANDLE, status: 'user_removed' })).toEqual({ changed: 3 });
    twitch.order('goLive');
    await twitch.client.received();

    const [revocation] = twitch.client.ofType('revocation');
    expect(twitch.client.ofType('revocation')).toHaveLength(3);
    expect(revocation?.metadata).toMatchObject({ subscription_type: 'stream.online', subscription_version: '1' });
    expect(revocation?.payload).toMatchObject({ subscription: { status: 'user_removed', type: 'stream.online' } });
    expect(twitch.client.ofType('notification')).toEqual([]);
    expect(await twitch.helix('GET', '/subscriptions?status=user_removed')).toMatchObject({ total: 3, total_cost: 0 });
  });

  test('of 300 channels arrive as they happen in the world, each once', async () => {
    await using twitch = await openEventSub();
    const { client, transport } = await twitch.connectedConduit();
    const { world } = twitch.sandbox;
    const soon = world.eventsBetween(twitch.clock.nowMs(), twitch.clock.nowMs() + 7 * MINUTE_MS).map(({ person }) => person);
    const handles = [...new Set([...soon, ...world.people])].slice(0, 300).map(({ handle }) => handle);
    for (const handle of handles) {
      expect((await twitch.subscribe('stream.online', handle, transport)).status).toBe(202);
    }
    const fromMs = twitch.clock.nowMs();
    await client.received();
    const before = client.ofType('notification').length;

    await twitch.clock.advance(5 * MINUTE_MS);
    await client.received();

    const expected = world
      .eventsBetween(fromMs, fromMs + 5 * MINUTE_MS)
      .filter(({ kind, person }) => kind === 'wentLive' && handles.includes(person.handle))
      .map(({ at, broadcastId }) => [at.toISOString(), broadcastId]);
    const sent = client
      .ofType('notification')
      .slice(before)
      .map(({ metadata, payload }) => [new Date(metadata.message_timestamp).toISOString(), payload.event?.['id']]);
    expect(sent).toEqual(expected);
    expect(expected.length).toBeGreaterThan(20);
  });
});

describe('faults of notifications', () => {
  test('lostNotification: the event has no notification', async () => {
    await using twitch = await openSubscribed();
    twitch.fault('lostNotification');

    twitch.order('goLive');
    twitch.order('end');
    await twitch.client.received();

    expect(notified(twitch.client.messages)).toEqual([['stream.offline', HANDLE]]);
  });

  test('lateNotification: it is sent after the time', async () => {
    await using twitch = await openSubscribed();
    twitch.fault('lateNotification', 5000);

    twitch.order('goLive');
    twitch.order('end');
    await twitch.clock.advance(4999);
    await twitch.client.received();
    const early = notified(twitch.client.messages);
    await twitch.clock.advance(1);
    await twitch.client.received();

    expect(early).toEqual([['stream.offline', HANDLE]]);
    expect(notified(twitch.client.messages)).toEqual([...early, ['stream.online', HANDLE]]);
  });

  test('repeatedNotification: it is sent twice with the same id', async () => {
    await using twitch = await openSubscribed();
    twitch.fault('repeatedNotification');

    twitch.order('goLive');
    await twitch.client.received();

    const [first, second, ...more] = twitch.client.ofType('notification');
    expect(more).toEqual([]);
    expect(second).toEqual(first);
  });

  test('swappedNotification: it is sent after the next one', async () => {
    await using twitch = await openSubscribed();
    twitch.fault('swappedNotification');

    twitch.order('goLive');
    twitch.order('end');
    await twitch.client.received();

    expect(notified(twitch.client.messages).map(([type]) => type)).toEqual(['stream.offline', 'stream.online']);
  });

  test.each(['forgedNotification', 'foreignNotification'] as const)(
    '%s: a notification for an unknown subscription is sent too',
    async (kind) => {
      await using twitch = await openSubscribed();
      twitch.fault(kind);

      twitch.order('goLive');
      await twitch.client.received();

      const messages = twitch.client.ofType('notification');
      const known = new Set((await twitch.helix('GET', '/subscriptions')).data.map(({ id }) => id));
      expect(messages.map(({ payload }) => known.has(payload.subscription?.id ?? ''))).toEqual([false, true]);
      expect(new Set(messages.map(({ metadata }) => metadata.message_id)).size).toBe(2);
    },
  );

  test('apply to the type and the channel of their route', async () => {
    await using twitch = await openSubscribed();
    twitch.sandbox.faults.add({
      platform: 'twitch',
      kind: 'lostNotification',
      route: `/eventsub/stream.offline/${twitch.person(HANDLE).id}`,
    });

    twitch.order('goLive');
    twitch.order('end');
    await twitch.client.received();

    expect(notified(twitch.client.messages).map(([type]) => type)).toEqual(['stream.online']);
  });
});
