import { createDeliveryEngine, type DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { Attempt } from '#src/engine/delivery/attempt.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { stepsThrough } from '#src/engine/delivery/steps.ts';
import { createClients } from '#src/clients/clients.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { silentLog } from '#src/log.ts';
import type { Poll } from '#src/rules/poll.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { stream, type Stage } from '../../engine/rule-sets/fixture.ts';
import { deliverAll, SimulatedCrash } from '../simulated-crash.ts';
import type { Act } from './acts.ts';
import { Expectations } from './expectations.ts';
import { resendAtOnce } from './resend-at-once.ts';
import { FILE, textOf, type Night, type WalkedRule } from './walked-rule.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const STEP_MS = 30 * SECOND_MS;
/** Nothing changes while everything that waits happens. */
const LONG_STEP_MS = 10 * MINUTE_MS;
/** Longer than the night, all waits and all pauses between attempts. */
const RUN_OUT_MINUTES = 240;
const ACCOUNT = 'discord';

/** Fanfare over a store in memory and a simulated platform, in a night. */
export class Installation {
  readonly expectations: Expectations;
  readonly #clock: ManualClock;
  readonly #night: Night;
  readonly #platform: FakePlatform;
  readonly #crash = new SimulatedCrash();
  #rule: WalkedRule;
  #live = new Map<string, { readonly id: string; readonly startedAt: string }>();
  #streams = 0;
  #failsPolls = false;
  #current: { readonly stage: Stage; readonly engine: DeliveryEngine } | undefined;

  constructor(night: Night, rule: WalkedRule, clock: ManualClock) {
    this.#night = night;
    this.#rule = rule;
    this.#clock = clock;
    this.#platform = new FakePlatform(clock, { deduplicates: false, finds: 'content' });
    this.expectations = new Expectations(night, rule);
  }

  /** Runs on a stage from now on. */
  take(stage: Stage): void {
    const clients = createClients({ streaming: [], social: [], discord: [] }, this.#clock);
    const engine = createDeliveryEngine({
      ...stepsThrough({ clients, watch: (_, use) => use() }),
      deliveries: stage.store.deliveries,
      perform: (attempt) => this.#perform(attempt),
      recover: this.#platform.recover,
      search: () => Promise.resolve('absent'),
      random: () => 0.5,
      clock: this.#clock,
      log: silentLog,
    });
    this.#current = { stage, engine };
  }

  poll(): Poll {
    if (this.#failsPolls) return { failure: 'unavailable' };
    const items = [...this.#live].map(([user, { id, startedAt }]) => stream(user, { id, startedAt }));
    for (const { id } of this.#live.values()) this.expectations.read(id, this.#clock.nowMs());
    return { items, complete: true };
  }

  async do(act: Act): Promise<void> {
    const { stage, engine } = this.#now();
    const { ruleStates } = stage.store;
    const { expectations } = this;
    const nowMs = this.#clock.nowMs();
    const { id } = this.#rule;
    switch (act.kind) {
      case 'start':
        this.#start(act.user);
        break;
      case 'end':
        this.#stop(act.user);
        break;
      case 'pause': {
        const untilMs = act.minutes === undefined ? undefined : nowMs + act.minutes * MINUTE_MS;
        await ruleStates.changePauses([id], { pause: { by: 'ada', untilMs } });
        expectations.pauses.pause(nowMs, untilMs);
        break;
      }
      case 'plan': {
        const fromMs = nowMs + act.inSeconds * SECOND_MS;
        const untilMs = act.minutes === undefined ? undefined : fromMs + act.minutes * MINUTE_MS;
        await ruleStates.changePauses([id], { pause: { by: 'grace', fromMs, untilMs } });
        expectations.pauses.plan(nowMs, fromMs, untilMs);
        break;
      }
      case 'resume':
        await ruleStates.changePauses([id], { resume: 'now' });
        expectations.pauses.resume(nowMs);
        break;
      case 'cancelPlans':
        await ruleStates.changePauses([id], { resume: 'planned' });
        expectations.pauses.cancelPlans(nowMs);
        break;
      case 'mute': {
        const delivery = await this.#nth(act.number, ({ item, section }) => item !== undefined && section === 'then');
        if (!delivery?.item) break;
        const outcome = await ruleStates.mute(delivery.rule, delivery.episode, 'ada');
        if (outcome === 'muted') expectations.muted(delivery.item.key, nowMs);
        break;
      }
      case 'answer': {
        const question = await this.#nth(act.number, ({ do: verb, state }) => verb === 'discord.ask' && state === 'asked');
        if (!question) break;
        // Two moderators click at once.
        const outcomes = await Promise.all(act.choices.map((choice, by) => engine.answer(question.id, { choice, by: String(by) })));
        expectations.answered(
          question.item?.key ?? '',
          act.choices.filter((_, at) => outcomes[at] !== undefined),
        );
        break;
      }
      case 'resend': {
        const delivery = await this.#nth(act.number, ({ state }) => state === 'failed');
        if (delivery) await resendAtOnce(delivery.id, { stage, engine, clock: this.#clock });
        break;
      }
      case 'announce': {
        const item = expectations.streamAt(act.number);
        if (item === undefined || !this.#rule.isOn) break;
        expectations.isRequest = true;
        await stage.scheduler.run(id, { requested: new Set([item]) });
        expectations.isRequest = false;
        break;
      }
      case 'edit':
        await this.#edit(act.change);
        break;
      case 'editWhileStopped':
        this.#set(act.change);
        await stage.write(FILE, textOf(this.#rule, this.#night));
        await this.#restart();
        break;
      case 'rename':
        await this.#edit({ ...act.change, id: `${id}x`, was: id });
        break;
      case 'off':
        await this.#edit({ isOn: false });
        await this.#pass(act.minutes, act.lag);
        await this.#edit({ isOn: true, ...act.change });
        break;
      case 'gone':
        await stage.remove(FILE);
        this.#set({ isOn: false });
        await reload(stage);
        await this.#pass(act.minutes, act.lag);
        await this.#edit({ isOn: true, ...act.change });
        break;
      case 'restart':
        await this.#restart();
        break;
      case 'crash':
        await this.#crash.deliver(engine, act.isSent);
        await this.#restart();
        break;
      case 'fail':
        this.#platform.nextFailures.set(ACCOUNT, [...act.failures]);
        expectations.failed(act.failures);
        break;
      case 'failPolls':
        this.#failsPolls = !this.#failsPolls;
        break;
      case 'pass':
        await this.#pass(act.minutes, act.lag, act.minutes < 10 ? STEP_MS : 4 * STEP_MS);
        break;
    }
    await this.#work();
    expectations.check();
  }

  /** Lets everything that waits happen, and checks that nothing is lost. */
  async end(): Promise<void> {
    this.#failsPolls = false;
    this.#platform.nextFailures.clear();
    await this.do({ kind: 'resume' });
    await this.do({ kind: 'cancelPlans' });
    await this.#pass(RUN_OUT_MINUTES, 1, LONG_STEP_MS);
    for (;;) {
      const question = await this.#nth(0, ({ do: verb, state }) => verb === 'discord.ask' && state === 'asked');
      if (!question) break;
      await this.do({ kind: 'answer', number: 0, choices: ['send'] });
    }
    await this.#pass(RUN_OUT_MINUTES / 4, 1, LONG_STEP_MS);
    const { stage } = this.#now();
    const { items } = await stage.store.deliveryLog.list({ limit: 10_000 });
    const { memory } = await stage.store.ruleStates.load(this.#rule.id);
    this.expectations.end(items, { memory, nowMs: this.#clock.nowMs(), isLive: (id) => this.#isLive(id) });
    this.expectations.check();
  }

  #now(): { readonly stage: Stage; readonly engine: DeliveryEngine } {
    if (!this.#current) throw new Error('no stage is open');
    return this.#current;
  }

  #isLive(id: string): boolean {
    return [...this.#live.values()].some((one) => one.id === id);
  }

  #start(user: string): void {
    if (this.#live.has(user)) return;
    this.#live.set(user, { id: `${user}-${++this.#streams}`, startedAt: new Date(this.#clock.nowMs()).toISOString() });
  }

  #stop(user: string): void {
    this.#live.delete(user);
  }

  /** One of the deliveries with a property, the oldest one first. */
  async #nth(number: number, has: (delivery: Delivery) => boolean): Promise<Delivery | undefined> {
    const { deliveryLog, deliveries } = this.#now().stage.store;
    const { items } = await deliveryLog.list({ limit: 10_000 });
    const found = await deliveries.load(items.map(({ id }) => id));
    const all = found.filter(has);
    return all[number % Math.max(1, all.length)];
  }

  #set(change: Partial<WalkedRule>): void {
    this.#rule = { ...this.#rule, ...change };
    this.expectations.edited(this.#rule, this.#clock.nowMs());
  }

  async #edit(change: Partial<WalkedRule>): Promise<void> {
    const { stage } = this.#now();
    this.#set(change);
    await stage.write(FILE, textOf(this.#rule, this.#night));
    await reload(stage);
  }

  async #restart(): Promise<void> {
    this.take(await this.#now().stage.restart());
  }

  #perform(attempt: Attempt): Promise<Json> {
    this.expectations.began(attempt, this.#clock.nowMs());
    return this.#crash.perform(async () => {
      const before = this.#platform.records.length;
      try {
        return await this.#platform.perform(attempt);
      } finally {
        for (const { params } of this.#platform.records.slice(before)) this.expectations.sent(params);
      }
    });
  }

  async #work(): Promise<void> {
    await deliverAll(this.#now().engine);
  }

  /** `lag`: after how many steps a process begins planned pauses. */
  async #pass(minutes: number, lag: number, stepMs = STEP_MS): Promise<void> {
    const { stage } = this.#now();
    const steps = Math.ceil((minutes * MINUTE_MS) / stepMs);
    for (let step = 1; step <= steps; step++) {
      this.#clock.set(this.#clock.nowMs() + stepMs);
      await stage.scheduler.tick();
      await this.#work();
      if (step % lag === 0) await stage.store.ruleStates.beginPlanned();
      await this.#work();
    }
  }
}

async function reload(stage: Stage): Promise<void> {
  await stage.reloads.reload();
  await stage.reloads.settled();
}
