import { describe, expect, test } from 'vitest';
import { badServer, nobodysAddress, selfSigned, type BadAnswer } from './bad-server.ts';
import { clientAt, hasty, PLATFORMS, trusting } from './clients.ts';
import { failureOf } from './expecting.ts';

/** A request, and two repeats of it. */
const MOST_REQUESTS = 3;
/** The reads before a write. */
const wellKnown = (line: string): BadAnswer =>
  line.startsWith('GET /2/users/me') ? { json: { data: { id: '42', name: 'Ada', username: 'ada' } } } : { status: 404, json: {} };

const WRITERS = ['x', 'bluesky', 'mastodon'] as const;

const ADDRESSES: readonly (readonly [what: string, addressOf: () => string | Promise<string>, message: RegExp])[] = [
  ['without a server', nobodysAddress, /127\.0\.0\.1:\d+ got no answer \(ECONNREFUSED\): the connection was refused; check/],
  [
    'with an unknown host name',
    () => 'https://nobody.invalid',
    /nobody\.invalid got no answer \(ENOTFOUND\): the host name cannot be found; check/,
  ],
];

describe.for(PLATFORMS)('%s', (platform) => {
  test.for(ADDRESSES)('an address %s is unreachable, with the reason in the error', async ([, addressOf, message]) => {
    await using client = clientAt(platform, await addressOf());

    const error = await failureOf(client, client.read);

    expect(error).toMatchObject({ platform, fault: 'unreachable', message: expect.stringMatching(message) });
  });

  test('a self-signed certificate is named in the error, and no credential is sent', async () => {
    await using server = await selfSigned(() => ({}));
    await using client = clientAt(platform, server.url);

    const error = await failureOf(client, client.read);

    expect(error).toMatchObject({ fault: 'unreachable' });
    expect(error.message).toMatch(
      /127\.0\.0\.1:\d+ got no answer \(DEPTH_ZERO_SELF_SIGNED_CERT\): the certificate of the server is not trusted; check the address/,
    );
    expect(error.message).toContain('NODE_EXTRA_CA_CERTS');
    expect(error.message).not.toContain('network');
    expect(server.lines).toEqual([]);
  });

  test('a certificate for another name is an error with advice about the address', async () => {
    await using server = await selfSigned(() => ({}));
    await using client = clientAt(platform, server.url.replace('127.0.0.1', 'localhost'), { dispatcher: trusting(server.certificate) });

    const error = await failureOf(client, client.read);

    expect(error).toMatchObject({
      fault: 'unreachable',
      message: expect.stringMatching(/the certificate .* is for another name; check the address/),
    });
    expect(server.lines).toEqual([]);
  });

  test('https:// to an http:// server is named in the error', async () => {
    await using server = await badServer(() => ({}));
    await using client = clientAt(platform, server.url.replace('http:', 'https:'));

    const error = await failureOf(client, client.read);

    expect(error).toMatchObject({
      fault: 'unreachable',
      message: expect.stringMatching(/the server does not use TLS; check whether the address begins/),
    });
  });

  test.for([
    ['does not respond', { by: () => {} }],
    ['closes the connection', { by: (response) => void response.destroy() }],
    [
      'closes the connection during the body',
      { by: (response) => void response.writeHead(200, { 'content-length': '99' }).write('{"da', () => response.destroy()) },
    ],
    ['stops during the body', { by: (response) => void response.writeHead(200).write('{"da') }],
  ] as const satisfies readonly (readonly [string, BadAnswer])[])(
    'a server that %s gets at most three attempts, and the error advises to try again later',
    async ([, answer]) => {
      await using server = await badServer(() => answer);
      await using client = clientAt(platform, server.url, { dispatcher: hasty(100) });

      const error = await failureOf(client, client.read);

      expect(error).toMatchObject({
        fault: 'unanswered',
        status: undefined,
        message: expect.stringMatching(/got no answer .*: try again later\./),
      });
      expect(server.lines.length).toBeLessThanOrEqual(MOST_REQUESTS);
    },
  );
});

test.for(WRITERS)('a post to %s with a broken connection is unanswered or was never sent', async (platform) => {
  const hangsUp: BadAnswer = { by: (response) => void response.destroy() };
  await using server = await badServer((line) => (line.startsWith('POST') ? hangsUp : wellKnown(line)));
  await using client = clientAt(platform, server.url);

  const error = await failureOf(client, client.write);

  expect(error).toMatchObject({ fault: 'unanswered', message: expect.stringMatching(/the outcome is unknown/) });
  expect(server.lines.filter((line) => line.startsWith('POST'))).toHaveLength(1);
});
