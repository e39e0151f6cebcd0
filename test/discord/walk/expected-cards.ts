import { ExpectedRoles, type GivenRole } from './expected-roles.ts';
import type { ExpectedEntry, ExpectedServer } from './expected-server.ts';

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
  /** Whether a person or Fanfare must have deleted it. `maybe`: it could not be deleted. */
  isDeleted: boolean | 'maybe';
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
  /** Whether its start was announced. Its card may be missing, because the channel was closed to the bot. */
  readonly isAnnounced: boolean;
  readonly card: ExpectedCard | undefined;
  /** The role that its start gave. */
  readonly given: GivenRole | undefined;
  /** Whether the end deletes the card, by the list of the last poll with the stream. */
  deletes: boolean;
  /** The id of its last stream. */
  stream: string;
  goneMs?: number;
}

/** The cards of a server by the words of the pages about them. It shares no code with the product. */
export class ExpectedCards {
  readonly all: ExpectedCard[] = [];
  readonly roles = new ExpectedRoles();
  /** The ids of the entries of the last poll. */
  #known: ReadonlySet<string | undefined> = new Set();
  readonly #episodes = new Map<string, Episode>();
  /** The ended episodes, the last one of each streamer. */
  readonly #ended = new Map<string, Episode>();

  /** A poll of the streamers of a server. `requested`: the streamer whom a member wants to be announced now. */
  polled(server: ExpectedServer, shown: Shown, requested?: string): void {
    const targets = new Map(
      [...server.entries].flatMap(([streamer, entry]) => {
        const channel = entry.channel ?? server.channel;
        return shown.hasBot && channel !== undefined ? [[streamer, { ...entry, channel }] as const] : [];
      }),
    );
    for (const [streamer, episode] of this.#episodes) {
      const target = targets.get(streamer);
      const stream = shown.streamOf(streamer);
      if (!target) this.#close(streamer, episode, shown);
      else if (stream !== undefined) {
        delete episode.goneMs;
        episode.stream = stream;
        episode.deletes = target.deleteAfter === true;
      } else {
        episode.goneMs ??= shown.nowMs;
        if (shown.nowMs - episode.goneMs >= GRACE_MS) this.#close(streamer, episode, shown);
      }
    }
    for (const [streamer, target] of targets) {
      const stream = shown.streamOf(streamer);
      if (stream === undefined) continue;
      const now = this.#episodes.get(streamer);
      const ended = this.#ended.get(streamer);
      const back = now ?? (ended?.stream === stream ? ended : undefined);
      if (back && (back.isAnnounced || streamer !== requested)) {
        if (!now) this.#reopen(streamer, back, { target, server, shown });
        continue;
      }
      const isAnnounced = streamer === requested || this.#known.has(target.id);
      const deletes = target.deleteAfter === true;
      const made = isAnnounced ? this.#announce(streamer, { target, server, shown }) : { card: undefined, given: undefined };
      this.#episodes.set(streamer, { ...made, isAnnounced, deletes, stream });
    }
    this.#known = new Set(targets.values().map(({ id }) => id));
  }

  /** Whether a member who wants a streamer to be announced now gets a card. */
  isAnnounceable(streamer: string, server: ExpectedServer, shown: Shown): boolean {
    const entry = server.entries.get(streamer);
    const channel = entry?.channel ?? server.channel;
    const stream = shown.streamOf(streamer);
    if (!entry || entry.paused || server.isOff || channel === undefined || stream === undefined || !shown.isWritable(channel)) return false;
    const ended = this.#ended.get(streamer);
    const back = this.#episodes.get(streamer) ?? (ended?.stream === stream ? ended : undefined);
    return back?.isAnnounced !== true;
  }

  #announce(streamer: string, { target: { channel, ping, paused, member }, server, shown }: Announcing): Pick<Episode, 'card' | 'given'> {
    const isSent = !paused && !server.isOff && shown.isWritable(channel);
    const card: ExpectedCard | undefined = isSent ? { streamer, channel, ping, isClosed: false, isDeleted: false } : undefined;
    if (card) this.all.push(card);
    const given = member !== undefined && server.liveRole !== undefined ? { member, role: server.liveRole } : undefined;
    this.roles.give(streamer, given);
    return { card, given };
  }

  /** The same stream is followed again, or listed again. Fanfare edits its card as soon as it can. */
  #reopen(streamer: string, back: Episode, { target, server, shown }: Announcing): void {
    const { card, given } = back;
    if (given?.member === target.member && given?.role === server.liveRole) this.roles.give(streamer, given);
    if (card && shown.isWritable(card.channel)) card.isClosed = false;
    this.#episodes.set(streamer, { ...back, deletes: target.deleteAfter === true });
  }

  #close(streamer: string, episode: Episode, shown: Shown): void {
    const { card, given, deletes } = episode;
    const { goneMs: _, ...ended } = episode;
    this.#ended.set(streamer, ended);
    this.roles.take(streamer, given, shown);
    if (card && deletes) card.isDeleted = card.isDeleted || shown.hasBot ? true : 'maybe';
    else if (card) card.isClosed = shown.hasBot && shown.isWritable(card.channel) ? true : 'maybe';
    this.#episodes.delete(streamer);
  }
}

interface Announcing {
  readonly target: ExpectedEntry & { readonly channel: string };
  readonly server: ExpectedServer;
  readonly shown: Shown;
}
