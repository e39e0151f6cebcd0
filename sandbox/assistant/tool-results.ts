import { z } from 'zod';

const Named = z.object({ displayName: z.string() });
const Item = z.object({
  title: z.string().optional(),
  text: z.string().optional(),
  name: z.string().optional(),
  url: z.string().optional(),
  viewerCount: z.number().optional(),
  owner: Named.optional(),
  author: Named.optional(),
  game: z.object({ name: z.string() }).optional(),
});
const List = z.object({ items: z.array(Item) });

export type ResultItem = z.output<typeof Item>;

const viewers = new Intl.NumberFormat('en', { notation: 'compact' });

/** The items in the result of a tool, which can contain JSON on any line; undefined without a list of items. */
export function itemsIn(result: string): readonly ResultItem[] | undefined {
  for (const line of result.split('\n')) {
    if (!line.startsWith('{')) continue;
    try {
      const list = List.safeParse(JSON.parse(line));
      if (list.success) return list.data.items;
    } catch {
      // The line is not JSON.
    }
  }
  return undefined;
}

export function lineOf({ title, text, name, viewerCount, owner, author, game }: ResultItem): string {
  if (owner && game) return `**${owner.displayName}** plays ${game.name} for ${viewers.format(viewerCount ?? 0)} viewers: ${title ?? ''}`;
  if (author) return `**${author.displayName}** wrote: ${text ?? ''}`;
  return owner ? `**${owner.displayName}**: ${title ?? ''}` : (name ?? title ?? '');
}
