import type { ExpectedServer } from './expected-server.ts';

const MINUTE_MS = 60_000;
/** A stream that returns within this time is the same stream. */
const GRACE_MS = 15 * MINUTE_MS;

/** A card that Fanfare must have sent. */
export interface ExpectedCard {
  readonly streamer: string;
  readonly channel: string;
  readonly ping: string | undefined;
  /** Whether Fanfare must have closed it. `maybe`: it could not be edited. */
  isClosed: boolean | 'maybe';
  isDeleted: boolean;
}

/** What the platform and Discord show at a poll. */
export interface Shown {
  readonly nowMs: number;
  readonly hasBot: boolean;
  isLive(streamer: string): boolean;
  /** Whether the bot can write in a channel that exists. */
  isWritable(channel: string): boolean;
}

interface Episode {
  readonly card: ExpectedCard | undefined;
  goneMs?: number;
}

/** The cards of a server by the words of the pages about them. It shares no code with the product. */
export class ExpectedCards {
  readonly all: ExpectedCard[] = [];
  /** The streamers of the last poll. */
  #known: ReadonlySet<string> = new Set();
  readonly #episodes = new Map<string, Episode>();

  /** A poll of the streamers of a server. */
  polled(server: ExpectedServer, shown: Shown): void {
    const targets = new Map(
      [...server.entries].flatMap(([streamer, entry]) => {
        const channel = entry.channel ?? server.channel;
        return shown.hasBot && channel !== undefined ? [[streamer, { ...entry, channel }] as const] : [];
      }),
    );
    for (const [streamer, episode] of this.#episodes) {
      if (!targets.has(streamer)) this.#close(streamer, episode, shown);
      else if (shown.isLive(streamer)) delete episode.goneMs;
      else {
        episode.goneMs ??= shown.nowMs;
        if (shown.nowMs - episode.goneMs >= GRACE_MS) this.#close(streamer, episode, shown);
      }
    }
    for (const [streamer, { channel, ping, paused }] of targets) {
      if (!shown.isLive(streamer) || this.#episodes.has(streamer)) continue;
      const isAnnounced = this.#known.has(streamer) && !paused && !server.isOff && shown.isWritable(channel);
      const card: ExpectedCard | undefined = isAnnounced ? { streamer, channel, ping, isClosed: false, isDeleted: false } : undefined;
      if (card) this.all.push(card);
      this.#episodes.set(streamer, { card });
    }
    this.#known = new Set(targets.keys());
  }

  #close(streamer: string, { card }: Episode, shown: Shown): void {
    if (card) card.isClosed = shown.hasBot && shown.isWritable(card.channel) ? true : 'maybe';
    this.#episodes.delete(streamer);
  }
}
