import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { getJson, launch, untilReady } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const Announced = z.object({ items: z.array(z.object({ details: z.object({ noticedBy: z.string() }) })) });
const Account = z.object({ did: z.string(), handle: z.string(), appPassword: z.string() });
const Connected = z.object({ connections: z.union([z.array(z.object({ dids: z.number() })), z.number()]) });
const WAIT = { timeout: 240_000, interval: 200 };

/** Without hints, these rules would see a post after up to a week. */
const RULES = {
  sky: `
id: sky
when: { every: 7d, watch: social.getPosts, account: bluesky, with: { user: ada.sandbox.test } }
then:
  - { do: social.createPost, as: x, with: { text: "from Bluesky: \${{ item.text }}" } }
`,
  x: `
id: x
when: { every: 7d, watch: social.getPosts, account: x, with: { user: grace } }
then:
  - { do: social.createPost, as: bluesky, with: { text: "from X: \${{ item.text }}" } }
`,
};

test('posts on Bluesky and X are announced at once, whatever the time between polls', async () => {
  await using sandbox = await startSandbox({});
  using folder = temporaryFolder({ inMemory: true });
  mkdirSync(join(folder.path, 'rules'));
  for (const [name, text] of Object.entries(RULES)) writeFileSync(join(folder.path, 'rules', `${name}.yaml`), text);
  const accounts = { ...sandbox.onRequest['bluesky'], ...sandbox.onRequest['x'], X_STREAM: 'on' };
  await using fanfare = await launch({ environment: { ...accounts, FANFARE_DATA: join(folder.path, 'data') }, cwd: folder.path });
  await untilReady(fanfare);

  const send = async (path: string, body: object, token?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.ok).toBe(true);
    return response.json();
  };
  const texts = async (network: string) =>
    Posts.parse(await getJson(`${sandbox.url}/control/${network}/posts`)).items.map(({ text }) => text);
  const connected = async (path: string) => Connected.parse(await getJson(`${sandbox.url}/control${path}`)).connections;
  await expect.poll(() => connected('/bluesky/jetstream'), WAIT).toEqual([{ dids: 1 }]);
  await expect.poll(() => connected('/x/stream'), WAIT).toBe(1);

  const { did, handle, appPassword } = Account.parse(await send('/control/bluesky/accounts', { user: 'ada' }));
  const session = await send('/bluesky/xrpc/com.atproto.server.createSession', { identifier: handle, password: appPassword });
  const { accessJwt } = z.object({ accessJwt: z.string() }).parse(session);
  const record = { $type: 'app.bsky.feed.post', text: 'A checkmate', createdAt: new Date().toISOString() };
  await send('/bluesky/xrpc/com.atproto.repo.createRecord', { repo: did, collection: record.$type, record }, accessJwt);
  await expect.poll(() => texts('x'), WAIT).toContain('from Bluesky: A checkmate');

  const { accessToken } = z.object({ accessToken: z.string() }).parse(await send('/control/x/sessions', { user: 'grace' }));
  await send('/x/2/tweets', { text: 'A stalemate' }, accessToken);
  await expect.poll(() => texts('bluesky'), WAIT).toContain('from X: A stalemate');

  for (const rule of Object.keys(RULES)) {
    const { items } = Announced.parse(await getJson(`${fanfare.url}/api/decisions?rule=${rule}&outcome=fired`));
    expect(items.map(({ details }) => details.noticedBy)).toEqual(['notification']);
  }
});
