import type { ChaosAccount, ChaosRule, HistoryEntry, HistoryLine } from '../history.ts';
import type { Snapshot } from './arrivals.ts';
import type { Observed } from './check.ts';
import type { WorldEvents } from './world.ts';

/** The start of all histories in tests: a whole minute. */
export const START_MS = Date.parse('2026-11-20T18:00:00.000Z');

const REQUIRED_MS = 45_000;
const LATE_MS = 60_000;

const ACCOUNTS: readonly ChaosAccount[] = [
  { name: 'discord', platform: 'discord', owner: 'Fanfare Sandbox', mayLose: false },
  { name: 'club', platform: 'social', owner: 'ada', mayLose: false },
  { name: 'x', platform: 'x', owner: '7', mayLose: true },
];

const RULES: readonly ChaosRule[] = [
  { id: 'card-1', shape: 'card', accounts: ['discord'], people: ['grace'], everyMs: 5_000 },
  { id: 'reply-1', shape: 'reply', accounts: ['club'], people: ['grace'], everyMs: 5_000 },
  { id: 'removal-1', shape: 'removal', accounts: ['club'], people: ['linus'], everyMs: 5_000 },
  { id: 'title-1', shape: 'title', accounts: ['discord'], people: ['linus'], everyMs: 5_000 },
  { id: 'reply-x', shape: 'reply', accounts: ['x'], people: ['dennis'], everyMs: 5_000 },
  { id: 'slot-1', shape: 'slot', accounts: ['discord'], people: [], everyMs: 60_000 },
];

/** A history that a test writes by hand. Seconds count from the start. */
export class ObservedRun {
  readonly #history: HistoryLine[] = [];
  readonly #events: WorldEvents = [];
  readonly #messages: { -readonly [K in keyof Snapshot['messages'][number]]: Snapshot['messages'][number][K] }[] = [];
  readonly #posts: { platform: 'social' | 'x'; post: NonNullable<Snapshot['posts']['x']>[number] }[] = [];

  /** Only these rules run. */
  constructor(...rules: readonly string[]) {
    this.line(0, {
      kind: 'run',
      seed: 1,
      sandboxUrl: '',
      rules: RULES.filter(({ id }) => rules.includes(id)),
      accounts: [...ACCOUNTS],
      workers: ['w1', 'w2'],
      requiredMs: REQUIRED_MS,
      lateMs: LATE_MS,
    });
    this.line(0, { kind: 'ready', worker: 'w1' });
    this.line(0, { kind: 'rulesRun' });
  }

  line(seconds: number, entry: HistoryEntry): this {
    this.#history.push({ atMs: START_MS + seconds * 1000, ...entry });
    return this;
  }

  fault(
    fromSeconds: number,
    toSeconds: number,
    fault: 'postgresKill' | 'freeze' | 'platform',
    about: { worker?: string; process?: string; platform?: string; detail?: string } = {},
  ): this {
    const id = this.#history.length;
    this.line(fromSeconds, { kind: 'fault', id, fault, ...about });
    return this.line(toSeconds, { kind: 'healed', id });
  }

  world(seconds: number, kind: 'wentLive' | 'ended' | 'changedTitle', handle: string, broadcastId: string, title = 't1'): this {
    this.#events.push({ at: new Date(START_MS + seconds * 1000), kind, user: { handle }, broadcastId, title });
    return this;
  }

  message(seconds: number, content: string): this {
    const message = { guild: 'Fanfare Sandbox', author: 'Fanfare', content, writtenAt: START_MS + seconds * 1000, history: [] };
    this.#messages.push({ id: `m${this.#messages.length + 1}`, deletedAt: undefined, ...message });
    return this;
  }

  /** Edits the latest message. */
  edit(seconds: number, content: string, message = this.#messages.at(-1)): this {
    if (!message) throw new Error('there is no message to edit');
    message.history = [...message.history, { content: message.content, writtenAt: message.writtenAt }];
    message.content = content;
    message.writtenAt = START_MS + seconds * 1000;
    return this;
  }

  post(
    seconds: number,
    text: string,
    { replyTo, deletedAt, platform = 'social' }: { replyTo?: string; deletedAt?: number; platform?: 'social' | 'x' } = {},
  ): this {
    const post = {
      id: `p${this.#posts.length + 1}`,
      author: platform === 'x' ? '7' : 'ada',
      text,
      createdAt: START_MS + seconds * 1000,
      replyTo,
      deletedAt: deletedAt === undefined ? undefined : START_MS + deletedAt * 1000,
    };
    this.#posts.push({ platform, post });
    return this;
  }

  /** Everything, as the checker reads it at `seconds`. */
  at(seconds: number): Observed {
    const on = (wanted: string) => this.#posts.filter(({ platform }) => platform === wanted).map(({ post }) => post);
    return {
      history: this.#history.toSorted((a, b) => a.atMs - b.atMs),
      events: this.#events,
      snapshot: {
        takenAtMs: START_MS + seconds * 1000,
        messages: this.#messages,
        posts: { social: on('social'), x: on('x') },
        skyPosts: [],
      },
    };
  }
}
