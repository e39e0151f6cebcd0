import type { JsonObject } from '#src/operation/json.ts';
import { postsOf, toUser } from '../../social/user-record.ts';
import { pictureAddresses } from '../../twitch/pictures/addresses.ts';
import type { WorldPerson } from '../../world/world.ts';
import { postId } from '../ids/post-ids.ts';
import { userId } from '../ids/user-ids.ts';
import { wireText } from './text.ts';
import { instant, made, type Makers, type View } from './view.ts';

const makers: Makers<WorldPerson> = {
  id: userId,
  name: ({ displayName }) => displayName,
  username: ({ handle }) => handle,
  connection_status: (person, view) => connectionOf(person, view),
  created_at: ({ createdAt }) => instant(createdAt.getTime()),
  description: ({ bio }) => bio,
  entities: ({ bio }, { moment }) => {
    const { entities } = wireText(bio, { people: moment.people });
    return entities && { description: entities };
  },
  is_identity_verified: () => false,
  most_recent_tweet_id: (person, { moment }) => {
    const [latest] = postsOf(person, moment);
    return latest && postId(latest);
  },
  parody: () => false,
  pinned_tweet_id: (person, { moment }) => {
    const pinned = toUser(person, moment).pinnedPostIds?.[0];
    const post = pinned === undefined ? undefined : moment.feed.find(pinned);
    return post && postId(post);
  },
  profile_banner_url: ({ id }, view) => picturesOf(view).offline(id),
  profile_image_url: ({ id }, view) => picturesOf(view).avatar(id),
  protected: ({ id }, { moment }) => moment.people.isProtected(id),
  public_metrics: (person, view) => metricsOf(person, view),
  receives_your_dm: (person, { viewer, moment }) => viewer && !moment.relations.parted(viewer.id, person.id),
  subscribes_to_you: (person, { viewer, moment }) => viewer && moment.relations.subscribersOf(viewer.id).includes(person.id),
  subscription_type: (person, { viewer }) => (viewer?.id === person.id ? 'None' : undefined),
  url: () => '',
  verified: (person, { moment }) => toUser(person, moment).verified !== 'none',
  verified_type: (person, { moment }) => (toUser(person, moment).verified === 'none' ? 'none' : 'blue'),
};

const NEEDED = ['pinned_tweet_id', 'most_recent_tweet_id'];

/** An account with what was asked of it. */
export function toXUser(person: WorldPerson, view: View): JsonObject {
  return made(makers, person, { kind: 'user', view, also: NEEDED.filter((name) => view.asked.expansions.has(name)) });
}

function picturesOf({ moment }: View) {
  return pictureAddresses(`${moment.url}/pictures`);
}

function metricsOf(person: WorldPerson, { moment }: View): JsonObject {
  const { followerCount = 0, followingCount = 0, postCount = 0 } = toUser(person, moment);
  return {
    followers_count: followerCount,
    following_count: followingCount,
    tweet_count: postCount,
    listed_count: 0,
    like_count: moment.reactions.by('like', person.id).length,
    media_count: postsOf(person, moment).filter(({ media }) => media.length > 0).length,
  };
}

/** How whoever is signed in stands to an account. */
function connectionOf(person: WorldPerson, { moment: { relations }, viewer, mutes }: View): readonly string[] | undefined {
  if (!viewer || viewer.id === person.id) return viewer && [];
  return [
    ...(relations.follows(viewer.id, person.id) ? ['following'] : []),
    ...(relations.follows(person.id, viewer.id) ? ['followed_by'] : []),
    ...(relations.blocks(viewer.id, person.id) ? ['blocking'] : []),
    ...(mutes.has(viewer.id, person.id) ? ['muting'] : []),
  ];
}
