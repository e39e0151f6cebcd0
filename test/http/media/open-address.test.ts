import { expect, test } from 'vitest';
import { Forbidden, opener } from '#src/http/media/open-address.ts';
import { isPublic } from '#src/http/media/public-addresses.ts';
import { redirect, servePages } from '../../support/pages.ts';

/** Never aborts. */
const { signal } = new AbortController();

test.each([
  '127.0.0.1',
  'localhost',
  '[::1]',
  '0.0.0.0',
  '[::]',
  '[::ffff:127.0.0.1]',
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '127.0.0.1.',
  'ada:secret@127.0.0.1',
  '169.254.169.254',
  '0251.0376.0251.0376',
  '[::ffff:a9fe:a9fe]',
  '10.0.0.1',
  '[fd00::1]',
])('a redirect from the open internet to %s is refused, and no request is sent there', async (host) => {
  await using server = await servePages({
    '/': (request, answer) => redirect('/there')(request, answer),
    '/there': (request, answer) => redirect(`http://${host}:${request.socket.localPort}/secret`)(request, answer),
    '/secret': 'secret',
  });
  // The server counts as public until its first request.
  const open = opener({ isOpen: (address) => server.asked.length < 2 || isPublic(address) });

  await expect(open(new URL(server.url), signal)).rejects.toThrow(Forbidden);

  expect(server.asked).toEqual(['/', '/there']);
});

test('an account on this machine opens only its origin', async () => {
  await using other = await servePages({ '/secret': 'secret' });
  await using server = await servePages({ '/card.png': 'card', '/away': redirect(`${other.url}/secret`) });
  const open = opener({ accountOrigin: server.url });

  const { answer } = await open(new URL('/card.png', server.url), signal);
  answer.destroy();

  expect(answer.statusCode).toBe(200);
  const { port } = new URL(server.url);
  for (const address of [`${server.url}/away`, `${other.url}/secret`, `http://localhost:${port}/card.png`, 'http://169.254.169.254/']) {
    await expect(open(new URL(address), signal)).rejects.toThrow(Forbidden);
  }
  expect(other.asked).toEqual([]);
});

test('three redirects are followed, and the fourth is returned', async () => {
  await using server = await servePages({
    '/1': redirect('/2'),
    '/2': redirect('/3'),
    '/3': redirect('/4'),
    '/4': redirect('/5'),
    '/5': 'card',
  });
  const open = opener({ accountOrigin: server.url });
  const statuses: (number | undefined)[] = [];

  for (const path of ['/2', '/1']) {
    const { answer } = await open(new URL(path, server.url), signal);
    statuses.push(answer.statusCode);
    answer.destroy();
  }

  expect(statuses).toEqual([200, 302]);
  expect(server.asked).toEqual(['/2', '/3', '/4', '/5', '/1', '/2', '/3', '/4']);
});

test.each(['file:///etc/passwd', 'ftp://a.test/', 'data:text/html,secret'])('a redirect to %s is rejected', async (location) => {
  await using server = await servePages({ '/': redirect(location) });

  await expect(opener({ accountOrigin: server.url })(new URL(server.url), signal)).rejects.toThrow(Forbidden);
});

test('a server that switches to another protocol is an error at once', async () => {
  await using server = await servePages({
    '/': ({ socket }) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n'),
  });

  await expect(opener({ accountOrigin: server.url })(new URL(server.url), signal)).rejects.toThrow('it gives no answer');
});
