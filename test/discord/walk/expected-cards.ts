import { ExpectedRoles, type GivenRole } from './expected-roles.ts';
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
  /** The id of the current stream. */
  streamOf(streamer: string): string | undefined;
  /** Whether the bot can write in a channel that exists. */
  isWritable(channel: string): boolean;
}

interface Episode {
  readonly card: ExpectedCard | undefined;
  /** The role that its start gave. */
  readonly given: GivenRole | undefined;
  /** The id of its last stream. */
  stream: string;
  goneMs?: number;
}

/** The cards of a server by the words of the pages about them. It shares no code with the product. */
export class ExpectedCards {
  readonly all: ExpectedCard[] = [];
  readonly roles = new ExpectedRoles();
  /** The streamers of the last poll. */
  #known: ReadonlySet<string> = new Set();
  readonly #episodes = new Map<string, Episode>();
  /** The ended episodes, the last one of each streamer. */
  readonly #ended = new Map<string, Episode>();

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
      else if (shown.streamOf(streamer) !== undefined) {
        delete episode.goneMs;
        episode.stream = shown.streamOf(streamer) ?? '';
      } else {
        episode.goneMs ??= shown.nowMs;
        if (shown.nowMs - episode.goneMs >= GRACE_MS) this.#close(streamer, episode, shown);
      }
    }
    for (const [streamer, { channel, ping, paused, member }] of targets) {
      const stream = shown.streamOf(streamer);
      if (stream === undefined) continue;
      const back = this.#episodes.get(streamer) ?? this.#ended.get(streamer);
      if (back?.stream === stream) {
        // The same stream is followed again. Fanfare edits its card as soon as it can.
        if (!this.#episodes.has(streamer) && back.given?.member === member && back.given?.role === server.liveRole)
          this.roles.give(streamer, back.given);
        if (back.card && shown.hasBot && shown.isWritable(back.card.channel)) back.card.isClosed = false;
        this.#episodes.set(streamer, back);
        continue;
      }
      if (this.#episodes.has(streamer)) continue;
      const isAnnounced = this.#known.has(streamer) && !paused && !server.isOff && shown.isWritable(channel);
      const card: ExpectedCard | undefined = isAnnounced ? { streamer, channel, ping, isClosed: false, isDeleted: false } : undefined;
      if (card) this.all.push(card);
      const isGiven = this.#known.has(streamer) && member !== undefined && server.liveRole !== undefined;
      const given = isGiven ? { member, role: server.liveRole } : undefined;
      this.roles.give(streamer, given);
      this.#episodes.set(streamer, { card, given, stream });
    }
    this.#known = new Set(targets.keys());
  }

  #close(streamer: string, episode: Episode, shown: Shown): void {
    const { card, given, stream } = episode;
    this.#ended.set(streamer, { card, given, stream });
    this.roles.take(streamer, given, shown);
    if (card) card.isClosed = shown.hasBot && shown.isWritable(card.channel) ? true : 'maybe';
    this.#episodes.delete(streamer);
  }
}
