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
