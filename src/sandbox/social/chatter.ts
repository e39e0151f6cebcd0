import { below, createDice, pick } from '../world/dice.ts';
import type { World, WorldGame } from '../world/world.ts';
import type { Communities } from './communities.ts';
import { hashtagOf } from './hashtags.ts';
import type { StoredMedia, StoredPoll, StoredPost } from './posts.ts';
import { SELF } from './people.ts';
import { MENTIONS, QUESTIONS, SENTENCES } from './sentences.ts';

const HOUR_MS = 3_600_000;
/** How far back people's posts can be seen. */
const KEPT_HOURS = 72;
const POSTS_AN_HOUR = 40;
const REPLY_CHANCE = 0.15;
const QUOTE_CHANCE = 0.05;
const PICTURE_CHANCE = 0.12;
const POLL_CHANCE = 0.04;
const COMMUNITY_CHANCE = 0.15;
const ON_TIMELINE_CHANCE = 0.5;
/** Each hour has one slot more where people speak of the account, and now and then it is used. */
const MENTION_CHANCE = 0.5;
/** For how many hours a poll is open. */
const POLL_HOURS = [1, 6, 24] as const;
/** How many of an author's followers, at most, do something about a post. */
const LIKING = 0.002;
const REPOSTING = 0.0003;
const VOTING = 0.004;

/** With what ids of people's pictures begin; what follows is the post's. */
export const PICTURE_PREFIX = 'picture-';

/** What the people of the world write through the day: the same at every look, and nothing of it is stored. */
export interface Chatter {
  /** All that can be seen at an instant. */
  at(nowMs: number): readonly StoredPost[];
  find(id: string, nowMs: number): StoredPost | undefined;
}

export interface ChatterOptions extends Pick<World, 'people' | 'games'> {
  readonly communities: Communities;
  /** Whether people speak of the account that writes through the API. */
  readonly mentions?: boolean | undefined;
}

/** Posts of people, made from the hour; those whom many follow write more. */
export function chatterOf({ people, games, communities, mentions = false }: ChatterOptions): Chatter {
  const dice = createDice(0, 'social');
  const slots = mentions ? POSTS_AN_HOUR + 1 : POSTS_AN_HOUR;
  // Each request looks at all of them, and most of them at the same ones.
  const byHour = new Map<number, readonly StoredPost[]>();

  function spokenIn(hour: number): readonly StoredPost[] {
    const known = byHour.get(hour);
    if (known) return known;
    const posts = Array.from({ length: slots }, (_, slot) => spokenAt(hour, slot)).flat();
    byHour.set(hour, posts);
    return posts;
  }

  function forgetBut(last: number): void {
    if (byHour.size <= KEPT_HOURS) return;
    for (const hour of byHour.keys()) if (hour > last || hour <= last - KEPT_HOURS) byHour.delete(hour);
  }

  function spokenAt(hour: number, slot: number): readonly StoredPost[] {
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
    const circle = draw(20) < COMMUNITY_CHANCE ? pick(communities.all, draw(21)) : undefined;
    const author = circle ? pick(circle.people, draw(0)) : pick(people, draw(0) ** 2);
    const game = circle?.game ?? pick(games, draw(1));
    const popularity = draw(2) ** 4 * author.followerCount;
    const createdAtMs = Math.floor((hour + draw(4)) * HOUR_MS);
    const id = `${hour.toString(36)}-${slot}`;
    const earlier = (chance: number, thrown: number, hours: number): string | undefined =>
      thrown < chance ? `${(hour - hours).toString(36)}-${below(POSTS_AN_HOUR, draw(6))}` : undefined;
    const asks = draw(8) < POLL_CHANCE;
    return {
      id,
      authorId: author.id,
      text: sentence(pick(asks ? QUESTIONS : SENTENCES, draw(3)), game),
      language: 'en',
      createdAtMs,
      likes: Math.floor(popularity * LIKING),
      reposts: Math.floor(popularity * REPOSTING),
      replies: 0,
      replyTo: circle ? undefined : earlier(REPLY_CHANCE, draw(5), 1),
      quote: earlier(QUOTE_CHANCE, draw(7), 2),
      media: !asks && draw(9) < PICTURE_CHANCE ? [pictureOf(id, game)] : [],
      poll: asks ? pollAt(createdAtMs, { draw, voters: popularity * VOTING }) : undefined,
      community: circle?.id,
      onTimeline: circle && draw(22) < ON_TIMELINE_CHANCE,
      earlier: [],
    };
  }

  /** A choice between games that stand beside each other. */
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
      forgetBut(last);
      const posts = Array.from({ length: KEPT_HOURS }, (_, back) => spokenIn(last - back));
      return posts.flat().filter(({ createdAtMs }) => createdAtMs <= nowMs);
    },

    find(id, nowMs) {
      const [, hour = '', slot = ''] = /^([\da-z]+)-(\d+)$/.exec(id) ?? [];
      if (hour === '' || Number(slot) >= slots) return undefined;
      const [post] = spokenAt(Number.parseInt(hour, 36), Number(slot));
      const kept = post && post.createdAtMs <= nowMs && post.createdAtMs > nowMs - KEPT_HOURS * HOUR_MS;
      return kept && post.id === id ? post : undefined;
    },
  };
}

function sentence(pattern: string, game: WorldGame): string {
  return pattern.replaceAll('{game}', game.name).replaceAll('{tag}', hashtagOf(game)).replaceAll('{self}', SELF.handle);
}

/** What stands for a photograph of a screen. */
function pictureOf(postId: string, game: WorldGame): StoredMedia {
  return { id: `${PICTURE_PREFIX}${postId}`, kind: 'image', altText: `A screen of ${game.name}`, width: 960, height: 540 };
}
