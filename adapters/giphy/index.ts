import { z } from 'zod';
import { systemClock, type Clock } from '#src/clock.ts';
import type { Fault } from '#src/errors.ts';
import { httpClient } from '#src/http/client.ts';
import { maybe } from '#src/http/lenient.ts';
import { assertCredentials } from '#src/clients/operation/credentials.ts';
import { assertServerAddresses } from '#src/clients/operation/server-address.ts';
import type { GifProvider } from '#src/clients/social/providers.ts';
import type { Gif } from '#src/clients/social/records/discovery.ts';

const PLATFORM = 'giphy';
/** The largest page that every plan allows. */
const PAGE_SIZE = 50;
const LAST_OFFSET = 4_999;
const LONGEST_TERM = 50;
const RATINGS = ['g', 'pg', 'pg-13', 'r'] as const;

const count = z.coerce.number().int().min(0);
/** A web address. Any other text is ignored, because it would name a local file. */
const address = maybe(z.url({ protocol: /^https?$/i }));
const Rendition = z.object({ url: address, mp4: address, width: count.nullish(), height: count.nullish() }).nullish();

const Row = z.object({
  id: z.string().min(1),
  title: z.string().nullish(),
  alt_text: z.string().nullish(),
  rating: z.string().nullish(),
  images: z.object({ original: Rendition, fixed_width: Rendition, preview_gif: Rendition }),
});
type Row = z.output<typeof Row>;

const Found = z.object({
  data: z.array(z.unknown()).nullish(),
  pagination: z.object({ total_count: count.nullish(), count: count.nullish(), offset: count.nullish() }).nullish(),
});

export interface GiphyOptions {
  readonly apiKey: string;
  /** The address of the API. */
  readonly url?: string | undefined;
  readonly clock?: Clock | undefined;
}

/** GIFs of GIPHY with the rating g (`GET /gifs/search`). */
export function giphy({ apiKey, url = 'https://api.giphy.com/v1', clock = systemClock }: GiphyOptions): GifProvider {
  assertServerAddresses(PLATFORM, { url });
  assertCredentials(PLATFORM, { apiKey }, 'pass an API key from https://developers.giphy.com/dashboard');
  const http = httpClient({ platform: PLATFORM, baseUrl: url, clock, faultOf });

  return {
    name: PLATFORM,
    async search({ searchTerm }, { cursor, signal }) {
      const offset = cursor === undefined ? 0 : Number(cursor);
      const query = { api_key: apiKey, q: searchTerm.slice(0, LONGEST_TERM), limit: PAGE_SIZE, offset, rating: 'g' };
      const response = await http.request({ path: '/gifs/search', query, signal });
      const { data, pagination } = response.json(Found);
      const rows = data ?? [];
      const next = offset + (pagination?.count ?? rows.length);
      const isLast = rows.length === 0 || next > LAST_OFFSET || next >= (pagination?.total_count ?? Infinity);
      return { items: rows.flatMap(toGif), cursor: isLast ? undefined : String(next) };
    },
  };
}

/** GIPHY sends 403 for a wrong key. */
function faultOf({ status }: { readonly status: number }): Fault | undefined {
  return status === 403 ? 'unauthorized' : undefined;
}

/** Omits GIFs without an address. */
function toGif(row: unknown): readonly Gif[] {
  const parsed = Row.safeParse(row);
  return parsed.success ? recordOf(parsed.data) : [];
}

function recordOf({ id, title, alt_text, rating, images: { original, fixed_width: smaller, preview_gif: preview } }: Row): readonly Gif[] {
  if (!original?.url) return [];
  return [
    {
      provider: PLATFORM,
      id,
      title: title || undefined,
      altText: alt_text || undefined,
      url: original.url,
      previewUrl: preview?.url ?? smaller?.url ?? original.url,
      mp4Url: original.mp4,
      width: original.width ?? 0,
      height: original.height ?? 0,
      rating: RATINGS.find((one) => one === rating),
    },
  ];
}
