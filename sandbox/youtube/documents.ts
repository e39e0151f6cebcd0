import type { JsonObject } from '#src/clients/operation/json.ts';
import type { WorldPerson } from '../world/world.ts';
import type { YoutubeVideo, YoutubeWorld } from './videos.ts';

interface ChannelOptions {
  readonly world: YoutubeWorld;
  readonly root: string;
  readonly nowMs: number;
}

export function channelJson(person: WorldPerson, { world, root, nowMs }: ChannelOptions): JsonObject {
  return {
    kind: 'youtube#channel',
    id: world.channelId(person),
    snippet: {
      title: person.displayName,
      description: person.bio,
      customUrl: `@${person.handle}`,
      publishedAt: iso(person.createdAt.getTime()),
      thumbnails: { default: { url: `${root}/avatar/${person.id}.jpg` }, high: { url: `${root}/avatar/${person.id}-high.jpg` } },
    },
    statistics: {
      subscriberCount: String(person.followerCount),
      hiddenSubscriberCount: false,
      viewCount: '1',
      videoCount: String(world.videosOf(person, nowMs).length),
    },
    brandingSettings: { image: { bannerExternalUrl: `${root}/banner/${person.id}` } },
  };
}

export function videoJson(video: YoutubeVideo, { world, root }: { readonly world: YoutubeWorld; readonly root: string }): JsonObject {
  const { id, person, title, tags, language, publishedMs, durationMs, viewCount, state, startsMs, endedMs, viewers } = video;
  return {
    kind: 'youtube#video',
    id,
    snippet: {
      publishedAt: iso(publishedMs),
      channelId: world.channelId(person),
      channelTitle: person.displayName,
      title,
      description: '',
      ...(tags.length > 0 && { tags: [...tags] }),
      categoryId: '20',
      liveBroadcastContent: state,
      defaultAudioLanguage: language,
      thumbnails: { default: { url: `${root}/vi/${id}/default.jpg` }, high: { url: `${root}/vi/${id}/hqdefault.jpg` } },
    },
    contentDetails: { duration: isoDuration(durationMs) },
    statistics: { viewCount: String(viewCount) },
    ...(startsMs !== undefined && {
      liveStreamingDetails: {
        scheduledStartTime: iso(startsMs),
        ...(state !== 'upcoming' && { actualStartTime: iso(startsMs) }),
        ...(endedMs !== undefined && { actualEndTime: iso(endedMs) }),
        ...(viewers !== undefined && { concurrentViewers: String(viewers) }),
      },
    }),
  };
}

export function feedXml(title: string, videos: readonly YoutubeVideo[], world: YoutubeWorld): string {
  const entries = videos.map(
    ({ id, person, title: name, publishedMs, viewCount }) => `<entry><id>yt:video:${id}</id><yt:videoId>${id}</yt:videoId>
<yt:channelId>${world.channelId(person)}</yt:channelId><title>${xml(name)}</title><link rel="alternate" href="https://www.youtube.com/watch?v=${id}"/>
<author><name>${xml(person.displayName)}</name></author><published>${iso(publishedMs)}</published><updated>${iso(publishedMs)}</updated>
<media:group><media:title>${xml(name)}</media:title><media:community><media:statistics views="${viewCount}"/></media:community></media:group></entry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
<title>${xml(title)}</title>
${entries.join('\n')}
</feed>
`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/u, 'Z');
}

function isoDuration(ms: number): string {
  if (ms === 0) return 'P0D';
  const seconds = Math.floor(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  return `PT${parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join('')}`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
