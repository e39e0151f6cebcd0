import { below, createDice, pick } from '../world/dice.ts';
import { memoize } from '#src/clients/operation/memoize.ts';
import type { World, WorldGame } from '../world/world.ts';
import type { Communities } from './communities.ts';
import { hashtagOf } from './hashtags.ts';
import { SELF } from './people.ts';
import { byTime, type StoredMedia, type StoredPoll, type StoredPost } from './posts.ts';

/** Texts of generated posts: `{game}` is the name of a game, `{tag}` its hashtag. */
const SENTENCES: readonly string[] = [
  'Three hours of {game} and I still cannot get past the second boss. {tag}',
  'New personal best in {game}! Two seconds off, and all of them luck. {tag} #speedrun',
  'Who is up for a round of {game} tonight? {tag}',
  'I said one more match of {game}. That was at nine. It is one now.',
  'Found a way through the wall on level four of {game}. Not telling where. {tag} #glitch',
  'The soundtrack of {game} is the best thing that I heard this year.',
  'My cat walked over the keyboard and won {game} for me. {tag}',
  'Patch day for {game}: everything that I was good at is gone. {tag}',
  'Thanks to everybody who watched the {game} marathon! We made it to the end. {tag}',
  'Drawing the map of {game} by hand. Two walls of my room are full already. {tag} #art',
  'Unpopular opinion: {game} is better with the sound off.',
  'Learning {game} from scratch. Be kind. {tag} #beginner',
  'Today: {game} with only one hand, for reasons that I regret. {tag} #challenge',
  'Tea, rain, {game}. A good evening.',
  'Does anybody still play {game}? I would love a rematch. {tag}',
  'World record attempts in {game} this weekend. Bring snacks. {tag} #speedrun',
  'The tutorial of {game} took me longer than the game.',
  'Our little tournament in {game} has eight places left. {tag} #tournament',
  'Streaming tips for {game}: water, light, and a mute button that you can find. #streaming',
  'I have finished {game}. Any ideas for the next game? {tag}',
];

/** Questions of generated polls. */
const QUESTIONS: readonly string[] = [
  'What shall I stream tonight?',
  'One of these for a whole weekend. Which one?',
  'Which of these has the best soundtrack?',
  'I have time for one of these. Help me.',
  'Which one should come back as a remake?',
];

/** Mentions of the account of the API. */
const MENTIONS: readonly string[] = [
  'Found {game} through @{self} today. There goes my evening. {tag}',
  'Thank you, @{self}! I would have missed the {game} run. {tag}',
  'Could @{self} look out for {game}, too? {tag}',
  '@{self} told me that somebody plays {game} with a dance mat. I have questions.',
  'Whoever runs @{self}: well done.',
  'Is anybody live with {game}, @{self}? {tag}',
];

/** Texts of generated replies. */
export const ANSWERS: readonly string[] = [
  'I am there!',
  'Best news of the day.',
  'Thank you for telling.',
  'I have the popcorn ready.',
  'Why did I hear of this only now?',
  'Hah, called it.',
  'How long will it go on?',
];

/** Texts of generated replies to a question. */
export const ANSWERS_TO_QUESTIONS: readonly string[] = [
  'The first one, always.',
  'Yes!',
  'No idea, but I want to know.',
  'Neither.',
  'Ask the chat.',
];

const HOUR_MS = 3_600_000;
/** Generated posts are visible for this time. */
const KEPT_HOURS = 72;
/** Several sandboxes with other times may share the generated posts. */
const MOST_HOURS = 4 * KEPT_HOURS;
const POSTS_AN_HOUR = 40;
const REPLY_CHANCE = 0.15;
const QUOTE_CHANCE = 0.05;
const PICTURE_CHANCE = 0.12;
const POLL_CHANCE = 0.04;
const COMMUNITY_CHANCE = 0.15;
const ON_TIMELINE_CHANCE = 0.5;
/** The chance that the extra slot of an hour mentions the account of the API. */
const MENTION_CHANCE = 0.5;
/** The durations of polls. */
const POLL_HOURS = [1, 6, 24] as const;
/** The greatest shares of the followers who like a post, repost it, and vote. */
const LIKE_SHARE = 0.002;
const REPOST_SHARE = 0.0003;
const VOTE_SHARE = 0.004;

/** The ids of generated pictures: this prefix and the id of the post. */
export const PICTURE_PREFIX = 'picture-';

/** The posts that people write during the day. They depend on the time alone and are not stored. */
export interface GeneratedPosts {
  /** The posts that are visible at an instant. */
  at(nowMs: number): readonly StoredPost[];
  find(id: string, nowMs: number): StoredPost | undefined;
}

interface GeneratedPostsOptions extends Pick<World, 'people' | 'games'> {
  readonly communities: Communities;
  /** Whether people mention the account of the API. */
  readonly mentions?: boolean | undefined;
}

type PostsByHour = Map<number, readonly StoredPost[]>;

/** With and without mentions. Communities belong to people and games. */
const hoursOf = memoize<Communities, Readonly<Record<'plain' | 'mentioning', PostsByHour>>>(() => ({
  plain: new Map(),
  mentioning: new Map(),
}));

