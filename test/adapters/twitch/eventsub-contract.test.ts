import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { twitch } from '#adapters/twitch/index.ts';
import { openStore } from '#src/store/store.ts';
import { openEventSub } from '../../../sandbox/test/twitch/eventsub-client.ts';
import { notifierContract } from '../../contract/notifier.ts';
import { followedPlatform } from '../../support/followed-platform.ts';
import { watching } from './eventsub-fixture.ts';

const State = z.object({ sessions: z.array(z.unknown()) });

notifierContract(async () => {
  const opened = await openEventSub();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { clock, sandbox, order, person } = opened;
  const { environment } = sandbox;
  await order('/world', { do: 'end', user: 'ada' }).catch(() => undefined);
  const store = await openStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const rules = [watching('live', ['ada'])];
  const followed = followedPlatform({
    clock,
    store: store.notifiers,
    client: 'streaming',
    rules,
    open: (log) =>
      twitch({
        clientId: environment['TWITCH_CLIENT_ID'] ?? '',
        clientSecret: environment['TWITCH_CLIENT_SECRET'] ?? '',
        apiUrl: environment['TWITCH_API_URL'],
        authUrl: environment['TWITCH_AUTH_URL'],
        eventSubUrl: environment['TWITCH_EVENTSUB_URL'],
        clock,
        log,
      }),
    exchange: () => order('/twitch/eventsub'),
  });
  onTestFinished(() => followed[Symbol.asyncDispose]());
  const { id } = person('ada');
  return {
    followed,
    rules,
    clock,
    change: () => order('/world', { do: 'goLive', user: 'ada' }),
    hints: [`getStreams ${id},@${id},ada,@ada`],
    all: ['getStreams all'],
    disconnect: () => order('/twitch/eventsub', { do: 'disconnect' }),
    connections: async () => State.parse(await order('/twitch/eventsub')).sessions.length,
  };
});
