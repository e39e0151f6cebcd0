import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { x } from '#adapters/x/index.ts';
import { SocialAsync } from '#src/clients/social/social.ts';

const POSTS = 200;
const FIRST_ID = 1_990_000_000_000_000_000n;
/** Rate limits that never slow the client down. */
const LIMITS = { 'x-rate-limit-limit': '10000', 'x-rate-limit-remaining': '9999' };

/** The requests that Fanfare sends to X for a number of posts. X bills reads and writes. */
export interface PostRequests {
  readonly posts: number;
  readonly writes: number;
  /** The first post looks up the signed-in account. */
  readonly reads: number;
}

/** Counts the requests for two hundred posts on X. */
export async function requestsForPosts(): Promise<PostRequests> {
  let [writes, reads] = [0, 0];
  const server = createServer((asked, response) => {
    const isWrite = asked.method === 'POST';
    if (isWrite) writes += 1;
    else reads += 1;
    const post = { id: String(FIRST_ID + BigInt(writes)), text: `Post ${writes}`, author_id: '7', created_at: '2026-11-20T18:00:00.000Z' };
    const data = asked.url?.startsWith('/2/users/me') ? { id: '7', username: 'fanfare', name: 'Fanfare' } : post;
    asked.resume();
    response.writeHead(isWrite ? 201 : 200, { 'content-type': 'application/json', ...LIMITS });
    response.end(JSON.stringify({ data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port

  const keys = { apiKey: 'key', apiSecret: 'secret', accessToken: '7-token', accessSecret: 'secret' };
  await using platform = x({ url: `http://127.0.0.1:${port}`, ...keys });
  const social = new SocialAsync({ platform });
  for (let count = 1; count <= POSTS; count++) await social.createPost(`Post ${count}`);
  server.closeAllConnections();
  server.close();
  return { posts: POSTS, writes, reads };
}
