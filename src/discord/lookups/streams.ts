import type { StreamingClient } from '#src/admin/queries/lookup-clients.ts';
import type { Language } from '#src/clients/streaming/enumerations.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import type { Part } from './pager.ts';

interface StreamsWanted {
  readonly tags: readonly string[];
  readonly language: Language | undefined;
  readonly signal: AbortSignal;
}

/** A page of the streams with the most viewers. The platform filters by language or by tags, Fanfare by the other. */
export async function readTopStreams(
  bot: StreamingClient,
  { tags, language, signal }: StreamsWanted,
  cursor: string | undefined,
): Promise<Part<Stream>> {
  if (language === undefined) return bot.getTopStreams({ ...(tags.length > 0 && { tags: [...tags] }), cursor, signal });
  const page = await bot.getStreams({ languages: [codeOf(language)], cursor, signal });
  return filtered(page, (stream) => hasOneOf(stream, tags));
}

interface GameStreamsWanted extends StreamsWanted {
  readonly game: string;
  readonly sort: 'VIEWER_COUNT' | 'VIEWER_COUNT_ASC' | 'STARTED_AT';
}

/** A page of the streams of a game. */
export async function readGameStreams(
  bot: StreamingClient,
  { game, sort, tags, language, signal }: GameStreamsWanted,
  cursor: string | undefined,
): Promise<Part<Stream>> {
  if (language !== undefined && sort === 'VIEWER_COUNT') {
    const page = await bot.getStreams({ games: [game], languages: [codeOf(language)], cursor, signal });
    return filtered(page, (stream) => hasOneOf(stream, tags));
  }
  const page = await bot.getGameStreams(game, { sort, ...(tags.length > 0 && { tags: [...tags] }), cursor, signal });
  return language === undefined ? page : filtered(page, (stream) => stream.language === codeOf(language));
}

function filtered(page: Part<Stream>, keep: (stream: Stream) => boolean): Part<Stream> {
  return { items: page.items.filter(keep), cursor: page.cursor, scanned: page.scanned };
}

function hasOneOf({ tags: streamTags }: Stream, tags: readonly string[]): boolean {
  const had = new Set(streamTags.map((tag) => tag.toLowerCase()));
  return tags.length === 0 || tags.some((tag) => had.has(tag.toLowerCase()));
}

function codeOf(language: Language): string {
  return language.toLowerCase().replaceAll('_', '-');
}
