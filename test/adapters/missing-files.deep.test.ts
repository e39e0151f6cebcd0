import { resolve } from 'node:path';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { bluesky } from '#adapters/bluesky/index.ts';
import { sandbox as sandboxAdapter } from '#adapters/sandbox/index.ts';
import { x } from '#adapters/x/index.ts';
import { missingParts } from '#src/clients/operation/client.ts';
import { startSandbox } from '#sandbox/index.ts';
import { SocialAsync } from '#src/clients/social/social.ts';

const NOWHERE = 'http://127.0.0.1:9/none.png';
const keys = { apiKey: 'k', apiSecret: 's', accessToken: 't', accessSecret: 'u' };

test.each([
  ['x', () => x({ ...keys, url: 'http://127.0.0.1:9' })],
  ['bluesky', () => bluesky({ handle: 'ada.test', appPassword: 'p', url: 'http://127.0.0.1:9' })],
  ['sandbox', () => sandboxAdapter({ url: 'http://127.0.0.1:9', token: 't' })],
] as const)('%s names the files that a post would omit', async (_, open) => {
  const social = new SocialAsync({ platform: open() });

  expect(await social[missingParts]({ text: 'hi', files: [NOWHERE, 'no-such-card.png'] }, {})).toEqual([
    { parameter: 'files', index: 0, message: 'The file at 127.0.0.1 cannot be attached: it gives no answer.' },
    { parameter: 'files', index: 1, message: expect.stringContaining(resolve('no-such-card.png')) },
  ]);
});

test('on the sandbox, a post has the thumbnail of a stream; an unreadable one is named', async () => {
  await using sandbox = await startSandbox();
  const { SANDBOX_URL: url = '', SANDBOX_TOKEN: token = '' } = sandbox.environment;
  const social = new SocialAsync({ platform: sandboxAdapter({ url, token }) });
  const thumbnail = `${sandbox.url}/twitch/pictures/preview/live_user_ada-1280x720.jpg`;

  const post = await social.createPost('Ada is live', { files: [{ url: thumbnail, altText: 'The stream' }] });

  expect(post.media).toMatchObject([{ kind: 'image', altText: 'The stream' }]);
  expect((await fetch(thumbnail)).headers.get('content-type')).toBe('image/jpeg');
  await expect(social.createPost('x', { files: [thumbnail, NOWHERE] })).rejects.toMatchObject({ part: { parameter: 'files', index: 1 } });
});
