import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPage } from '#src/http/media/pages/read-page.ts';
import { bytes, redirect, servePages } from '../../../support/pages.ts';

const signal = new AbortController().signal;

test('a page has a title, a description and the address of its picture', async () => {
  await using server = await servePages({
    '/a/b': '<title>A</title><meta name=description content=B><meta property=og:image content="../c.png?x=1&amp;y=2">',
  });

  const page = await readPage(`${server.url}/a/b`, { accountOrigin: server.url, signal });

  expect(page).toEqual({ title: 'A', description: 'B', imageUrl: `${server.url}/c.png?x=1&y=2` });
});

test.each(['javascript:alert(1)', 'data:image/png;base64,AAAA', 'http://', 'file:///etc/passwd'])(
  '%s is not used as a picture',
  async (image) => {
    await using server = await servePages({ '/': `<title>A</title><meta property=og:image content="${image}">` });

    expect(await readPage(`${server.url}/`, { accountOrigin: server.url, signal })).toMatchObject({ title: 'A', imageUrl: undefined });
  },
);

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

test('redirects are followed, and the address of a picture is relative to the last page', async () => {
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
  ['a missing page', (_request, answer) => void answer.writeHead(404).end('<title>A</title>'), /answered with 404/],
  ['a page with endless redirects', redirect('/'), /answered with 302/],
  ['a picture', bytes(Buffer.from('<title>A</title>'), { 'content-type': 'image/png' }), /it is no page/],
  [
    'a compressed page, although the request did not allow it',
    bytes(gzipSync('<title>A</title>'), { 'content-type': 'text/html', 'content-encoding': 'gzip' }),
    /compressed/,
  ],
])('%s is not read', async (_, reply, why) => {
  await using server = await servePages({ '/': reply });

  await expect(readPage(`${server.url}/`, { accountOrigin: server.url, signal })).rejects.toThrow(why);
});

test('the beginning of an endless page is read, and the connection is closed', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
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
  await closed;
});

test('text after half a megabyte is not read', async () => {
  await using server = await servePages({ '/': `${' '.repeat(512 * 1024)}<title>A</title>` });

  expect(await readPage(`${server.url}/`, { accountOrigin: server.url, signal })).toMatchObject({ title: undefined });
});

test('an abort ends the read of a slow page', async () => {
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
  'a page of this machine or its network is not requested: %s',
  async (host) => {
    await using server = await servePages({ '/': '<title>secret</title>' });
    const { port } = new URL(server.url);

    await expect(readPage(`http://${host}:${port}/`, { signal })).rejects.toThrow(/not a public internet address/);
    expect(server.asked).toEqual([]);
  },
);

test.each(['ftp://a.test/', 'file:///etc/passwd'])('%s is rejected', async (address) => {
  await expect(readPage(address, { signal })).rejects.toThrow(/public internet/);
});
