import { expect, test } from 'vitest';
import { MockAgent } from 'undici';
import { bluesky } from '#adapters/bluesky/index.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { x } from '#adapters/x/index.ts';
import { SocialAsync, type SocialPlatform } from '#src/clients/social/social.ts';
import { servePicture } from '../support/media-files.ts';

/** A network with a single server, which records its requests. */
function network(): MockAgent {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent
    .get('https://example.social')
    .intercept({ path: '/api/v2/instance' })
    .reply(200, { domain: 'example.social', version: '4.6.0' })
    .persist();
  return agent;
}

const keys = { apiKey: 'k', apiSecret: 's', accessToken: 't', accessSecret: 'u' };

test.for<[name: string, open: (dispatcher: MockAgent) => SocialPlatform]>([
  ['x', (dispatcher) => x({ ...keys, dispatcher })],
  ['bluesky', (dispatcher) => bluesky({ handle: 'ada.example.org', appPassword: 'p', dispatcher })],
  ['mastodon', (dispatcher) => mastodon({ url: 'https://example.social', token: 'm', dispatcher })],
])('a file at a local address is not sent to the open internet: %s', async ([, open]) => {
  await using stack = new AsyncDisposableStack();
  const pictures = stack.use(await servePicture());
  const agent = network();
  stack.defer(() => agent.close());

  const write = new SocialAsync({ platform: open(agent) }).uploadMedia(pictures.url);

  await expect(write).rejects.toThrow('The file at 127.0.0.1 cannot be attached: it is not a public internet address.');
});

test.for<[name: string, open: (url: string, dispatcher: MockAgent) => SocialPlatform]>([
  ['x', (url, dispatcher) => x({ ...keys, url, dispatcher })],
  ['bluesky', (url, dispatcher) => bluesky({ url, handle: 'ada.example.org', appPassword: 'p', dispatcher })],
  ['mastodon', (url, dispatcher) => mastodon({ url, token: 'm', dispatcher })],
])('an account on this machine does not open other local servers to media: %s', async ([, open]) => {
  await using stack = new AsyncDisposableStack();
  const pictures = stack.use(await servePicture());
  const agent = new MockAgent();
  agent.disableNetConnect();
  stack.defer(() => agent.close());
  const url = 'http://127.0.0.1:1';
  agent.get(url).intercept({ path: '/api/v2/instance' }).reply(200, { domain: '127.0.0.1:1', version: '4.6.0' }).persist();

  const write = new SocialAsync({ platform: open(url, agent) }).uploadMedia(pictures.url);

  await expect(write).rejects.toThrow('The file at 127.0.0.1 cannot be attached: it is not a public internet address.');
});
