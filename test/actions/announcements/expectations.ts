import type { Attempt } from '#src/engine/delivery/attempt.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { RuleMemory } from '#src/rules/episode.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import type { GateBlock } from '#src/rules/reasons/reason.ts';
import type { AttemptFailure } from '../../support/fake-platform.ts';
import { ExpectedPauses } from './expected-pauses.ts';
import type { Night, WalkedRule } from './walked-rule.ts';

/** A stream that a poll of the rule showed. */
interface SeenStream {
  readonly readMs: number;
  mutedMs?: number;
  /** The answer of the moderators; absent: none. */
  answer?: string;
  isAsked?: true;
  /** Whether it fired while the rule gathered. */
  isGathered?: true;
  last?: Decision;
}

/** A slot that a person requested can be a moment ahead of the clock. */
const SLOT_MS = 1_000;

/** The sections whose messages announce a stream. A stream is announced by one of them. */
const ANNOUNCING = ['start', 'quiet', 'limit'];

/** The promises about announcements, checked with what the test did and what the platform got. It shares no code with the product. */
export class Expectations {
  readonly pauses = new ExpectedPauses();
  /** The number of messages that announced something. */
  announced = 0;
  readonly #night: Night;
  #rule: WalkedRule;
  readonly #streams = new Map<string, SeenStream>();
  /** How often each section named each stream, for example `start ada-1`. */
  readonly #sent = new Map<string, number>();
  #stoppedMs = -Infinity;
  #limitedSinceMs = -Infinity;
  #fired: number[] = [];
  #mayFail = false;
  #held = false;
  /** Whether a person asks for the announcement of an item. */
  isRequest = false;

  #broken: string | undefined;

  constructor(night: Night, rule: WalkedRule) {
    this.#night = night;
    this.#rule = rule;
    this.#held = rule.quiet?.then === 'hold' || rule.limit?.then === 'hold';
  }

  /** Throws if a promise was broken. The product would log an error that is thrown inside of a poll or a request, and continue. */
  check(): void {
    if (this.#broken !== undefined) throw new Error(this.#broken);
  }

  #break(how: string): void {
    this.#broken ??= how;
  }

