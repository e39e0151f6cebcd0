import { capabilities } from '#adapters/twitch/capabilities.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { StreamingPlatform } from '#src/clients/streaming/bot.ts';
import type { Stream, User } from '#src/clients/streaming/records.ts';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';

/** A stream of the simulated platform. */
export interface LiveStream {
  readonly id: string;
  readonly startedAt: Date;
  readonly title: string;
  readonly game: string;
}

/** A streaming platform in memory, whose channels keep their ids when they are renamed. */
export class FakeTwitch {
  /** The handles by the ids of the channels. */
  readonly handles = new Map<string, string>();
  /** The live streams by the ids of the channels. */
  readonly live = new Map<string, LiveStream>();
  /** Whether requests fail. */
  isDown = false;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  get platform(): StreamingPlatform {
    return {
      name: 'twitch',
      account: 'twitch',
      capabilities,
      operations: {
        getUser: async ({ user }) => this.#userNamed(user),
        getStreams: async ({ users = [] }) => this.#page(users.flatMap((user) => this.#streamOf(user))),
        getUserVideos: async () => this.#page([]),
        search: async () => this.#page([]),
      },
    };
  }

  #page<T>(items: readonly T[]): Page<T> {
    this.#assertUp();
    return { items, approximate: false };
  }

  #assertUp(): void {
    if (this.isDown) throw new PlatformError('twitch is down', { platform: 'twitch', fault: 'unavailable' });
  }

  /** Digits are an id first. */
  #idOf(user: string): string | undefined {
    if (this.handles.has(user)) return user;
    return [...this.handles].find(([, handle]) => handle === user.toLowerCase())?.[0];
  }

  #userNamed(user: string): User {
    this.#assertUp();
    const id = this.#idOf(user);
    if (id === undefined) throw new PlatformError('no such user', { platform: 'twitch', fault: 'missing' });
    return { ...this.#owner(id), verified: 'none', fetchedAt: this.#now() };
  }

  #streamOf(user: string): readonly Stream[] {
    const id = this.#idOf(user);
    const live = id === undefined ? undefined : this.live.get(id);
    if (id === undefined || !live) return [];
    const { game, ...stream } = live;
    return [
      {
        ...stream,
        platform: 'twitch',
        url: `https://twitch.tv/${this.handles.get(id)}`,
        owner: this.#owner(id),
        game: { platform: 'twitch', id: game, name: game },
        viewerCount: 7,
        tags: [],
        fetchedAt: this.#now(),
      },
    ];
  }

  #owner(id: string) {
    const handle = this.handles.get(id) ?? id;
    return { platform: 'twitch', id, handle, displayName: handle, url: `https://twitch.tv/${handle}` };
  }

  #now(): Date {
    return new Date(this.#clock.nowMs());
  }
}
