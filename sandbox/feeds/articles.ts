import { z } from 'zod';
import type { World } from '../world/world.ts';

/** An article of a feed. */
export const Article = z.object({
  feed: z.string(),
  id: z.string(),
  url: z.string(),
  title: z.string(),
  text: z.string(),
  author: z.string(),
  category: z.string(),
  publishedMs: z.number(),
  updatedMs: z.number().optional(),
});
export interface Article extends z.output<typeof Article> {}

/** How often each feed has a new article. */
export const EVERY_MS = 10 * 60_000;
const COUNT = 20;

/** The articles that a feed has without orders: one every ten minutes, newest first. */
export function usualArticles(feed: string, { people, games }: Pick<World, 'people' | 'games'>, nowMs: number): readonly Article[] {
  const latest = Math.floor(nowMs / EVERY_MS);
  return Array.from({ length: COUNT }, (_, index): Article => {
    const number = latest - index;
    const person = people[number % people.length];
    const game = games[number % games.length];
    if (!person || !game) throw new Error('the world has no people or no games');
    return {
      feed,
      id: `tag:${feed},2026:${number}`,
      url: `https://${feed}/${number}`,
      title: `${person.displayName} explains ${game.name}`,
      text: `<p>${person.displayName} shows the first hour of <b>${game.name}</b>.</p>`,
      author: person.displayName,
      category: game.name,
      publishedMs: number * EVERY_MS,
    };
  });
}
