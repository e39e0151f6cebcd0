import { join } from 'node:path';
import { openai } from '#adapters/openai/index.ts';
import { sandbox } from '#adapters/sandbox/index.ts';
import { assistantServer } from '#sandbox/assistant/server.ts';
import { openJournal } from '#sandbox/journal-sqlite.ts';
import type { Journal } from '#sandbox/journal.ts';
import { startSandbox } from '#sandbox/server.ts';
import { generatePosts } from '#sandbox/social/generated-posts.ts';
import { type Communities, communitiesOf } from '#sandbox/social/communities.ts';
import { type FollowGraph, type People, followGraphOf, peopleOf } from '#sandbox/social/people.ts';
import type { StoredPost } from '#sandbox/social/posts.ts';
import { Reactions } from '#sandbox/social/reactions.ts';
import { Relations } from '#sandbox/social/relations.ts';
import { socialServer } from '#sandbox/social/server.ts';
import type { World } from '#sandbox/world/world.ts';
import { SocialAsync } from '#src/social/social.ts';
import type { Transcripts } from '#src/assistant/transcript.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryTranscripts } from '#src/assistant/memory-transcripts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { noting } from '../noting.ts';
import type { Ground } from '../rows.ts';
import { settle } from './installation/installation.ts';

/** A social sandbox that people have used for a while, and all there is to know of it beside its answers. */
export interface SocialGround extends Ground<SocialAsync>, AsyncDisposable {
  readonly world: World;
  readonly people: People;
  readonly graph: FollowGraph;
  readonly communities: Communities;
  /** What people write by themselves. */
  readonly chatter: readonly StoredPost[];
  /** A platform to which nobody has said anything. */
  readonly noGenerated: { readonly reactions: Reactions; readonly relations: Relations };
  /** What was written to the platform, as it stands in its file. */
  readonly store: Journal;
  readonly transcripts: Transcripts;
  readonly clock: ManualClock;
  readonly nowMs: number;
  /** Where the pages of the platform stand. */
  readonly home: string;
  /** For files that are uploaded. */
  readonly folder: { readonly path: string };
  /** One of a kind that nobody has taken yet. */
  readonly take: (kind: 'byAccount' | 'other' | 'person' | 'poll' | 'waiting') => string;
}

/** Opens it; what people did before is in its file already. */
export async function openSocial(): Promise<SocialGround> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(temporaryFolder({ inMemory: true }));
  const file = join(folder.path, 'sandbox.db');
  const clock = new ManualClock();
  const nowMs = clock.nowMs();
  const store = opening.adopt(openJournal({ file }), (opened) => opened.close());
  const planned = opening.use(await startSandbox({ clock, platforms: [], file }));
  const { world } = planned;
  const people = peopleOf(world);
  const communities = communitiesOf(world);
  const graph = followGraphOf(people);
  const chatter = generatePosts({ people: world.people, games: world.games, communities }).at(nowMs);
  const nothing = opening.adopt(openJournal(), (opened) => opened.close());
  const noGenerated = { reactions: new Reactions(nothing), relations: new Relations(nothing, graph) };
  const subjects = settle({ store, people, graph, chatter, nowMs });

  const running = opening.use(await startSandbox({ clock, platforms: [socialServer], file }));
  const { SANDBOX_URL: url = '', SANDBOX_TOKEN: token = '' } = running.environment;
  // It makes a pause between two words, for which the world is not to grow older.
  const atOnce = { nowMs: () => nowMs, sleep: async () => undefined };
  const { environment: assistant } = opening.use(await startSandbox({ clock: atOnce, platforms: [assistantServer] }));
  const transcripts = memoryTranscripts();
  const client = new SocialAsync({
    platform: sandbox({ url, token, clock }),
    assistant: openai({
      url: assistant['ASSISTANT_URL'] ?? '',
      apiKey: assistant['ASSISTANT_API_KEY'] ?? '',
      model: assistant['ASSISTANT_MODEL'] ?? '',
      clock,
    }),
    keep: { transcripts },
    clock,
  });
  const called = new Set<string>();
  const taken = new Map<string, number>();
  const all = opening.move();
  return {
    client: noting(client, called),
    called,
    world,
    people,
    graph,
    communities,
    chatter,
    noGenerated,
    store,
    transcripts,
    clock,
    nowMs,
    home: `${running.url}/social`,
    folder,
    take(kind) {
      const place = taken.get(kind) ?? 0;
      taken.set(kind, place + 1);
      return subjects[kind][place] ?? raise(`no ${kind} is left`);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function raise(message: string): never {
  throw new Error(message);
}
