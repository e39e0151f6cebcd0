import { expect, test } from 'vitest';
import { badServer, type BadAnswer } from './bad-server.ts';
import { clientAt, PLANTED } from './clients.ts';
import { failureOf } from './expecting.ts';

const words = 'Sorry, this app is not "allowed" to <do> this.';

test.for([
  ['a closed connection', { by: (response) => void response.destroy() }],
  ['an outage', { status: 503, text: words }],
  ['a page', { text: words }],
  ['a redirect', { status: 302, headers: { location: 'https://elsewhere.invalid' } }],
  ['status 402', { status: 402, json: {} }],
  ['a limit', { status: 429, text: '' }],
] as const satisfies readonly (readonly [string, BadAnswer])[])(
  'a renewal of X that is answered with %s does not end the sign-in, which works when X is available again',
  async ([, answer]) => {
    let isAvailable = false;
    const token = { access_token: `${PLANTED}-2`, refresh_token: `${PLANTED}-3`, expires_in: 7200 };
    const good = (line: string): BadAnswer => ({
      json: line.includes('oauth2/token') ? token : { data: { id: '42', name: 'Ada', username: 'ada' } },
    });
    await using server = await badServer((line) => (isAvailable ? good(line) : answer));
    await using client = clientAt('x', server.url, { signedIn: false });

    const { fault } = await failureOf(client, client.read);
    isAvailable = true;

    expect(fault).not.toBe('unauthorized');
    await expect(client.read()).resolves.toMatchObject({ handle: 'ada' });
  },
);

test('a list of X with a missing row has the other rows, and a partial error with only the id', async () => {
  const gone = {
    value: '8',
    resource_id: '8',
    parameter: 'ids',
    title: words,
    detail: words,
    type: 'https://api.x.com/2/problems/resource-not-found',
  };
  await using server = await badServer(() => ({ json: { data: [{ id: '7', name: 'Ada', username: 'ada' }], errors: [gone] } }));
  await using client = clientAt('x', server.url);

  await expect(client.read()).rejects.toMatchObject({ fault: 'malformed' });
  const followers = await client.social?.getUserFollowers('7', { pages: 1 });

  expect(followers?.items.map(({ handle }) => handle)).toEqual(['ada']);
  expect(followers?.partialErrors).toEqual([
    { fault: 'missing', message: 'the answer of X is incomplete: no reason given.', values: ['8'] },
  ]);
});
