import type { Bot } from '#src/streaming/bot.ts';
import type { Language } from '#src/streaming/enumerations.ts';
import type { Stream } from '#src/streaming/records.ts';
import type { Part } from './pager.ts';

export interface StreamsWanted {
  readonly tags: readonly string[];
  readonly language: Language | undefined;
  readonly signal: AbortSignal;
}

/** A page of the most watched streams of a platform; a language is asked for where the platform can be, tags are looked for. */
export async function readTopStreams(
  bot: Bot,
  { tags, language, signal }: StreamsWanted,
  cursor: string | undefined,
): Promise<Part<Stream>> {
  if (language === undefined) return bot.getTopStreams({ ...(tags.length > 0 && { tags: [...tags] }), cursor, signal });
  const page = await bot.getStreams({ languages: [codeOf(language)], cursor, signal });
  return kept(page, (stream) => hasOneOf(stream, tags));
}

export interface GameStreamsWanted extends StreamsWanted {
  readonly game: string;
  readonly sort: 'VIEWER_COUNT' | 'VIEWER_COUNT_ASC' | 'STARTED_AT';
}

/** A page of the streams of a game, in an order. */
export async function readGameStreams(
  bot: Bot,
  { game, sort, tags, language, signal }: GameStreamsWanted,
  cursor: string | undefined,
): Promise<Part<Stream>> {
  if (language !== undefined && sort === 'VIEWER_COUNT') {
    const page = await bot.getStreams({ games: [game], languages: [codeOf(language)], cursor, signal });
    return kept(page, (stream) => hasOneOf(stream, tags));
  }
  const page = await bot.getGameStreams(game, { sort, ...(tags.length > 0 && { tags: [...tags] }), cursor, signal });
  return language === undefined ? page : kept(page, (stream) => stream.language === codeOf(language));
}

function kept(page: Part<Stream>, keep: (stream: Stream) => boolean): Part<Stream> {
  return { items: page.items.filter(keep), cursor: page.cursor, scanned: page.scanned };
}

function hasOneOf({ tags: own }: Stream, tags: readonly string[]): boolean {
  const had = new Set(own.map((tag) => tag.toLowerCase()));
  return tags.length === 0 || tags.some((tag) => had.has(tag.toLowerCase()));
}

function codeOf(language: Language): string {
  return language.toLowerCase().replaceAll('_', '-');
}
