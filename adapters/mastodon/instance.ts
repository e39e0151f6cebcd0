import { coalesce } from '#src/http/coalesce.ts';
import type { MediaLimits } from '#src/http/media/medium.ts';
import { lengthElsewhere, mastodonLength, RESERVED_PER_URL, warningLength } from './text/length.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { mentionsIn, REPLY_PREFIXES, TEXT_LIMIT } from './text/limit.ts';
import { isFault } from '#src/http/errors.ts';
import type { MastodonApi } from './client.ts';
import { InstanceRow } from './wire/instance.ts';
import { PLATFORM } from './wire/parts.ts';

const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;
/** The limits of Mastodon, for servers that do not state theirs. */
const USUAL = { mostFiles: 4, imageBytes: 10 * MIB, videoBytes: 40 * MIB, longestAltText: 1500 };
/** Mastodon refuses larger GIF files, and its description does not state this: https://docs.joinmastodon.org/user/posting/#attachments. */
const MOST_GIF_PIXELS = 1280 * 720;
const USUAL_POLL = { mostOptions: 4, longestOption: 50, shortestSeconds: 300, longestSeconds: 2_629_746 };
/** The API version of Mastodon that introduced a feature. */
export const API_VERSIONS = { batches: 1, quotes: 7 } as const;

/** A server with its limits. */
export interface Instance {
  readonly domain: string;
  readonly version: string;
  /** 0 if the server does not state it, as servers other than Mastodon. */
  readonly apiVersion: number;
  readonly isMastodon: boolean;
  readonly textLimit: TextLimit;
  readonly mostFiles: number;
  readonly media: MediaLimits;
  readonly longestAltText: number;
  readonly polls: Readonly<typeof USUAL_POLL>;
  /** Whether the server translates; undefined if it does not state that. */
  readonly translates: boolean | undefined;
  /** The address of the streaming API; undefined if the server does not state it. */
  readonly streamingUrl: string | undefined;
}

/** The server of an account, as it last described itself. */
export interface Instances {
  /** Reads the description at most once an hour. If the server does not answer, the last description stays. */
  current(signal: AbortSignal | undefined): Promise<Instance>;
  /** The text limit of the server; before the first answer, the usual one. */
  textLimit(): TextLimit;
}

export function instances(api: MastodonApi): Instances {
  let known: { readonly instance: Instance; readonly untilMs: number } | undefined;

  const ask = coalesce(async (signal) => {
    const row = await readInstance(api, signal);
    // A missing description is not cached, so the next call asks again.
    if (!row) return known?.instance ?? toInstance(InstanceRow.parse({}), api.domain);
    known = { instance: toInstance(row, api.domain), untilMs: api.now().getTime() + HOUR_MS };
    return known.instance;
  });

  return {
    async current(signal) {
      if (known && api.now().getTime() < known.untilMs) return known.instance;
      try {
        return await ask(signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!known) throw error;
        return known.instance;
      }
    },
    textLimit: () => known?.instance.textLimit ?? TEXT_LIMIT,
  };
}

/** The newer description, else the older one; undefined if the server has neither. */
async function readInstance(api: MastodonApi, signal: AbortSignal): Promise<InstanceRow | undefined> {
  for (const path of ['/api/v2/instance', '/api/v1/instance']) {
    try {
      return (await api.send({ path, signal })).json(InstanceRow);
    } catch (error) {
      if (!isFault(error, 'missing', 'rejected', 'malformed', 'forbidden')) throw error;
    }
  }
  return undefined;
}

function toInstance(
  { domain, version, apiVersion, statuses, media, polls, translates, streamingUrl }: InstanceRow,
  address: string,
): Instance {
  const isMastodon = apiVersion > 0 || (/^[2-9]\.\d+/u.test(version) && !/compatible/iu.test(version));
  const reserved = statuses.reservedPerUrl ?? RESERVED_PER_URL;
  const count = isMastodon ? mastodonLength : lengthElsewhere;
  const imageBytes = media.imageBytes ?? USUAL.imageBytes;
  const videoBytes = media.videoBytes ?? USUAL.videoBytes;
  return {
    domain: domain?.replace(/^https?:\/\//u, '') ?? address,
    version,
    apiVersion,
    isMastodon,
    textLimit: {
      most: statuses.mostCharacters || TEXT_LIMIT.most,
      lengthOf: (text) => count(text, reserved),
      lengthOfWarning: (warning) => warningLength(warning, count(warning, reserved)),
      keepsWarning: true,
      replyPrefix: isMastodon ? REPLY_PREFIXES.mastodon : REPLY_PREFIXES.elsewhere,
      mentionsIn,
    },
    mostFiles: statuses.mostFiles || USUAL.mostFiles,
    media: {
      platform: PLATFORM,
      types: media.types?.length ? media.types : undefined,
      mostBytes: { image: imageBytes, gif: imageBytes, video: videoBytes, audio: videoBytes },
      mostPixels: media.imagePixels || undefined,
      mostGifPixels: isMastodon ? MOST_GIF_PIXELS : undefined,
    },
    longestAltText: media.longestAltText || USUAL.longestAltText,
    polls: {
      mostOptions: polls.mostOptions || USUAL_POLL.mostOptions,
      longestOption: polls.longestOption || USUAL_POLL.longestOption,
      shortestSeconds: polls.shortestSeconds ?? USUAL_POLL.shortestSeconds,
      longestSeconds: polls.longestSeconds || USUAL_POLL.longestSeconds,
    },
    translates,
    streamingUrl,
  };
}
