import { UnsupportedParameter } from '#src/errors.ts';
import { noSearch } from '../capabilities.ts';
import { MOST_ROWS, type Primitives, type YoutubeApi } from '../client.ts';
import { FoundRows } from '../wire.ts';
import { type Channels, usersOf } from './channels.ts';
import { isLive, toStreams } from './streams.ts';
import { isVideo, toVideos, videosById } from './videos.ts';

/** Search by filter. The search returns ids; a second request reads the records. */
export function search(api: YoutubeApi, channels: Channels): Primitives['search'] {
  return async ({ keyword, filter }, options) => {
    const { signal } = options;
    if (filter === 'SearchGames' || filter === 'SearchClips') {
      throw new UnsupportedParameter({ platform: 'youtube', operation: 'search', parameter: 'filter', value: filter, ...noSearch });
    }
    const kind =
      filter === 'SearchChannels' ? { type: 'channel' } : { type: 'video', ...(filter === 'SearchStreams' && { eventType: 'live' }) };
    const { rows, cursor, partialErrors } = await api.list(
      '/search',
      FoundRows,
      { part: 'snippet', q: keyword, maxResults: MOST_ROWS, ...kind },
      options,
    );
    const ids = rows.flatMap(({ id }) => (id === '' ? [] : [id]));
    const page = { cursor, scanned: rows.length };
    if (filter === 'SearchChannels') return { items: await usersOf(api, ids, signal), partialErrors, ...page };
    const { rows: videos, partialErrors: unreadable } = await videosById(api, ids, { signal });
    const items =
      filter === 'SearchStreams'
        ? await toStreams(videos.filter(isLive), channels, signal)
        : await toVideos(videos.filter(isVideo), channels, signal);
    return { items, partialErrors: [...partialErrors, ...unreadable], ...page };
  };
}
