import { createPostActions, type PostActions } from '#src/admin/actions/post-actions.ts';
import { resend } from '#src/admin/actions/resend.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import type { Json } from '#src/clients/operation/json.ts';
import type { Attempt } from '#src/engine/delivery/attempt.ts';
import { createDeliveryEngine, type DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { createEventBus } from '#src/engine/event-bus.ts';
import { createPosting } from '#src/engine/posting/create-posting.ts';
import type { Posting } from '#src/engine/posting/posting.ts';
import { Postponed } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { renderStep } from '#src/rules/render.ts';
import type { Store } from '#src/store/store.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { deliverAll, SimulatedCrash } from '../simulated-crash.ts';
import type { Act, PersonAct } from './acts.ts';
import { ExpectedPosts, type ExpectedPost } from './expected-posts.ts';
import { QUEUE, type Night } from './nights.ts';
import { People } from './people.ts';

const MINUTE_MS = 60_000;
const STEP_MS = MINUTE_MS;
/** Nothing changes while everything that waits happens. */
const LONG_STEP_MS = 60 * MINUTE_MS;
const DAY_MINUTES = 24 * 60;
/** Parts of threads are as long as a text that is no thread. */
const TEXT_LIMIT = { most: 13, lengthOf: (text: string) => text.length };
const ACCOUNTS = ['x', 'club'];

/** Fanfare over a store in memory and a simulated platform, in a night in which people post. */
export class Installation {
  readonly expected = new ExpectedPosts();
  readonly #people = new People(this.expected);
  readonly #night: Night;
  readonly #clock: ManualClock;
  readonly #store: Store;
  readonly #platform: FakePlatform;
  readonly #crash = new SimulatedCrash();
  /** The accounts that a platform refused for good, and those that could not be used for long. */
  readonly #refuses = new Set<string>();
  readonly #isLate = new Set<string>();
  readonly #heldUntilMs = new Map<string, number>();
  #during: PersonAct | undefined;
  #posting: Posting;
  #actions: PostActions;
  #engine: DeliveryEngine;

  constructor(night: Night, clock: ManualClock, store: Store) {
    this.#night = night;
    this.#clock = clock;
    this.#store = store;
    this.#platform = new FakePlatform(clock, { deduplicates: false, finds: 'content' });
    [this.#posting, this.#actions, this.#engine] = this.#start();
  }

  async do(act: Act): Promise<void> {
    switch (act.kind) {
      case 'write':
        await this.#write(act);
        break;
      case 'edit':
      case 'move':
      case 'moveBack':
      case 'cancel':
        await this.#act(act);
        break;
      case 'atOnce':
        await Promise.all([...act.acts.map((one) => this.#act(one)), ...(act.isDue ? [this.#engine.deliverNext()] : [])]);
        await this.#look();
        break;
      case 'during':
        this.#during = act.act;
        break;
      case 'restart':
        this.#restart();
        break;
      case 'stopFor':
        this.#clock.set(this.#clock.nowMs() + act.minutes * MINUTE_MS);
        for (const account of ACCOUNTS) this.#isLate.add(account);
        this.#restart();
        break;
      case 'crash':
        await this.#crash.deliver(this.#engine, act.isSent);
        this.#restart();
        break;
      case 'resend':
        await this.#resend(act.post);
        break;
      case 'hold':
        this.#heldUntilMs.set(act.account, this.#clock.nowMs() + act.minutes * MINUTE_MS);
        this.#isLate.add(act.account);
        break;
      case 'fail':
        this.#platform.nextFailures.set(act.account, [...act.failures]);
        if (act.failures.includes('forbidden')) this.#refuses.add(act.account);
        break;
      case 'pass':
        await this.#pass(act.minutes, STEP_MS);
        break;
    }
    await deliverAll(this.#engine);
    await this.#look();
  }

  /** Lets everything that waits happen, and checks that nothing is lost. */
  async end(): Promise<void> {
    this.#platform.nextFailures.clear();
    this.#heldUntilMs.clear();
    this.#during = undefined;
    for (let day = 0; day < 6; day++) await this.#pass(DAY_MINUTES, LONG_STEP_MS);
    await this.#look();
    for (const post of this.expected.all) {
      const shown = await this.#posting.find(post.id);
      if (!shown) throw new Error(`${post.id} is gone`);
      this.expected.end(post, shown, (account, { state, problem }) =>
        state === 'skipped' ? problem?.reason?.kind === 'tooLate' && this.#isLate.has(account) : this.#refuses.has(account),
      );
    }
    this.expected.check();
  }

  #start(): [Posting, PostActions, DeliveryEngine] {
    const { perform: _, recover } = this.#platform;
    const engine = createDeliveryEngine({
      deliveries: this.#store.deliveries,
      perform: (attempt) => this.#perform(attempt),
      recover,
      search: () => Promise.resolve('absent'),
      render: ({ delivery: { section, account }, ...due }, results) =>
        renderStep({ ...due, section, account, results, textLimit: account === 'discord' ? undefined : TEXT_LIMIT, catalogue }),
      random: () => 0.5,
      clock: this.#clock,
      log: silentLog,
    });
    const posting = createPosting({
      accounts: { social: { all: ACCOUNTS, defaults: ACCOUNTS } },
      clients: { social: new Map(ACCOUNTS.map((name) => [name, { platformName: name, textLimit: TEXT_LIMIT }])) },
      store: this.#store,
      eventBus: createEventBus(),
      wake: () => engine.wake(),
      dataDirectory: '/nonexistent',
      queueTimes: QUEUE.times,
      pictureHosts: new Set(),
      clock: this.#clock,
      log: silentLog,
    });
    const failureText = ({ text }: { readonly text: string }) => Promise.resolve(`Failed: ${text} on`);
    return [posting, createPostActions({ posting, failureText, auditLog: this.#store.auditLog }), engine];
  }

  #restart(): void {
    [this.#posting, this.#actions, this.#engine] = this.#start();
  }

  #act(act: PersonAct): Promise<void> {
    return this.#people.act(act, this.#actions, this.#clock.nowMs());
  }

  /** Writes a post. A second click, at the same time, sends nothing. */
  async #write({ accounts, isThread, when, clicks }: Extract<Act, { kind: 'write' }>): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const isTimed = when !== 'now';
    const atMs = when === 'now' ? nowMs : when === 'queue' ? this.#nextQueueMs(nowMs) : nowMs + when * MINUTE_MS;
    const post: ExpectedPost = {
      id: `P${this.expected.all.length}`,
      accounts,
      hasNotice: isTimed,
      isQueued: when === 'queue',
      texts: [0],
      times: [atMs],
      isMoved: false,
      lastText: 0,
      edits: 0,
      formerMs: atMs,
      cancelledOn: new Set(),
      isCancelled: false,
      isOver: false,
      wasResent: false,
    };
    this.expected.all.push(post);
    const text = this.expected.textOf(post, 0, isThread);
    const failureNotice = isTimed ? { account: 'discord', channel: '5', text: `Failed: ${text} on` } : undefined;
    const at = when === 'now' ? undefined : when === 'queue' ? { queue: QUEUE.zone } : new Date(atMs);
    const send = () =>
      this.#posting.send({ text, accounts }, { id: post.id, by: { id: '1', name: 'linus' }, server: 'home', at, failureNotice });
    const sent = await Promise.all(Array.from({ length: clicks }, send));
    for (const one of sent) this.expected.shown(post, one);
  }

  #nextQueueMs(nowMs: number): number {
    const taken = this.expected.all.filter(({ isQueued, isCancelled }) => isQueued && !isCancelled).flatMap(({ times }) => times);
    const next = this.#night.queueMs.find((ms) => ms > nowMs && !taken.includes(ms));
    if (next === undefined) throw new Error('the night has too few times for the queue');
    return next;
  }

  async #resend(number: number): Promise<void> {
    const { all } = this.expected;
    const post = all[number % Math.max(1, all.length)];
    const { deliveries = [] } = (post && (await this.#store.posts.find(post.id))) ?? {};
    const failed = deliveries.find(({ state, account }) => state === 'failed' && account !== 'discord');
    if (!post || !failed) return;
    const { deliveries: rows, ruleStates } = this.#store;
    const options = {
      deliveries: { ...rows, reopen: this.#engine.reopen },
      ruleStates,
      findRule: () => undefined,
      isPost: () => true,
      clock: this.#clock,
    };
    post.wasResent = true;
    await Promise.all([resend(failed.id, 'ada', options), resend(failed.id, 'grace', options)]);
  }

  async #perform(attempt: Attempt): Promise<Json> {
    const { account, params } = attempt;
    const text = typeof params['text'] === 'string' ? params['text'] : undefined;
    const heldUntilMs = this.#heldUntilMs.get(account) ?? 0;
    if (text !== undefined) this.expected.began(account, text, this.#clock.nowMs());
    if (heldUntilMs > this.#clock.nowMs()) throw new Postponed('the spending limit is reached', { until: new Date(heldUntilMs) });
    const act = this.#during;
    this.#during = undefined;
    if (act) {
      await this.#look();
      await this.#act(act);
    }
    return this.#crash.perform(async () => {
      const before = this.#platform.records.length;
      try {
        return await this.#platform.perform(attempt);
      } finally {
        for (const record of this.#platform.records.slice(before)) {
          const content = record.params['content'];
          if (text !== undefined) this.expected.made(account, text);
          else if (typeof content === 'string') this.expected.noticed(content);
        }
      }
    });
  }

  async #pass(minutes: number, stepMs: number): Promise<void> {
    const steps = Math.ceil((minutes * MINUTE_MS) / stepMs);
    for (let step = 0; step < steps; step++) {
      this.#clock.set(this.#clock.nowMs() + stepMs);
      await deliverAll(this.#engine);
    }
  }

  /** Looks at all posts. */
  async #look(): Promise<void> {
    for (const post of this.expected.all) {
      const shown = await this.#posting.find(post.id);
      if (!shown) throw new Error(`${post.id} is gone`);
      post.isOver = shown.targets.some(({ state }) => state !== 'pending');
      this.expected.shown(post, shown);
    }
    this.expected.check();
  }
}
