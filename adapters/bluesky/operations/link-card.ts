import { messageOf } from '#src/errors.ts';
import { untilAborted } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { filesFrom } from '#src/http/media/fetch-file.ts';
import { inspectMedia, type MediaLimits } from '#src/http/media/medium.ts';
import { readPage } from '#src/http/media/pages/read-page.ts';
import { isNearby } from '#src/http/media/public-addresses.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import type { CallOptions } from '#src/clients/operation/call.ts';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import { neutral } from '#src/clients/operation/text/sanitize.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { PLATFORM } from '../errors.ts';
import { spansOf } from '../text/facets.ts';
import type { BlobRef, Files } from './media.ts';

/** The time limit for a card. A post does not wait longer. */
const TIMEOUT_MS = 5_000;
const MOST_TITLE = 300;
const MOST_DESCRIPTION = 1_000;

const PICTURE_LIMITS: MediaLimits = {
  platform: PLATFORM,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  // https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/embed/external.json
  mostBytes: { image: 1_000_000 },
  longestSide: 2_000,
};
/** Larger pictures take too long to shrink. */
const MOST_FETCHED_BYTES = 8 * 1024 * 1024;
const MOST_FETCHED_PIXELS = 25_000_000;

interface LinkCardsOptions {
  readonly toBlob: Files['toBlob'];
  /** The origin of the account's server. If it is on this machine or its network, Fanfare reads only pages of that origin. */
  readonly accountOrigin: string;
  readonly log?: Log | undefined;
}

/** Logs a missing part of a post. The post does not fail. */
type LeftOut = (what: string) => (error: unknown) => undefined;

/** An embed of a post, as the protocol has it. */
export type Embed = Readonly<Record<string, unknown>>;

/** The card of the first link in a text; undefined without a card. */
export type LinkCard = (text: string, options: CallOptions) => Promise<Embed | undefined>;

/**
 * Cards of the first link of a text, as Mastodon makes them of the same text.
 *
 * A post without its card succeeds. The adapter omits every part that it cannot load in time.
 */
export function linkCards({ toBlob, accountOrigin, log }: LinkCardsOptions): LinkCard {
  const isLocalAccount = isNearby(accountOrigin);
  /** A local account sends no requests to other machines. */
  const isInReach = (address: string): boolean => !isLocalAccount || URL.parse(address)?.origin === accountOrigin;

  async function pictureOf(address: string, signal: AbortSignal): Promise<BlobRef> {
    if (!isInReach(address)) throw new Error('it is not on the server of the account');
    const { bytes, name } = await filesFrom({ platform: PLATFORM, mostBytes: MOST_FETCHED_BYTES, accountOrigin })(address, signal);
    const { width = 0, height = 0 } = await inspectMedia(bytes);
    if (width * height > MOST_FETCHED_PIXELS) throw new Error('it is too large');
    return toBlob(await readMedium({ bytes, name }, { limits: PICTURE_LIMITS, signal }), { signal });
  }

  async function cardOf(uri: string, signal: AbortSignal, leftOut: LeftOut): Promise<Embed> {
    const page = await readPage(uri, { accountOrigin, signal });
    const title = lineOf(page.title, MOST_TITLE);
    if (title === '') throw new Error('it has no title');
    const description = lineOf(page.description, MOST_DESCRIPTION);
    // Shrinking a picture cannot be stopped. The adapter stops waiting for it.
    const picture = page.imageUrl === undefined ? undefined : untilAborted(pictureOf(page.imageUrl, signal), signal);
    const thumb = await picture?.catch(leftOut("the picture of its link's card"));
    return { $type: 'app.bsky.embed.external', external: { uri, title, description, ...(thumb && { thumb }) } };
  }

  return async (text, { signal }) => {
    const uri = spansOf(text).find(({ kind }) => kind === 'link')?.value;
    if (uri === undefined || !isInReach(uri)) return undefined;
    const late = AbortSignal.timeout(TIMEOUT_MS);
    const leftOut: LeftOut = (what) => (error) => {
      if (signal?.aborted) return;
      const why = late.aborted ? 'it takes too long' : messageOf(error);
      log?.warn({ host: new URL(uri).host, why }, `bluesky: a post is sent without ${what}`);
    };
    const card = await cardOf(uri, signal ? AbortSignal.any([signal, late]) : late, leftOut).catch(leftOut("its link's card"));
    signal?.throwIfAborted();
    return card;
  };
}

/** A text of an unknown page as one line of a post. */
function lineOf(text: string | undefined, most: number): string {
  return shorten(neutral(text ?? '').trim(), most, countGraphemes);
}
