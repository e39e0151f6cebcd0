import { RichText } from '@atproto/api';
import twitterText from 'twitter-text';

/** The mentions that the server of Mastodon finds: anywhere, even in a link, but not after a slash, `=` or a character of a word. */
const MASTODON = /(?<![=/\p{L}\p{M}\p{Nd}\p{Pc}])@[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*/giu;

/** The mentions in a text, by independent implementations of each platform. */
export function mentionsOnPlatforms(text: string): Readonly<Record<'x' | 'mastodon' | 'bluesky', readonly string[]>> {
  const rich = new RichText({ text });
  rich.detectFacetsWithoutResolution();
  return {
    x: twitterText.extractEntitiesWithIndices(text).flatMap((one) => ('screenName' in one ? [one.screenName] : [])),
    mastodon: text.match(MASTODON) ?? [],
    bluesky: (rich.facets ?? []).flatMap(({ features }) => features.flatMap((one) => ('did' in one ? [String(one.did)] : []))),
  };
}

export const NO_MENTIONS = { x: [], mastodon: [], bluesky: [] };
