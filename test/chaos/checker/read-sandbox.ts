import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runOf, type HistoryLine } from '../history.ts';
import { callControl } from '../sandbox-process.ts';
import { Messages, Posts, SkyPosts, type Snapshot } from './arrivals.ts';
import { WorldEvents } from './world.ts';

/** The data of the world and the platforms. */
export interface Evidence {
  readonly events: WorldEvents;
  readonly snapshot: Snapshot;
}

const SavedEvidence = z.object({ snapshot: z.object({ messages: Messages }) });

/**
 * Reads what the sandbox of a run has, and saves it in the folder of the run. The sandbox forgets the oldest messages of Discord, so they are
 * taken from the evidence that an earlier call saved.
 */
export async function readEvidence(folder: string, history: readonly HistoryLine[]): Promise<Evidence> {
  const { atMs, sandboxUrl } = runOf(history);
  const file = join(folder, 'observed.json');
  const evidence = await readSandbox(sandboxUrl, atMs);
  const saved = existsSync(file) ? SavedEvidence.parse(JSON.parse(readFileSync(file, 'utf8'))).snapshot.messages : [];
  const merged = withForgotten(evidence, saved);
  writeFileSync(file, JSON.stringify(merged));
  return merged;
}

/** Adds messages of an earlier snapshot that a later one does not have. */
export function withForgotten({ snapshot, ...evidence }: Evidence, earlier: Snapshot['messages']): Evidence {
  const known = new Set(snapshot.messages.map(({ id }) => id));
  const messages = [...earlier.filter(({ id }) => !known.has(id)), ...snapshot.messages];
  return { ...evidence, snapshot: { ...snapshot, messages } };
}

/** Reads everything that a sandbox has: the events of the world since an instant, and what arrived on its platforms. */
async function readSandbox(url: string, sinceMs: number): Promise<Evidence> {
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
