import { UnsupportedParameter } from '#src/errors.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import { noSearch } from '../capabilities.ts';
import type { KickApi, Primitives } from '../client.ts';
import type { ChannelNames } from './channels.ts';
import { searchCategories } from './games.ts';
import { pageOf, scanLive } from './live.ts';

/** Search by filter. */
export function search(api: KickApi, channels: ChannelNames): Primitives['search'] {
  return async ({ keyword, filter }, options) => {
    const { signal } = options;
    switch (filter) {
      case 'SearchStreams':
        return pageOf(await scanLive(api, {}, signal), mentions(keyword), 'VIEWER_COUNT');
      case 'SearchChannels': {
        const found = await channels.find(keyword, signal);
        return { items: found ? [found] : [] };
      }
      case 'SearchGames':
        return searchCategories(api, keyword, options);
      case 'SearchVideos':
      case 'SearchClips':
        throw new UnsupportedParameter({ platform: 'kick', operation: 'search', parameter: 'filter', value: filter, ...noSearch });
    }
  };
}

/** Whether the title, the tags or the names of a stream contain the keyword. */
function mentions(keyword: string): (stream: Stream) => boolean {
  const text = keyword.toLowerCase();
  return ({ title, tags, owner }) => [title, ...tags, owner.handle, owner.displayName].some((words) => words.toLowerCase().includes(text));
}
