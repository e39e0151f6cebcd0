import { join } from 'node:path';
import { untilAborted, type Clock } from '#src/clock.ts';
import type { NewPost, PostDraft, Posting, SendOptions, SentPost } from './posting.ts';
import type { Log } from '#src/log.ts';
import { isSettled } from '#src/engine/delivery/delivery.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { Step } from '#src/rules/step.ts';
import type { PostDefaults } from '#src/clients/operation/post-defaults.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { POST_RULE, type PostAndDeliveries, type Posts, type StoredPostDrafts } from './posts.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import { createPictures, type SharedPictures } from './pictures.ts';
import { contentOf, editedStep, isOfPost, postFiring } from './post-firing.ts';
import { previewPost } from './preview-post.ts';
import { toSentPost, toWithdrawn } from './sent-post.ts';
import { nextQueueTime } from './queue-time.ts';
import { isTooFar, readTime } from './read-time.ts';

const SWEEP_MS = 60 * 60_000;

/** An account that posts go through. */
interface SocialAccount {
  readonly platformName: string;
  readonly textLimit: TextLimit | undefined;
  readonly postDefaults?: PostDefaults | undefined;
}

export interface PostingOptions {
  readonly accounts: Accounts;
  readonly clients: { readonly social: ReadonlyMap<string, SocialAccount> };
  readonly store: { readonly posts: Posts; readonly postDrafts: StoredPostDrafts; readonly pictures?: SharedPictures | undefined };
  readonly eventBus: Pick<EventBus, 'subscribe' | 'publish'>;
  /** Wakes the delivery engine. */
  readonly wake: () => void;
  readonly dataDirectory: string;
  /** The times of the queue, for example `09:30`. */
  readonly queueTimes: readonly string[];
  /** The hosts of pictures from Discord. */
  readonly pictureHosts: ReadonlySet<string>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Posting over the store and the delivery engine. */
export interface RunningPosting extends Posting {
  /** Deletes pictures that no post needs, every hour; resolves after `signal`. */
  run(signal: AbortSignal): Promise<void>;
}

/** Creates the posting of people. Their posts become deliveries, like the steps of rules. */
export function createPosting({ accounts, clients, store, eventBus, wake, clock, log, ...options }: PostingOptions): RunningPosting {
  const { posts, postDrafts } = store;
  const { dataDirectory, queueTimes, pictureHosts } = options;
  const pictures = createPictures({ folder: join(dataDirectory, 'pictures'), hosts: pictureHosts, shared: store.pictures, clock });

  function timeFor(at: SendOptions['at'], taken: ReadonlySet<number>): Date {
    const nowMs = clock.nowMs();
    if (at === undefined) return new Date(nowMs);
    if (at instanceof Date) return at;
    const next = nextQueueTime({ times: queueTimes, zone: at.queue, nowMs, taken });
    if (!next) throw new Error('the queue has no times');
    return next;
  }

  const isConnected = (account: string): boolean => clients.social.has(account);
  const toSent = (found: PostAndDeliveries): SentPost => toSentPost(found, isConnected);

  async function find(id: string) {
    const found = await posts.find(id);
    return found && found.post.params === undefined ? toSent(found) : undefined;
  }

  async function draftPictures(): Promise<readonly string[]> {
    return (await postDrafts.all()).flatMap(({ body }) => toDraft(body).picture?.path ?? []);
  }

  async function sweep(): Promise<void> {
    // Drafts are read first, so the pictures of a draft that is sent in between are found among the posts.
    const ofDrafts = await draftPictures();
    await pictures.sweep(new Set([...ofDrafts, ...(await posts.pictures())]));
  }

  return {
    accounts() {
      const { all = [], defaults = [] } = accounts['social'] ?? {};
      return all.filter(isConnected).map((name) => ({ name, isDefault: defaults.includes(name) }));
    },

    preview: (post) =>
      post.accounts.map((account) => {
        const { textLimit, postDefaults } = clients.social.get(account) ?? {};
        const preview = previewPost(post, { account, textLimit, postDefaults, now: new Date(clock.nowMs()) });
        return isConnected(account) ? preview : { ...preview, problem: { kind: 'refused', why: 'the account is not connected' } };
      }),

    async send(post, { id, by, server = '', at: wanted, failureNotice, needsDraft }) {
      const isQueued = wanted !== undefined && !(wanted instanceof Date);
      let decided: Decision | undefined;
      const committed = await posts.commit({
        id,
        needsDraft,
        by,
        server,
        text: post.text,
        picture: post.picture?.path,
        isQueued,
        chooseTime: (taken) => timeFor(wanted, taken),
        toFiring: (at) => postFiring(post, { id, by: by.name, person: by.id, at, isQueued, failureNotice }),
        toDecision: (at) => (decided = decisionOf(post, { id, by: by.name, at, isLater: wanted !== undefined, nowMs: clock.nowMs() })),
      });
      if (decided) {
        log.info({ post: id, by: loggedName(by), accounts: post.accounts, at: committed.post.at }, 'a post was created');
        eventBus.publish({ kind: 'decision', decision: decided });
        wake();
      }
      return toSent(committed);
    },

    find,

    async settled(id, signal) {
      for (;;) {
        const news = Promise.withResolvers<void>();
        const unsubscribe = eventBus.subscribe((event) => event.kind === 'delivery' && event.delivery.episode === id && news.resolve());
        try {
          signal.throwIfAborted();
          const found = await posts.find(id);
          if (!found || found.deliveries.filter(isOfPost).every(isSettled)) return found && toSent(found);
          await untilAborted(news.promise, signal);
        } finally {
          unsubscribe();
        }
      }
    },

    allWaiting: async () => (await posts.waiting()).map(toSent),
    waiting: async (server = '') => (await posts.waiting(server)).map(toSent),
    recent: async (server = '', most) => (await posts.recent(server, most)).map(toSent),

    async cancel(id, by) {
      const outcome = toWithdrawn(await posts.withdraw(id, by.name));
      log.info({ post: id, by: loggedName(by), outcome }, 'a person cancelled a post');
      return outcome;
    },

    async move(id, { at, by }) {
      const outcome = isTooFar(at, clock.nowMs()) ? 'far' : (await posts.move(id, at)) ? 'done' : 'begun';
      if (outcome === 'done') wake();
      log.info({ post: id, by: loggedName(by), at, outcome }, 'a person moved a post');
      return outcome;
    },

    async contentOf(id) {
      const delivery = (await posts.find(id))?.deliveries.find(isOfPost);
      const step = delivery && (await posts.step(delivery.id));
      return step && contentOf(step);
    },

    async edit(id, { content, edits, failureNotice, by }) {
      const toStep = (step: Step): Step => editedStep(step, content, failureNotice);
      const outcome = await posts.edit(id, { text: content.text, edits, by, toStep });
      if (outcome === 'done') wake();
      log.info({ post: id, by: loggedName(by), outcome }, 'a person edited a post');
      return outcome;
    },

    async nextQueueTime({ server = '', zone }) {
      return nextQueueTime({ times: queueTimes, zone, nowMs: clock.nowMs(), taken: await posts.takenTimes(server) });
    },

    readTime: (typed, zone) => readTime(typed, { zone, nowMs: clock.nowMs() }),
    storePicture: (offered, signal) => pictures.keep(offered, signal),

    drafts: {
      keep: (draft) => postDrafts.keep({ id: draft.id, owner: draft.owner ?? '', body: draft }),
      async find(id) {
        const kept = await postDrafts.find(id);
        return kept && toDraft(kept.body);
      },
      drop: (id) => postDrafts.drop(id),
    },

    async run(signal) {
      while (!signal.aborted) {
        await sweep().catch((error: unknown) => log.warn({ error }, 'unused pictures could not be deleted'));
        await clock.sleep(SWEEP_MS, signal).catch(() => undefined);
      }
    },
  };
}

/** Only people of Discord have an id. */
function loggedName({ id, name }: SentPost['by']): string {
  return id === '' ? name : `${name} (${id})`;
}

interface DecidedPost {
  readonly id: string;
  readonly by: string;
  readonly at: Date;
  readonly isLater: boolean;
  readonly nowMs: number;
}

function decisionOf({ accounts }: NewPost, { id, by, at, isLater, nowMs }: DecidedPost): Decision {
  const time = isLater ? `, to go out at ${at.toISOString()}` : '';
  return { rule: POST_RULE, atMs: nowMs, outcome: 'fired', episode: id, message: `${by} posted to ${accounts.join(', ')}${time}` };
}

/** A stored draft. Its JSON has text instead of dates. */
function toDraft(body: object): PostDraft {
  const draft = body as PostDraft; // only `keep` writes drafts
  const { when } = draft;
  return { ...draft, when: typeof when === 'object' ? { at: new Date(when.at) } : when };
}
