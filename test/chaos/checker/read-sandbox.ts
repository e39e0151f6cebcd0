import { z } from 'zod';
import { callControl } from '../sandbox-process.ts';
import { Messages, Posts, SkyPosts, type Snapshot } from './arrivals.ts';
import { WorldEvents } from './world.ts';

/** Reads everything that a sandbox has: the events of the world since an instant, and what arrived on its platforms. */
export async function readSandbox(url: string, sinceMs: number): Promise<{ readonly events: WorldEvents; readonly snapshot: Snapshot }> {
  const since = new Date(sinceMs).toISOString();
  const messages = Messages.parse(await allPages(`${url}/control/messages?limit=1000`));
  const [social, mastodon, x, sky] = await Promise.all(
    ['posts', 'mastodon/posts', 'x/posts', 'bluesky/posts'].map((path) => allPages(`${url}/control/${path}`)),
  );
  const posts = { social: Posts.parse(social), mastodon: Posts.parse(mastodon), x: Posts.parse(x) };
  const snapshot = { takenAtMs: Date.now(), messages, posts, skyPosts: SkyPosts.parse(sky) };
  // Every announcement in the snapshot has its event in a list that is read later.
  return { snapshot, events: WorldEvents.parse(await allPages(`${url}/control/events?since=${since}`)) };
}

const Page = z.object({ items: z.array(z.unknown()), cursor: z.string().optional() });

async function allPages(url: string): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
    const page = Page.parse(await callControl(next, 'GET'));
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return items;
}
