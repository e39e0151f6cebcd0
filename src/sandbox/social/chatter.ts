import { below, createDice, pick } from '../world/dice.ts';
import type { World } from '../world/world.ts';
import type { StoredPost } from './posts.ts';
import { SENTENCES } from './sentences.ts';

const HOUR_MS = 3_600_000;
/** How far back people's posts can be seen. */
const KEPT_HOURS = 72;
const POSTS_AN_HOUR = 40;
const REPLY_CHANCE = 0.15;

/** What the people of the world write through the day: the same at every look, and nothing of it is stored. */
export interface Chatter {
  /** All that can be seen at an instant. */
  at(nowMs: number): readonly StoredPost[];
  find(id: string, nowMs: number): StoredPost | undefined;
}

/** Posts of people, made from the hour; those whom many follow write more. */
export function chatterOf({ people, games }: Pick<World, 'people' | 'games'>): Chatter {
  const dice = createDice(0, 'social');

  function postAt(hour: number, slot: number): StoredPost {
    const draw = (purpose: number): number => dice(hour, slot, purpose);
    const author = pick(people, draw(0) ** 2);
    const game = pick(games, draw(1));
    const popularity = draw(2) ** 4 * author.followerCount;
    return {
      id: `${hour.toString(36)}-${slot}`,
      authorId: author.id,
      text: pick(SENTENCES, draw(3)).replaceAll('{game}', game.name).replaceAll('{tag}', toTag(game.name)),
      createdAtMs: Math.floor((hour + draw(4)) * HOUR_MS),
      likes: Math.floor(popularity * 0.02),
      reposts: Math.floor(popularity * 0.003),
      replyTo: draw(5) < REPLY_CHANCE ? `${(hour - 1).toString(36)}-${below(POSTS_AN_HOUR, draw(6))}` : undefined,
    };
  }

  return {
    at(nowMs) {
      const last = Math.floor(nowMs / HOUR_MS);
      const posts = Array.from({ length: KEPT_HOURS * POSTS_AN_HOUR }, (_, index) =>
        postAt(last - Math.floor(index / POSTS_AN_HOUR), index % POSTS_AN_HOUR),
      );
      return posts.filter(({ createdAtMs }) => createdAtMs <= nowMs);
    },

    find(id, nowMs) {
      const [, hour = '', slot = ''] = /^([\da-z]+)-(\d+)$/.exec(id) ?? [];
      const post = postAt(Number.parseInt(hour, 36), Number(slot));
      const kept = post.createdAtMs <= nowMs && post.createdAtMs > nowMs - KEPT_HOURS * HOUR_MS && Number(slot) < POSTS_AN_HOUR;
      return kept && post.id === id ? post : undefined;
    },
  };
}

function toTag(name: string): string {
  return `#${name.replaceAll(/[^\p{L}\p{N}]/gu, '')}`;
}
