import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { openStore } from '#src/store/store.ts';
import { openEventSub } from '../../../sandbox/test/twitch/eventsub-client.ts';
import { notifierContract } from '../../contract/notifier.ts';
import { followedPlatform } from '../../support/followed-platform.ts';
import { eventSubPlatform, watching } from './eventsub-fixture.ts';

const State = z.object({ sessions: z.array(z.unknown()) });

notifierContract(async () => {
  const opened = await openEventSub();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { clock, sandbox, order, person } = opened;
  await order('/world', { do: 'end', user: 'ada' }).catch(() => undefined);
  const store = await openStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const rules = [watching('live', ['ada'])];
  const followed = followedPlatform({
    clock,
    store: store.notifiers,
    client: 'streaming',
    rules,
    open: (log) => eventSubPlatform(sandbox, { clock, log }),
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
