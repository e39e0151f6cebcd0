import { advance, type AdvanceOptions } from '#src/rules/evaluate/advance.ts';
import type { Advance } from '#src/rules/evaluate/effects/effects.ts';
import { closeEpisodes, type CloseOptions } from '#src/rules/evaluate/close-episodes.ts';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import type { Rule, WatchedChange } from '#src/rules/rule.ts';
import { aStep, cardRule, condition, MINUTE, stream } from '../fixture.ts';
import { withChange, storedAndLoaded } from '../run-polls.ts';
import { keyOfQueue, linesOf } from './lines.ts';
import type { ModelPoll, ModelChange, ModelRule, Sight } from './model-rule.ts';
import { Model } from './model.ts';
import { QuietCalendar } from './quiet-calendar.ts';
import { createInvariants } from './invariants.ts';
import { fateOf, KEYS, OFFLINE, sightsOf, type Channel, type WorldStep } from './world.ts';

/** The evening before the clocks in Paris are set back. */
const START_MS = Date.parse('2026-10-24T18:00:00Z');

const STATES = { pending: 'waiting', open: 'open', closing: 'open', closed: 'over' } as const;

const calendar = new Map<string, QuietCalendar>();

/** Observes the calls of the product. */
export interface Observer {
  readonly onAdvance: (options: AdvanceOptions, result: Advance) => void;
  readonly onClose: (options: CloseOptions, result: Advance) => void;
}

/** Runs the product and the model on a world. Throws at the first difference. Returns the number of polls. */
export function compare(
  start: ModelRule,
  world: readonly WorldStep[],
  editedTo: (nth: number) => Partial<ModelRule>,
  observer?: Observer,
): number {
  const match = new Match(start, editedTo, observer);
  for (const step of world) match.run(step);
  return match.polls;
}

class Match {
  polls = 0;
  readonly #editedTo: (nth: number) => Partial<ModelRule>;
  readonly #observer: Observer | undefined;
  readonly #model: Model;
  readonly #invariants = createInvariants();
  #modelRule: ModelRule;
  #list = 'list 0';
  #edits = 0;
  #channels: readonly Channel[] = KEYS.map(() => OFFLINE);
  #state: RuleState = NEW_STATE;
  #now = 0;
  readonly #delivering = new Map<string, number>();

  constructor(rule: ModelRule, editedTo: (nth: number) => Partial<ModelRule>, observer: Observer | undefined) {
    this.#observer = observer;
    this.#modelRule = rule;
    this.#editedTo = editedTo;
    this.#model = new Model(rule, calendarOf(rule));
  }

  run(step: WorldStep): void {
    const { quiet } = this.#modelRule;
    // The calendar of quiet hours has 85 days.
    const pass = quiet ? Math.min(step.pass, 700) : step.pass;
    const next = this.#now + pass;
    this.#wakeBefore(next, step);
    this.#now = next;
    this.#handleEvent(step);
    this.#channels = this.#channels.map((channel, i) => fateOf(channel, { fate: step.fates[i] ?? 0, now: next }));
    this.#poll(step, false);
  }

  /** Runs the slot at the end of quiet hours. */
  #wakeBefore(next: number, step: WorldStep): void {
    const wake = this.#model.wake;
    if (wake === undefined || wake >= next || wake <= this.#now) return;
    this.#now = wake;
    this.#poll(step, true);
  }

