import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPage } from '#src/media/pages/read-page.ts';
import { bytes, redirect, servePages } from '../../support/pages.ts';

const signal = new AbortController().signal;

test('a page says what it is called, and where its picture is', async () => {
  await using server = await servePages({
    '/a/b': '<title>A</title><meta name=description content=B><meta property=og:image content="../c.png?x=1&amp;y=2">',
  });

  const page = await readPage(`${server.url}/a/b`, { accountOrigin: server.url, signal });

  expect(page).toEqual({ title: 'A', description: 'B', imageUrl: `${server.url}/c.png?x=1&y=2` });
});

test.each(['javascript:alert(1)', 'data:image/png;base64,AAAA', 'http://', 'file:///etc/passwd'])('%s is no picture', async (image) => {
  await using server = await servePages({ '/': `<title>A</title><meta property=og:image content="${image}">` });

  expect(await readPage(`${server.url}/`, { accountOrigin: server.url, signal })).toMatchObject({ title: 'A', imageUrl: undefined });
});

test.each([
  ['the response states the encoding', 'text/html; charset="iso-8859-1"', [], '<title>', [0xe4]],
  ['a meta element states the encoding', 'text/html', [], '<meta charset=windows-1252><title>', [0xe4]],
  [
    'an http-equiv element states the encoding',
    'text/html',
    [],
    '<meta http-equiv="Content-Type" content="text/html; charset=latin1"><title>',
    [0xe4],
  ],
  ['no encoding is stated', 'text/html', [], '<title>', [0xc3, 0xa4]],
  ['the stated encoding is unknown', 'text/html; charset=klingon', [], '<title>', [0xc3, 0xa4]],
  ['the text begins with a byte order mark', 'text/html; charset=latin1', [0xef, 0xbb, 0xbf], '<title>', [0xc3, 0xa4]],
  ['the meta element states UTF-16', 'text/html', [], '<meta charset=utf-16le><title>', [0xc3, 0xa4]],
])('a page is decoded if %s', async (_, type, prefix, before, umlaut) => {
  const content = Buffer.concat([Buffer.from(prefix), Buffer.from(before), Buffer.from(umlaut), Buffer.from('</title>')]);
  await using server = await servePages({ '/': bytes(content, { 'content-type': type }) });

  expect(await readPage(`${server.url}/`, { accountOrigin: server.url, signal })).toMatchObject({ title: 'ä' });
});

test('a page is read where redirects lead, and a picture found from there', async () => {
  await using server = await servePages({
    '/1': redirect('/2'),
    '/2': redirect('/x/3'),
    '/x/3': '<title>A</title><meta property=og:image content=c.png>',
  });

  expect(await readPage(`${server.url}/1`, { accountOrigin: server.url, signal })).toMatchObject({
    title: 'A',
    imageUrl: `${server.url}/x/c.png`,
  });
});

test.each<readonly [string, RequestListener, RegExp]>([
  ['one that is not there', (_request, answer) => void answer.writeHead(404).end('<title>A</title>'), /answered with 404/],
  ['one that leads in a circle', redirect('/'), /answered with 302/],
  ['a picture', bytes(Buffer.from('<title>A</title>'), { 'content-type': 'image/png' }), /it is no page/],
  [
    'one that is compressed, although the request did not allow it',
    bytes(gzipSync('<title>A</title>'), { 'content-type': 'text/html', 'content-encoding': 'gzip' }),
    /compressed/,
  ],
])('%s is not read', async (_, standing, why) => {
  await using server = await servePages({ '/': standing });

  await expect(readPage(`${server.url}/`, { accountOrigin: server.url, signal })).rejects.toThrow(why);
});

test('of a page that goes on for ever the beginning is read, and its server let go', async () => {
  const { promise: letGo, resolve } = Promise.withResolvers<void>();
  await using server = await servePages({
    '/': (_request, answer) => {
      answer.on('close', resolve);
      answer.writeHead(200, { 'content-type': 'text/html' }).write('<title>A</title>');
      const more = (): void => {
        while (answer.write('x'.repeat(65_536)));
        answer.once('drain', more);
      };
      more();
    },
  });

  expect(await readPage(`${server.url}/`, { accountOrigin: server.url, signal })).toMatchObject({ title: 'A' });
  await letGo;
});

test('text after half a megabyte is not read', async () => {
  await using server = await servePages({ '/': `${' '.repeat(512 * 1024)}<title>A</title>` });

  expect(await readPage(`${server.url}/`, { accountOrigin: server.url, signal })).toMatchObject({ title: undefined });
});

test('a page that comes a letter at a time is left when the time is up', async () => {
  const stop = new AbortController();
  await using server = await servePages({
    '/': (_request, answer) => {
      answer.writeHead(200, { 'content-type': 'text/html' }).write('<title>A');
      setImmediate(() => stop.abort(new Error('late')));
    },
  });

  await expect(readPage(`${server.url}/`, { accountOrigin: server.url, signal: stop.signal })).rejects.toThrow(/abort/i);
});

test.each(['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433', '169.254.169.254', '[::ffff:7f00:1]'])(
  'a page of this machine or its network is not asked: %s',
  async (host) => {
    await using server = await servePages({ '/': '<title>secret</title>' });
    const { port } = new URL(server.url);

    await expect(readPage(`http://${host}:${port}/`, { signal })).rejects.toThrow(/not a public internet address/);
    expect(server.asked).toEqual([]);
  },
);

test.each(['ftp://a.test/', 'file:///etc/passwd'])('%s is no page', async (address) => {
  await expect(readPage(address, { signal })).rejects.toThrow(/public internet/);
});
