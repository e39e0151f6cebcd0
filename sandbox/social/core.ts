import type { SandboxContext } from '../context.ts';
import type { FaultKind, FaultOrder, FaultedRequest } from '../faults.ts';
import { Bookmarks, Reactions, Votes } from './reactions.ts';
import { type GeneratedPosts, generatePosts } from './generated-posts.ts';
import { communitiesOf } from './communities.ts';
import { resonanceOf } from './engagement.ts';
import { feedOf, visibleTo } from './feed.ts';
import { type People, followGraphOf, peopleOf } from './people.ts';
import { UserLists } from './lists.ts';
import type { SocialRequest } from './request.ts';
import { DirectMessages } from './messaging/direct-messages.ts';
import type { Snapshot } from './snapshot.ts';
import { WrittenPosts } from './posts.ts';
import { Relations } from './relations.ts';
import { Uploads } from './media.ts';
import type { WorldPerson } from '../world/world.ts';

/** The data of a social platform, without a protocol. */
export interface SocialCore {
  readonly people: People;
  readonly generatedPosts: GeneratedPosts;
  readonly written: WrittenPosts;
  readonly uploads: Uploads;
  readonly directMessages: DirectMessages;
  /** The platform as a viewer sees it now; without a viewer, as anyone sees it who is not signed in. */
  readonly snapshotFor: (viewer?: WorldPerson) => Snapshot;
  /** The platform for one request of a viewer. */
  readonly startRequest: (request: Omit<FaultedRequest, 'platform'>, viewer: WorldPerson) => SocialRequest;
}

/** A social platform. The journal of the context stores everything that is written to it. */
export function createSocialCore({ name, context }: { readonly name: string; readonly context: SandboxContext }): SocialCore {
  const { world, clock, faults, journal, lively, url } = context;
  const people = peopleOf(world);
  const communities = communitiesOf(world);
  const generatedPosts = generatePosts({ people: world.people, games: world.games, communities, mentions: lively });
  const relations = new Relations(journal, followGraphOf(people));
  const written = new WrittenPosts(journal, lively ? resonanceOf({ people, relations, communities }) : undefined);
  const lists = new UserLists(journal);
  const bookmarks = new Bookmarks(journal);
  const reactions = new Reactions(journal);
  const votes = new Votes(journal);
  const uploads = new Uploads(journal);
  const directMessages = new DirectMessages(journal);

  function snapshotFor(viewer?: WorldPerson): Snapshot {
    const now = new Date(clock.nowMs());
    const visible = visibleTo(viewer, { people, relations, communities });
    const feed = feedOf({ written, generatedPosts, visible, audience: { now, people, reactions, relations } });
    const shared = { people, communities, relations, bookmarks, reactions, votes };
    return { now, url: `${url()}/${name}`, viewer, games: world.games, feed, ...shared };
  }

  return {
    people,
    generatedPosts,
    written,
    uploads,
    directMessages,
    snapshotFor,
    startRequest(request, viewer) {
      const fault = (kind: FaultKind): FaultOrder | undefined => faults.take(kind, { platform: name, ...request });
      return { snapshot: snapshotFor(viewer), viewer, written, lists, uploads, directMessages, fault };
    },
  };
}