/** Generates the posts of each hour. People with many followers write more posts. */
export function generatePosts({ people, games, communities, mentions = false }: GeneratedPostsOptions): GeneratedPosts {
  const dice = createDice(0, 'social');
  const slots = mentions ? POSTS_AN_HOUR + 1 : POSTS_AN_HOUR;
  // Every request reads all hours.
  const byHour = hoursOf(communities)[mentions ? 'mentioning' : 'plain'];

  function postsInHour(hour: number): readonly StoredPost[] {
    const known = byHour.get(hour);
    if (known) return known;
    // Readers sort all posts, which is fast if they are in order.
    const posts = Array.from({ length: slots }, (_, slot) => postsInSlot(hour, slot))
      .flat()
      .sort(byTime);
    byHour.set(hour, posts);
    return posts;
  }

  function pruneHours(last: number): void {
    if (byHour.size <= MOST_HOURS) return;
    for (const hour of byHour.keys()) if (hour > last || hour <= last - KEPT_HOURS) byHour.delete(hour);
  }

  function postsInSlot(hour: number, slot: number): readonly StoredPost[] {
    const post = postAt(hour, slot);
    if (slot < POSTS_AN_HOUR) return [post];
    if (dice(hour, slot, 30) >= MENTION_CHANCE) return [];
    const text = sentence(pick(MENTIONS, dice(hour, slot, 3)), pick(games, dice(hour, slot, 1)));
    return [
      { ...post, text, replyTo: undefined, quote: undefined, media: [], poll: undefined, community: undefined, onTimeline: undefined },
    ];
  }

  function postAt(hour: number, slot: number): StoredPost {
    const draw = (purpose: number): number => dice(hour, slot, purpose);
    const community = draw(20) < COMMUNITY_CHANCE ? pick(communities.all, draw(21)) : undefined;
    const author = community ? pick(community.people, draw(0)) : pick(people, draw(0) ** 2);
    const game = community?.game ?? pick(games, draw(1));
    const popularity = draw(2) ** 4 * author.followerCount;
    const createdAtMs = Math.floor((hour + draw(4)) * HOUR_MS);
    const id = `${hour.toString(36)}-${slot}`;
    const earlier = (chance: number, chanceDraw: number, hours: number): string | undefined =>
      chanceDraw < chance ? `${(hour - hours).toString(36)}-${below(POSTS_AN_HOUR, draw(6))}` : undefined;
    const asks = draw(8) < POLL_CHANCE;
    return {
      id,
      authorId: author.id,
      text: sentence(pick(asks ? QUESTIONS : SENTENCES, draw(3)), game),
      language: 'en',
      createdAtMs,
      likes: Math.floor(popularity * LIKE_SHARE),
      reposts: Math.floor(popularity * REPOST_SHARE),
      replies: 0,
      replyTo: community ? undefined : earlier(REPLY_CHANCE, draw(5), 1),
      quote: earlier(QUOTE_CHANCE, draw(7), 2),
      media: !asks && draw(9) < PICTURE_CHANCE ? [pictureOf(id, game)] : [],
      poll: asks ? pollAt(createdAtMs, { draw, voters: popularity * VOTE_SHARE }) : undefined,
      community: community?.id,
      onTimeline: community && draw(22) < ON_TIMELINE_CHANCE,
      earlier: [],
    };
  }

  /** A poll about three games. */
  function pollAt(
    createdAtMs: number,
    { draw, voters }: { readonly draw: (purpose: number) => number; readonly voters: number },
  ): StoredPoll {
    const first = below(games.length, draw(10));
    const options = [0, 1, 2].map((place) => ({
      label: games[(first + place) % games.length]?.name ?? '',
      crowd: Math.floor((voters * draw(11 + place)) / 2),
    }));
    return { options, endsAtMs: createdAtMs + pick(POLL_HOURS, draw(14)) * HOUR_MS, multiple: false };
  }

  return {
    at(nowMs) {
      const last = Math.floor(nowMs / HOUR_MS);
      pruneHours(last);
      const begun = postsInHour(last).filter(({ createdAtMs }) => createdAtMs <= nowMs);
      return [begun, ...Array.from({ length: KEPT_HOURS - 1 }, (_, back) => postsInHour(last - 1 - back))].flat();
    },

    find(id, nowMs) {
      const [, hour = '', slot = ''] = /^([\da-z]+)-(\d+)$/.exec(id) ?? [];
      if (hour === '' || Number(slot) >= slots) return undefined;
      const hourOf = Number.parseInt(hour, 36);
      const post = (byHour.get(hourOf) ?? postsInSlot(hourOf, Number(slot))).find((one) => one.id === id);
      const kept = post && post.createdAtMs <= nowMs && post.createdAtMs > nowMs - KEPT_HOURS * HOUR_MS;
      return kept ? post : undefined;
    },
  };
}

function sentence(pattern: string, game: WorldGame): string {
  return pattern.replaceAll('{game}', game.name).replaceAll('{tag}', hashtagOf(game)).replaceAll('{self}', SELF.handle);
}

/** A generated screenshot. */
function pictureOf(postId: string, game: WorldGame): StoredMedia {
  return { id: `${PICTURE_PREFIX}${postId}`, kind: 'image', altText: `A screen of ${game.name}`, width: 960, height: 540 };
}
