import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** The first bytes of a video. */
export const MP4 = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1');

/** An animation of one pixel that is black and white in turn; with one frame, a still picture. */
export function gifOf(width: number, height: number, frames = 2): Buffer<ArrayBuffer> {
  const head = Buffer.from('GIF89a....\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const pictures = Array.from({ length: frames }, (_, n) =>
    Buffer.from(`21f904000a0000002c0000000001000100000202${n % 2 === 0 ? '44' : '4c'}0100`, 'hex'),
  );
  return Buffer.concat([head, ...pictures, Buffer.from(';')]);
}

/** The first bytes of an MP4 file with these tracks. */
export function mp4Of(...tracks: readonly ('vide' | 'soun')[]): Buffer<ArrayBuffer> {
  return Buffer.concat([MP4, ...tracks.map((kind) => Buffer.from(`\0\0\0\x21hdlr\0\0\0\0\0\0\0\0${kind}`, 'latin1'))]);
}

/** The first bytes of a WebM file with these codecs, for example `V_VP9` and `A_OPUS`. */
export function webmOf(...codecs: readonly string[]): Buffer<ArrayBuffer> {
  const tracks = codecs.map((codec) => Buffer.from(`\x86${String.fromCharCode(0x80 + codec.length)}${codec}`, 'latin1'));
  return Buffer.concat([Buffer.from('1a45dfa3874282847765626d', 'hex'), ...tracks]);
}

/** The path of a new file. */
export function fileWith(
  content: Buffer | string,
  { folder, name }: { readonly folder: { readonly path: string }; readonly name: string },
): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

/** A local server with a picture at `url` and a page at `/page`. */
export async function servePicture(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(({ url }, answer) => {
    if (url === '/card.png') answer.end(PNG);
    else if (url === '/page') answer.end('<p>no picture</p>');
    else answer.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/card.png`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
