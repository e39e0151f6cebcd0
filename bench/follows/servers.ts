// Discord servers with the streamers that they follow, in lists and in rule files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { z } from 'zod';
import type { Sandbox } from '#sandbox/index.ts';
import type { Store } from '#src/store/store.ts';

export const FOLLOWS = 50;
/** Servers follow some of the same streamers. */
const STREAMERS_PER_SERVER = 20;
/** One of this many streamers is live all the time. */
const LIVE = 10;
/** More than all shared streamers. */
const FIRST_ONLY = 9_000_001;

const Created = z.object({ guild: z.object({ id: z.string() }), channels: z.array(z.object({ id: z.string() })) });

/** A server with the channel of its announcements. */
export interface Server {
  readonly id: string;
  readonly name: string;
  readonly channel: string;
  readonly follows: readonly string[];
  /** One of the streamers, whom no other server follows and who is not live at first. */
  readonly only: string;
}

/** Creates servers with the bot. */
export async function createServers(sandbox: Sandbox, count: number): Promise<readonly Server[]> {
  const shared = count * (STREAMERS_PER_SERVER - 1);
  const servers: Server[] = [];
  for (let index = 0; index < count; index++) {
    const name = `Server ${index}`;
    const { body } = await request(`${sandbox.url}/control/discord/servers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    const { guild, channels } = Created.parse(await body.json());
    const others = Array.from({ length: FOLLOWS - 1 }, (_, place) => `streamer${(index * 37 + place * 211) % shared}`);
    const only = `streamer${FIRST_ONLY + index * LIVE}`;
    servers.push({ id: guild.id, name, channel: channels[0]?.id ?? '', follows: [...others, only], only });
  }
  return servers;
}

/** Whether a streamer is live from the beginning. */
export function isLiveFirst(handle: string): boolean {
  return Number(handle.replace('streamer', '')) % LIVE === 0;
}

/** Stores servers that the bot has greeted. */
export async function storeServers({ servers, notices }: Pick<Store, 'servers' | 'notices'>, created: readonly Server[]): Promise<void> {
  for (const { id, name, channel } of created) {
    const greeting = { server: id, key: 'greeting', channel };
    await servers.join({ id, name, joinedAt: new Date() });
    await notices.begin(greeting);
    await notices.keep({ ...greeting, message: id, shown: '' });
  }
}

export async function writeLists(store: Pick<Store, 'lists'>, servers: readonly Server[]): Promise<void> {
  const by = { name: 'bench', via: 'cli', role: 'admin' } as const;
  for (const { id, channel, follows } of servers) {
    const after = Object.fromEntries(follows.map((handle) => [handle, { twitch: handle, channel }]));
    await store.lists.edit({ list: 'followed', server: id }, by, () => ({ after }));
  }
}

/** Writes a rule file for each server. */
export function writeFiles(folder: string, servers: readonly Server[]): void {
  for (const { id, channel, follows } of servers) {
    const rule = `id: server-${id}
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [${follows.join(', ')}] }
  grace: 15m
then:
  - id: card
    do: discord.send
    with: { channel: "${channel}", content: "\${{ item.owner.displayName }} is live!", embed: { title: "\${{ item.title }}", url: "\${{ item.url }}", image: "\${{ item.thumbnailUrl }}" } }
while:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", embed: { title: "\${{ item.title }}" } }
finally:
  - do: discord.edit
    with: { message: "\${{ steps.card.id }}", embed: { image: "", footer: "was live for \${{ duration(episode.lengthMs) }}" } }
`;
    writeFileSync(join(folder, 'rules', `server-${id}.yaml`), rule);
  }
}

/** Creates the folders of an installation that serves each server. */
export function createFolders(folder: string): void {
  mkdirSync(join(folder, 'rules'));
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'fanfare.yaml'), 'discord:\n  servers: any\n');
}
