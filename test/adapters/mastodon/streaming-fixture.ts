import { onTestFinished } from 'vitest';
import { mastodon } from '#adapters/mastodon/index.ts';
import { openStore } from '#src/store/store.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openMastodon, type OpenMastodon } from '../../../sandbox/test/mastodon/open-mastodon.ts';
import { controlApi } from '../../support/control-api.ts';
import { followedPlatform, hourlyRules } from '../../support/followed-platform.ts';

/** A rule of `mastodon` that polls each hour. */
export const watching = hourlyRules('mastodon');

/** A server of the sandbox, and an installation that follows it. */
export async function openStreaming(rules: readonly Rule[], prepare: (server: OpenMastodon) => Promise<void> = async () => undefined) {
  const server = await openMastodon();
  onTestFinished(() => server[Symbol.asyncDispose]());
  await prepare(server);
  const store = await openStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const one = followedPlatform({
    clock: server.clock,
    store: store.notifiers,
    client: 'social',
    rules,
    open: (log) => mastodon({ url: server.url, token: server.token, streaming: true, clock: server.clock, log }),
    exchange: () => server.send('/api/v1/instance'),
  });
  onTestFinished(() => one[Symbol.asyncDispose]());
  const order = controlApi(server.sandbox.url);
  return { ...one, server, order };
}
