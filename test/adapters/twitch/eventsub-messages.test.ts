import { describe, expect, test } from 'vitest';
import { readEventSubMessage } from '#adapters/twitch/eventsub/read-message.ts';
import { openEventSub } from '../../../sandbox/test/twitch/eventsub-client.ts';

const SENT = '2026-11-20T18:00:00.123456789Z';

/** A notification as `twitch event` of twitch-cli sends it. */
const notification = (type: string, event: object, metadata: object = {}) =>
  JSON.stringify({
    metadata: {
      message_id: 'm1',
      message_type: 'notification',
      message_timestamp: SENT,
      subscription_type: type,
      subscription_version: '1',
      ...metadata,
    },
    payload: {
      subscription: {
        id: 's1',
        status: 'enabled',
        type,
        version: '1',
        condition: {},
        transport: { method: 'websocket' },
        created_at: SENT,
        cost: 0,
      },
      event,
    },
  });

describe('messages of EventSub', () => {
  const broadcaster = { broadcaster_user_id: '12', broadcaster_user_login: 'ada', broadcaster_user_name: 'Ada' };
  const update = { title: 'New', language: 'en', category_id: '509658', category_name: 'Just Chatting' };

  test.each([
    ['stream.online', { id: '9', ...broadcaster, type: 'live', started_at: SENT }, { streamId: '9' }],
    ['stream.offline', broadcaster, {}],
    ['channel.update', { ...broadcaster, ...update, is_mature: false }, { update: { title: 'New', categoryId: '509658' } }],
    [
      'channel.update',
      { ...broadcaster, ...update, content_classification_labels: [] },
      { update: { title: 'New', categoryId: '509658' } },
    ],
  ])('%s, as twitch-cli sends it, has its id, its time and its channel', (type, event, more) => {
    expect(readEventSubMessage(notification(type, event))).toEqual({
      kind: 'notification',
      id: 'm1',
      sentAt: new Date('2026-11-20T18:00:00.123Z'),
      subscriptionId: 's1',
      conduitId: undefined,
      type,
      streamId: undefined,
      update: undefined,
      channelIds: ['12'],
      shard: undefined,
      ...more,
    });
  });

  test('a raid has two channels, and a disabled shard has its status', () => {
    const raid = readEventSubMessage(
      notification('channel.raid', { from_broadcaster_user_id: '1', to_broadcaster_user_id: '2', viewers: 3 }),
    );
    const shard = readEventSubMessage(
      notification('conduit.shard.disabled', {
        conduit_id: 'c',
        shard_id: '4',
        status: 'websocket_disconnected',
        transport: { method: 'websocket', session_id: 's' },
      }),
    );

    expect(raid).toMatchObject({ channelIds: ['1', '2'] });
    expect(shard).toMatchObject({ channelIds: [], shard: { conduitId: 'c', id: '4', status: 'websocket_disconnected', sessionId: 's' } });
  });

  test('a message of an unknown kind is no error', () => {
    expect(readEventSubMessage('{"metadata":{"message_type":"session_weather"},"payload":{}}')).toEqual({ kind: 'unknown' });
  });

  test.each([
    '',
    'null',
    '[]',
    '{"metadata":{}}',
    '{"metadata":{"message_type":"session_welcome"},"payload":{"session":{"id":"","keepalive_timeout_seconds":10}}}',
    '{"metadata":{"message_type":"session_welcome"},"payload":{"session":{"id":"a","keepalive_timeout_seconds":0}}}',
    '{"metadata":{"message_type":"session_reconnect"},"payload":{"session":{"reconnect_url":"https://example.org/"}}}',
    '{"metadata":{"message_type":"revocation"},"payload":{}}',
    notification('stream.online', {}, { message_timestamp: 'soon' }),
    notification('stream.online', { broadcaster_user_id: 12 }),
  ])('a malformed message is undefined: %s', (text) => {
    expect(readEventSubMessage(text)).toBeUndefined();
  });

  test('all messages of the simulated Twitch are read', async () => {
    await using twitch = await openEventSub();
    const { client, transport } = await twitch.connectedConduit();
    const texts: string[] = [];
    client.socket.on('message', (data: Buffer) => texts.push(data.toString()));
    await twitch.subscribe('stream.online', 'midnightowl', transport);

    await twitch.clock.advance(10_000);
    twitch.sandbox.world.order({ do: 'goLive', user: 'midnightowl' }, twitch.clock.nowMs());
    await twitch.order('/twitch/eventsub', { do: 'revoke' });
    await twitch.order('/twitch/eventsub', { do: 'reconnect' });
    await client.received();

    const { id } = twitch.person('midnightowl');
    expect(readEventSubMessage(JSON.stringify(client.messages[0]))).toEqual({
      kind: 'welcome',
      sessionId: await client.sessionId(),
      keepaliveMs: 10_000,
    });
    expect(texts.map(readEventSubMessage)).toMatchObject([
      { kind: 'keepalive' },
      { kind: 'notification', type: 'stream.online', channelIds: [id], sentAt: new Date(twitch.clock.nowMs()) },
      { kind: 'revocation', type: 'stream.online', status: 'authorization_revoked' },
      { kind: 'reconnect', url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1/u) },
    ]);
  });
});