  read(id: string, readMs: number): void {
    if (!this.#streams.has(id)) this.#streams.set(id, { readMs });
  }

  streamAt(number: number): string | undefined {
    const all = [...this.#streams.keys()];
    return all[number % Math.max(1, all.length)];
  }

  edited(rule: WalkedRule, nowMs: number): void {
    if (!rule.isOn || !this.#rule.isOn) this.#stoppedMs = nowMs;
    if (JSON.stringify(rule.limit) !== JSON.stringify(this.#rule.limit)) this.#limitedSinceMs = nowMs;
    // Without its steps, a section holds what waits for them.
    const isWithoutSteps = [this.#rule.quiet, this.#rule.limit].some(
      (gate, at) => gate?.then === 'steps' && [rule.quiet, rule.limit][at]?.then !== 'steps',
    );
    this.#rule = rule;
    this.#held ||= isWithoutSteps || rule.quiet?.then === 'hold' || rule.limit?.then === 'hold';
  }

  muted(id: string, mutedMs: number): void {
    const one = this.#streams.get(id);
    if (one) one.mutedMs = mutedMs;
  }

  answered(id: string, [choice, ...others]: readonly string[]): void {
    if (others.length > 0) this.#break(`two answers about ${id} were accepted`);
    const one = this.#streams.get(id);
    if (one && choice !== undefined) one.answer = choice;
  }

  failed(failures: readonly (AttemptFailure | undefined)[]): void {
    this.#mayFail ||= failures.includes('forbidden');
  }

  /** Checks the decisions of a slot. */
  decided({ decisions, firings }: Advance, nowMs: number): void {
    const announcing = firings.filter(({ section }) => section !== 'while' && section !== 'finally');
    for (const { section, atMs, scope } of announcing) {
      if (this.pauses.isPaused(nowMs)) this.#break(`${section} fired while the rule was paused`);
      if (this.#isQuiet(atMs)) this.#break(`${section} fired in quiet hours`);
      if (section !== 'then') continue;
      this.#fired.push(atMs);
      const id = idOf(scope.item);
      const one = this.#streams.get(id);
      if (one?.mutedMs !== undefined) this.#break(`${id} fired although it was muted`);
      if (one && this.#rule.gathers !== undefined) one.isGathered = true;
      const { limit } = this.#rule;
      const sinceMs = limit ? Math.max(this.#limitedSinceMs, atMs - limit.perMinutes * 60_000) : 0;
      if (limit && this.#fired.filter((ms) => ms > sinceMs).length > limit.firings) this.#break('more firings than the limit allows');
    }
    for (const decision of decisions) this.#explains(decision, nowMs);
  }

  /** Checks the start of a request. */
  began({ do: verb, params, plannedAt }: Attempt, nowMs: number): void {
    if (verb === 'discord.edit') return;
    const [section = '', ...ids] = wordsOf(params);
    const what = `${section} ${ids.join(' ')}`;
    if (this.pauses.isPaused(nowMs)) this.#break(`${what} was sent while the rule was paused`);
    if (!this.#rule.isOn) this.#break(`${what} was sent while the rule was off or deleted`);
    for (const id of ids) {
      const one = this.#streams.get(id);
      if (!one) return this.#break(`${what} was sent, but no poll showed ${id}`);
      const isFromMuted =
        section === 'start' || section === 'ask' || one.mutedMs === undefined || one.mutedMs + SLOT_MS < (plannedAt?.getTime() ?? 0);
      if (one.mutedMs !== undefined && isFromMuted) this.#break(`${what} was sent although ${id} was muted`);
      if (section === 'ask') one.isAsked = true;
      if (section === 'start' && one.isAsked && one.answer !== 'send') this.#break(`${what} was sent without an approval`);
    }
  }

  /** Checks a new message on the platform. */
  sent(params: JsonObject): void {
    const [section = '', ...ids] = wordsOf(params);
    for (const id of ids) {
      const name = `${section} ${id}`;
      this.#sent.set(name, (this.#sent.get(name) ?? 0) + 1);
      const isAnnouncement = ANNOUNCING.includes(section);
      const count = isAnnouncement ? this.#announcements(id) : (this.#sent.get(name) ?? 0);
      if (count > 1 && section !== 'over') this.#break(`${id} was announced ${count} times, last by ${section}`);
      if (isAnnouncement) this.announced++;
    }
  }

  /** Checks that no stream is lost, after everything that waited could happen. */
  end(
    deliveries: readonly Pick<Delivery, 'item' | 'do' | 'section' | 'state' | 'reason' | 'message' | 'error' | 'creates'>[],
    { memory, nowMs, isLive }: { readonly memory: RuleMemory; readonly nowMs: number; readonly isLive: (id: string) => boolean },
  ): void {
    const gathered = new Set((memory.gathered ?? []).map(({ change }) => idOf(change['item'])));
    for (const [id, one] of this.#streams) {
      const wasStopped = this.#stoppedMs >= one.readMs || this.pauses.wasPaused(one.readMs, nowMs);
      const isMuted = one.mutedMs !== undefined;
      if (one.isGathered && !this.#sent.has(`gather ${id}`) && !gathered.has(id) && !isMuted && !wasStopped && !this.#mayFail)
        this.#break(`${id} was gathered and lost`);
      if (this.#announcements(id) > 0) continue;
      const { outcome = 'nothing', message = '' } = one.last ?? {};
      if (outcome === 'suppressed') continue;
      const its = deliveries.filter(({ item, section }) => item?.key === id && section === 'then');
      const isExplained = its.some((delivery) => this.#isUnsentFor(delivery, { one, wasStopped, isLive: isLive(id) }));
      if (isExplained) continue;
      if (outcome !== 'fired' && (this.#mayFail || (this.#held && !isLive(id)))) continue;
      const states = its.map((delivery) => `${delivery.do} ${delivery.state} ${delivery.message}`).join('; ');
      this.#break(`${id} is lost: ${outcome}: ${message}; ${states}`);
    }
  }

  #isUnsentFor(
    { do: verb, state, reason }: Pick<Delivery, 'do' | 'state' | 'reason'>,
    { one, wasStopped, isLive }: { readonly one: SeenStream; readonly wasStopped: boolean; readonly isLive: boolean },
  ): boolean {
    if (state === 'failed' || state === 'unknown') return this.#mayFail;
    if (state !== 'skipped' || (verb !== 'discord.send' && verb !== 'discord.ask')) return false;
    switch (reason?.kind) {
      case 'rulePaused':
      case 'ruleDeleted':
      case 'ruleDisabled':
        return wasStopped;
      case 'itemMuted':
        return one.mutedMs !== undefined;
      case 'episodeEnded':
        return !isLive;
      default:
        // The question of a deleted rule is closed.
        return (
          one.answer === 'drop' ||
          (one.isAsked && one.answer === undefined && wasStopped) ||
          (reason !== undefined && !isLive) ||
          this.#mayFail
        );
    }
  }

  /** Checks that the reason of a decision is what the test did. */
  #explains(decision: Decision, nowMs: number): void {
    const { item, atMs, message, reason } = decision;
    const one = item === undefined ? undefined : this.#streams.get(item);
    // A deferred announcement is still sent if a request for it is suppressed.
    const isOnlyRefused = this.isRequest && decision.outcome === 'suppressed' && one?.last?.outcome === 'deferred';
    if (one && !isOnlyRefused && ['fired', 'suppressed', 'deferred'].includes(decision.outcome)) one.last = decision;
    const by = reason && 'block' in reason ? (reason.block as GateBlock | undefined)?.by.kind : undefined;
    const isTrue =
      by === 'paused'
        ? this.pauses.isPaused(nowMs)
        : by === 'quietHours'
          ? this.#isQuiet(atMs)
          : by === 'muted'
            ? one?.mutedMs !== undefined
            : by === 'limitReached'
              ? this.#rule.limit !== undefined
              : by === undefined;
    if (!isTrue) this.#break(`this is not so: ${message}`);
  }

  #announcements(id: string): number {
    return ANNOUNCING.reduce((sum, section) => sum + (this.#sent.get(`${section} ${id}`) ?? 0), 0);
  }

  #isQuiet(atMs: number): boolean {
    const hours = this.#rule.quiet && this.#night.quiet[this.#rule.quiet.hours];
    return hours !== undefined && hours.fromMs <= atMs && atMs < hours.untilMs;
  }
}

function wordsOf({ content }: JsonObject): readonly string[] {
  return typeof content === 'string' ? content.split(' ') : [];
}

function idOf(item: unknown): string {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' ? item.id : '?';
}