  #handleEvent({ event }: WorldStep): void {
    switch (event) {
      case 'restart':
        this.#state = storedAndLoaded(this.#state);
        break;
      case 'list edited':
        this.#list = `list ${++this.#edits}`;
        break;
      case 'timers edited':
        this.#modelRule = { ...this.#modelRule, ...this.#editedTo(++this.#edits), ...keptCooldown(this.#modelRule) };
        this.#model.edit(this.#modelRule, calendarOf(this.#modelRule));
        break;
      case 'delivered':
        this.#delivering.clear();
        break;
      case 'resumed':
        if (this.#state.memory.blownMs !== undefined) {
          this.#state = { ...this.#state, memory: { ...this.#state.memory, blownMs: undefined, fusedMs: [] } };
        }
        this.#model.resume();
        break;
      case 'all closed': {
        const options = { rule: this.#rule(), state: this.#state, slotMs: this.#ms() };
        const closed = closeEpisodes(options);
        this.#observer?.onClose(options, closed);
        same(inOrder(linesOf(closed, this.#modelRule)), inOrder(this.#model.closeAll(this.#now)), `all closed at minute ${this.#now}`);
        this.#apply(closed);
        break;
      }
      case 'nothing':
    }
  }

  #poll(step: WorldStep, woken: boolean): void {
    const { answer } = step;
    this.polls++;
    const { quiet, kind } = this.#modelRule;
    const sights = sightsOf(this.#channels, step, kind === 'feed');
    const poll: ModelPoll = {
      now: this.#now,
      sights: kind === 'one' ? sights.slice(0, 1) : sights,
      complete: answer !== 'cut short',
      more: answer === 'more',
      keyless: answer === 'malformed',
      list: this.#list,
      delivering: new Map(this.#delivering),
      woken,
    };
    const delivering = new Map([...this.#delivering].map(([key, n]) => [queueOf(key, this.#modelRule), n]));
    const options = {
      rule: this.#rule(),
      state: { ...this.#state, delivering },
      slotMs: this.#ms(),
      poll: answer === 'failed' ? { failure: 'unavailable' } : pollOf(poll),
      woken,
    };
    const one = advance(options);
    this.#observer?.onAdvance(options, one);

    const failed = answer === 'failed';
    const where = `minute ${this.#now}`;
    same(inOrder(linesOf(one, this.#modelRule)), failed ? [] : inOrder(this.#model.poll(poll)), where);
    if (!failed) {
      const wake = quiet && this.#model.wake;
      same([String(one.wakeMs)], [String(wake === undefined ? undefined : START_MS + wake * MINUTE)], `the wake at ${where}`);
    }
    if ((one.change === undefined) !== failed) throw new Error(`${where}: a failed poll changes the state`);
    if (one.decisions.length === 0) throw new Error(`${where}: a slot has no decision`);
    this.#invariants(one, { whole: poll.complete && !poll.keyless && !(poll.more && (kind === 'live' || kind === 'set')), kind });
    for (const { section, queue } of one.firings) {
      if (section !== 'then') continue;
      const key = keyOfQueue(queue);
      this.#delivering.set(key, (this.#delivering.get(key) ?? 0) + 1);
    }
    this.#apply(one);
  }

  #apply({ change }: Advance): void {
    if (!change) return;
    this.#state = withChange(this.#state, change);
    const kept = [...this.#state.episodes.values()].map(({ key, phase }) => `${key} ${STATES[phase]}`);
    same(kept.toSorted(), this.#model.kept.toSorted(), `the episodes at minute ${this.#now}`);
  }

  #ms(): number {
    return START_MS + this.#now * MINUTE;
  }

  #rule(): Rule {
    return toRule(this.#modelRule, this.#list);
  }
}

/** The product remembers firings for a day, or for the cooldown: an edit must not lengthen a short cooldown to days. */
function keptCooldown({ cooldown }: ModelRule): Partial<ModelRule> {
  return cooldown.for > 24 * 60 ? { cooldown } : {};
}

function calendarOf({ quiet }: ModelRule): QuietCalendar | undefined {
  if (!quiet) return undefined;
  const name = `${quiet.zone} ${quiet.from} ${quiet.to}`;
  const known = calendar.get(name) ?? new QuietCalendar(quiet, START_MS);
  calendar.set(name, known);
  return known;
}

function queueOf(key: string, { mode }: ModelRule): string {
  const queue = key === '' ? 'card' : `card/${key}`;
  return mode === 'parallel' ? `${queue}#7` : queue;
}

function pollOf({ sights, complete, more, keyless }: ModelPoll): Poll {
  const items = sights.map(toItem);
  return { items: keyless ? [{ id: 'a record without an owner', counts: true }, ...items] : items, complete, more };
}

const rules = new WeakMap<ModelRule, Map<string, Rule>>();

function toRule(model: ModelRule, list: string): Rule {
  const known = rules.get(model) ?? new Map<string, Rule>();
  rules.set(model, known);
  const rule = known.get(list) ?? makeRule(model, list);
  known.set(list, rule);
  return rule;
}

function makeRule(model: ModelRule, list: string): Rule {
  const { kind, changes, per, hasUpdates, confirm, settle, grace, first, take, maxAge, cooldown, fuse, mode, max, quiet } = model;
  const steps = hasUpdates ? {} : { while: [], finally: [] };
  return cardRule({
    ...steps,
    maxAgeMs: maxAge * MINUTE,
    readsList: per !== 'item',
    if: condition('item.loud', ({ item, items }) => (item ?? items?.[0])?.['loud'] !== false),
    cooldown: { forMs: cooldown.for * MINUTE, per: cooldown.per },
    fuse: { firings: fuse.firings, perMs: fuse.per * MINUTE },
    mode,
    max,
    quiet: quiet && {
      fromMinute: quiet.from,
      toMinute: quiet.to,
      timezone: quiet.zone,
      then: quiet.then === 'steps' ? [aStep()] : quiet.then,
    },
    watched: {
      kind,
      key: ({ key }) => (typeof key === 'string' ? key : undefined),
      changes: changes.map(toWatched),
      per,
      confirm,
      settleMs: settle * MINUTE,
      graceMs: grace * MINUTE,
      first,
      take,
      where: condition('item.counts', ({ item }) => item?.['counts'] === true),
      fingerprint: list,
      definition: { query: list, accounts: ['twitch'], where: '', take },
    },
  });
}

function toWatched(change: ModelChange): WatchedChange {
  return 'lines' in change ? { ...change, field: 'viewerCount' } : change;
}

function toItem({ key, broadcast, counts, loud, began, title, game, viewers }: Sight): Item {
  const startedAt = began === undefined ? undefined : new Date(START_MS + began * MINUTE).toISOString();
  return stream(key, { key, id: broadcast, startedAt, counts, loud, title, game: game && { name: game }, viewerCount: viewers });
}

/** Withdrawals come first. Their order has no meaning. */
function inOrder(lines: readonly string[]): readonly string[] {
  const isWithdrawal = (line: string): boolean => line.startsWith('withdraw');
  return [...lines.filter(isWithdrawal).toSorted(), ...lines.filter((line) => !isWithdrawal(line))];
}

function same(product: readonly string[], model: readonly string[], where: string): void {
  const [a, b] = [product.join('\n'), model.join('\n')];
  if (a !== b) throw new Error(`${where}\n--- the product:\n${a}\n--- the model:\n${b}`);
}
