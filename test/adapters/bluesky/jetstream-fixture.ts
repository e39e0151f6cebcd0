import { onTestFinished } from 'vitest';
import { bluesky } from '#adapters/bluesky/index.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openStore } from '#src/store/store.ts';
import { openBluesky } from '../../../sandbox/test/bluesky/open-bluesky.ts';
import { controlApi } from '../../support/control-api.ts';
import { followedPlatform, hourlyRules } from '../../support/followed-platform.ts';

/** A rule of `bluesky` that polls each hour. */
export const watching = hourlyRules('bluesky');

/** The servers of the sandbox, and an installation that follows Jetstream. */
export async function openJetstream(rules: readonly Rule[]) {
  const server = await openBluesky();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const store = await openStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const { environment, clock, sandbox } = server;
  const order = controlApi(sandbox.url);
  const one = followedPlatform({
    clock,
    store: store.notifiers,
    client: 'social',
    rules,
    open: (log) =>
      bluesky({
        url: environment['BLUESKY_URL'],
        handle: environment['BLUESKY_HANDLE'] ?? '',
        appPassword: environment['BLUESKY_APP_PASSWORD'],
        jetstreamUrl: environment['BLUESKY_JETSTREAM_URL'],
        clock,
        log,
      }),
    exchange: () => order('/bluesky/jetstream'),
  });
  onTestFinished(() => one[Symbol.asyncDispose]());
  return { ...one, server, order };
}
