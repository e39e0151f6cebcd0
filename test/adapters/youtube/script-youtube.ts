import type { Exchange } from '../../support/script-http.ts';

export const ADA = 'UCadaadaadaadaadaadaada1';
export const GRACE = 'UCgracegracegracegracegr';

/** The line without the parts, which every request for the same list has. */
export const lineOf = (line: string): string => decodeURIComponent(line).replace(/part=[\w,]+&?/u, '');

/** The feed of a channel. */
export function feed(channelId: string, ...ids: readonly string[]): Exchange {
  return feedAt(`channel_id=${channelId}`, ...ids);
}

export function feedAt(query: string, ...ids: readonly string[]): Exchange {
  const entries = ids.map((id) => `<entry><yt:videoId>${id}</yt:videoId></entry>`).join('');
  return [
    `GET /feeds/videos.xml?${query}`,
    { text: `<?xml version="1.0"?><feed>${entries}</feed>`, headers: { 'content-type': 'text/xml' } },
  ];
}

/** YouTube answers with 404 for the feed of a closed channel, and for any feed during an outage. */
export function noFeed(query: string): Exchange {
  return [
    `GET /feeds/videos.xml?${query}`,
    { status: 404, text: '<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>', headers: { 'content-type': 'text/html' } },
  ];
}

export function video(id: string, channelId: string, state: 'none' | 'live' | 'upcoming', duration = 'P0D') {
  const begun = { actualStartTime: '2026-11-20T17:00:00Z', concurrentViewers: '12' };
  const live = { scheduledStartTime: '2026-11-20T19:00:00Z', ...(state === 'live' && begun) };
  return {
    id,
    snippet: { channelId, channelTitle: 'Ada', title: id, publishedAt: '2026-11-20T17:00:00Z', liveBroadcastContent: state },
    contentDetails: { duration },
    ...(state !== 'none' && { liveStreamingDetails: live }),
  };
}

export function channel(id: string, customUrl: string) {
  return { id, snippet: { title: customUrl, customUrl, publishedAt: '2020-01-01T00:00:00Z' } };
}
