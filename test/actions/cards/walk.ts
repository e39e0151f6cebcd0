import { createDeliveryEngine, type DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import { stepsThrough } from '#src/engine/delivery/steps.ts';
import { createClients } from '#src/clients/clients.ts';
import { silentLog } from '#src/log.ts';
import type { Poll } from '#src/rules/poll.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStage, stream, type Stage } from '../../engine/rule-sets/fixture.ts';
import { deliverAll, SimulatedCrash } from '../simulated-crash.ts';
import type { Act } from './acts.ts';
import { ExpectedCards, type ShownStream } from './expected-cards.ts';
import { filesOf, type WalkedRules } from './walked-rules.ts';

const MINUTE_MS = 60_000;
const STEP_MS = 30_000;
/** Nothing changes while everything that waits happens. */
const LONG_STEP_MS = 10 * MINUTE_MS;
/** Longer than all waits and all pauses between attempts. */
const RUN_OUT_MINUTES = 240;
const ACCOUNT = 'discord';
const MOST_LIVE = 3;
const FIRST_TITLE = 'chess';

/** Streams go live, change and end while people act. Throws at the first broken promise; resolves with the number of messages. */
export async function walk(rules: WalkedRules, acts: readonly Act[]): Promise<number> {
  const clock = new ManualClock();
  const installation = new Installation(rules, clock);
  await using first = await openStage(filesOf(rules), {
    clock,
    poll: (rule) => installation.poll(rule.id.startsWith('card') ? 'card' : 'changes'),
  });
  installation.take(first);
  for (const act of acts) await installation.do(act);
  return await installation.end();
}

interface LiveStream extends ShownStream {
  readonly startedAt: string;
}

class Installation {
  readonly expected = new ExpectedCards();
  readonly #clock: ManualClock;
  readonly #platform: FakePlatform;
  readonly #crash = new SimulatedCrash();
  #rules: WalkedRules;
  #live: readonly LiveStream[] = [];
  /** The last one first. */
  #ended: readonly LiveStream[] = [];
  readonly #paused = new Set<string>();
  #streams = 0;
  #failsPolls = false;
  #hasFailed = false;
  #current: { readonly stage: Stage; readonly engine: DeliveryEngine } | undefined;

  constructor(rules: WalkedRules, clock: ManualClock) {
    this.#rules = rules;
    this.#clock = clock;
    this.#platform = new FakePlatform(clock, { deduplicates: false, finds: 'content' });
  }

  take(stage: Stage): void {
    // What waits is withdrawn at the end of its stream.
    this.expected.hasWaited ||= this.#rules.waitMinutes > 0;
    const clients = createClients({ streaming: [], social: [], discord: [] }, this.#clock);
    const engine = createDeliveryEngine({
      ...stepsThrough({ clients, watch: (_, use) => use() }),
      deliveries: stage.store.deliveries,
      perform: (attempt) => this.#crash.perform(() => this.#platform.perform(attempt)),
      recover: this.#platform.recover,
      search: () => Promise.resolve('absent'),
      random: () => 0.5,
      clock: this.#clock,
      log: silentLog,
    });
    this.#current = { stage, engine };
  }

  poll(rule: 'card' | 'changes'): Poll {
    if (this.#failsPolls) return { failure: 'unavailable' };
    const items = this.#live.map((one) => stream(one.id, { ...one }));
    this.expected.polled(rule, this.#counting(), {
      isPaused: this.#paused.has(rule),
      nowMs: this.#clock.nowMs(),
      graceMs: this.#rules.graceMinutes * MINUTE_MS,
    });
    return { items, complete: true };
  }

  async do(act: Act): Promise<void> {
    const { stage, engine } = this.#now();
    this.expected.hasGap ||= ['off', 'gone', 'down', 'failPolls'].includes(act.kind);
    switch (act.kind) {
      case 'start':
        this.#start();
        break;
      case 'end': {
        const one = nth(this.#live, act.number);
        if (one) [this.#live, this.#ended] = [without(this.#live, one), [one, ...this.#ended]];
        break;
      }
      case 'return': {
        const one = nth(this.#ended, act.number);
        if (one) [this.#live, this.#ended] = [[...this.#live, { ...one, title: act.title }], without(this.#ended, one)];
        break;
      }
      case 'title': {
        const one = nth(this.#live, act.number);
        if (one) this.#live = [...without(this.#live, one), { ...one, title: act.title }];
        break;
      }
      case 'pause':
        // Only what waits is withdrawn.
        this.expected.mayWithdraw ||= this.#rules.waitMinutes > 0 || this.#hasFailed;
        this.#paused.add(act.rule);
        await stage.store.ruleStates.changePauses([`${act.rule}${this.#rules.suffix}`], { pause: { by: 'ada' } });
        break;
      case 'resume':
        this.#paused.delete(act.rule);
        await stage.store.ruleStates.changePauses([`${act.rule}${this.#rules.suffix}`], { resume: 'now' });
        break;
      case 'edit':
        await this.#edit(act.change);
        break;
      case 'editWhileStopped':
        this.#rules = { ...this.#rules, ...act.change };
        await this.#write();
        await this.#restart();
        break;
      case 'off':
        this.expected.mayWithdraw = true;
        await this.#edit({ isOn: false });
        await this.#pass(act.minutes);
        await this.#edit({ isOn: true });
        break;
      case 'gone':
        this.expected.mayWithdraw = true;
        for (const file of Object.keys(filesOf(this.#rules))) await stage.remove(file);
        await reload(stage);
        await this.#pass(act.minutes);
        await this.#edit({});
        break;
      case 'rename':
        await this.#edit({ was: this.#rules.suffix, suffix: `${this.#rules.suffix}x` });
        break;
      case 'down':
        this.#clock.set(this.#clock.nowMs() + act.minutes * MINUTE_MS);
        await this.#restart();
        break;
      case 'restart':
        await this.#restart();
        break;
      case 'crash':
        await this.#crash.deliver(engine, act.isSent);
        this.#hasFailed = true;
        await this.#restart();
        break;
      case 'fail':
        this.#hasFailed = true;
        this.#platform.nextFailures.set(ACCOUNT, [...act.failures]);
        break;
      case 'failPolls':
        this.#failsPolls = !this.#failsPolls;
        break;
      case 'pass':
        await this.#pass(act.minutes);
        break;
    }
    await deliverAll(this.#now().engine);
  }

  /** Lets everything that waits happen, and checks what the platform has. */
  async end(): Promise<number> {
    this.#failsPolls = false;
    this.#platform.nextFailures.clear();
    for (const rule of ['card', 'changes'] as const) await this.do({ kind: 'resume', rule });
    await this.#pass(RUN_OUT_MINUTES, LONG_STEP_MS);
    this.expected.check(this.#platform.records, this.#counting());
    return this.#platform.records.length;
  }

  #now(): { readonly stage: Stage; readonly engine: DeliveryEngine } {
    if (!this.#current) throw new Error('no stage is open');
    return this.#current;
  }

  #start(): void {
    if (this.#live.length >= MOST_LIVE) return;
    const startedAt = new Date(this.#clock.nowMs()).toISOString();
    this.#live = [...this.#live, { id: `stream-${++this.#streams}`, title: FIRST_TITLE, startedAt }];
  }

  #counting(): readonly ShownStream[] {
    return this.#live.filter(({ title }) => !this.#rules.isFiltered || title !== 'poker');
  }

  async #write(): Promise<void> {
    this.expected.hasWaited ||= this.#rules.waitMinutes > 0;
    for (const [file, text] of Object.entries(filesOf(this.#rules))) await this.#now().stage.write(file, text);
  }

  async #edit(change: Partial<WalkedRules>): Promise<void> {
    this.#rules = { ...this.#rules, ...change };
    await this.#write();
    await reload(this.#now().stage);
  }

  async #restart(): Promise<void> {
    this.take(await this.#now().stage.restart());
  }

  async #pass(minutes: number, stepMs = STEP_MS): Promise<void> {
    const { stage } = this.#now();
    const steps = Math.ceil((minutes * MINUTE_MS) / stepMs);
    for (let step = 1; step <= steps; step++) {
      this.#clock.set(this.#clock.nowMs() + stepMs);
      await stage.scheduler.tick();
      await deliverAll(this.#now().engine);
    }
  }
}

function nth(all: readonly LiveStream[], number: number): LiveStream | undefined {
  return all[number % Math.max(1, all.length)];
}

function without(all: readonly LiveStream[], one: LiveStream): readonly LiveStream[] {
  return all.filter((other) => other !== one);
}

async function reload(stage: Stage): Promise<void> {
  await stage.reloads.reload();
  await stage.reloads.settled();
}
