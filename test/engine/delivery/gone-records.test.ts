import { expect, test } from 'vitest';
import { mastodon } from '#adapters/mastodon/index.ts';
import { createClients } from '#src/clients/clients.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { PlatformError, type PlatformErrorOptions } from '#src/errors.ts';
import { performStep } from '#src/engine/delivery/steps.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const clock = new ManualClock();

/** Performs a step whose platform fails. */
function failing(verb: string, params: object, options: Partial<PlatformErrorOptions>): Promise<unknown> {
  const fail = () => Promise.reject(new PlatformError('no', { platform: 'mastodon', fault: 'missing', ...options }));
  const real = mastodon({ url: 'http://127.0.0.1:1', token: 'x', clock });
  const operations = Object.fromEntries(Object.keys(real.operations).map((name) => [name, fail]));
  const platform: SocialPlatform = { ...real, operations };
  const clients = createClients({ streaming: [], social: [platform], discord: [] }, clock);
  const attempt = {
    do: verb,
    account: 'mastodon',
    params: { ...params },
    key: 'k',
    since: new Date(0),
    signal: new AbortController().signal,
  };
  return performStep(clients, attempt);
}

test.for([
  ['social.postDetail', { identifier: '1' }],
  ['social.getUserInfo', { user: 'ada' }],
  ['social.getList', { list: '1' }],
] as const)('%s of a record that the platform does not have is gone', async ([verb, params]) => {
  expect(await failing(verb, params, {})).toEqual({ gone: true });
});

test.for(['unreachable', 'unanswered', 'unavailable', 'rateLimited', 'unauthorized', 'forbidden', 'rejected', 'malformed'] as const)(
  'a look-up with the fault %s fails',
  async (fault) => {
    await expect(failing('social.postDetail', { identifier: '1' }, { fault })).rejects.toMatchObject({ fault });
  },
);

test.for([
  ['a list of a missing user', 'social.getPosts', { user: 'ada' }, {}],
  ['a write to a missing post', 'social.repostPost', { post: '1' }, {}],
  ['a look-up of a refused account', 'social.postDetail', { identifier: '1' }, { refusesAccount: true }],
] as const)('%s fails', async ([, verb, params, options]) => {
  await expect(failing(verb, params, options)).rejects.toMatchObject({ fault: 'missing' });
});
