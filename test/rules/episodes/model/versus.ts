import { advance, type Advance, type AdvanceOptions } from '#src/rules/episodes/advance.ts';
import { closeEpisodes, type CloseOptions } from '#src/rules/episodes/close-episodes.ts';
import { NEW_STATE, type RuleState } from '#src/rules/episode.ts';
import type { Item, Poll } from '#src/rules/poll.ts';
import type { Rule, WatchedChange } from '#src/rules/rule.ts';
import { aStep, cardRule, condition, MINUTE, stream } from '../fixture.ts';
import { applied, writtenDown } from '../play.ts';
import { keyOfQueue, linesOf } from './lines.ts';
import type { Look, ModelChange, ModelRule, Sight } from './model-rule.ts';
import { Model } from './model.ts';
import { QuietNights } from './quiet-nights.ts';
import { createWitness } from './witness.ts';
import { fateOf, KEYS, OFFLINE, sightsOf, type Channel, type Happening } from './world.ts';

/** The evening before the clocks of Paris are set back. */
const START_MS = Date.parse('2026-10-24T18:00:00Z');

const STATES = { pending: 'waiting', open: 'open', closing: 'open', closed: 'over' } as const;

const nights = new Map<string, QuietNights>();

/** Sees all that the product is asked and answers. */
export interface Onlooker {
  readonly advanced: (options: AdvanceOptions, answer: Advance) => void;
  readonly closed: (options: CloseOptions, answer: Advance) => void;
}

/** Plays a world to the product and to the model; throws where they do not say the same. Gives the number of polls. */
export function compare(
  start: ModelRule,
  world: readonly Happening[],
  editedTo: (nth: number) => Partial<ModelRule>,
  onlooker?: Onlooker,
): number {
  const match = new Match(start, editedTo, onlooker);
  for (const happening of world) match.play(happening);
  return match.polls;
}

class Match {
  polls = 0;
  readonly #editedTo: (nth: number) => Partial<ModelRule>;
  readonly #onlooker: Onlooker | undefined;
  readonly #model: Model;
  readonly #witness = createWitness();
  #modelRule: ModelRule;
  #list = 'list 0';
  #edits = 0;
  #channels: readonly Channel[] = KEYS.map(() => OFFLINE);
  #state: RuleState = NEW_STATE;
  #now = 0;
  readonly #delivering = new Map<string, number>();

  constructor(rule: ModelRule, editedTo: (nth: number) => Partial<ModelRule>, onlooker: Onlooker | undefined) {
    this.#onlooker = onlooker;
    this.#modelRule = rule;
    this.#editedTo = editedTo;
    this.#model = new Model(rule, nightsOf(rule));
  }

  play(happening: Happening): void {
    const { quiet } = this.#modelRule;
    // Nobody looks at the clock for years.
    const pass = quiet ? Math.min(happening.pass, 400) : happening.pass;
    const next = this.#now + pass;
    this.#wakeBefore(next, happening);
    this.#now = next;
    this.#meet(happening);
    this.#channels = this.#channels.map((channel, i) => fateOf(channel, { fate: happening.fates[i] ?? 0, now: next }));
    this.#poll(happening, false);
  }

  /** What was held wants to be looked at when the quiet hours end. */
  #wakeBefore(next: number, happening: Happening): void {
    const wake = this.#model.wake;
    if (wake === undefined || wake >= next || wake <= this.#now) return;
    this.#now = wake;
    this.#poll(happening, true);
  }

  #meet({ event }: Happening): void {
    switch (event) {
      case 'restart':
        this.#state = writtenDown(this.#state);
        break;
      case 'list edited':
        this.#list = `list ${++this.#edits}`;
        break;
      case 'timers edited':
        this.#modelRule = { ...this.#modelRule, ...this.#editedTo(++this.#edits) };
        this.#model.edit(this.#modelRule, nightsOf(this.#modelRule));
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
        this.#onlooker?.closed(options, closed);
        same(inOrder(linesOf(closed, this.#modelRule)), inOrder(this.#model.closeAll(this.#now)), `all closed at minute ${this.#now}`);
        this.#take(closed);
        break;
      }
      case 'nothing':
    }
  }

  #poll(happening: Happening, woken: boolean): void {
    const { answer } = happening;
    this.polls++;
    const { quiet, kind } = this.#modelRule;
    const sights = sightsOf(this.#channels, happening, kind === 'feed');
    const look: Look = {
      now: this.#now,
      sights: kind === 'one' ? sights.slice(0, 1) : sights,
      complete: answer !== 'cut short',
      more: answer === 'more',
      list: this.#list,
      delivering: new Map(this.#delivering),
      woken,
    };
    const delivering = new Map([...this.#delivering].map(([key, n]) => [queueOf(key, this.#modelRule), n]));
    const options = {
      rule: this.#rule(),
      state: { ...this.#state, delivering },
      slotMs: this.#ms(),
      poll: pollOf(look, answer),
      woken,
    };
    const one = advance(options);
    this.#onlooker?.advanced(options, one);

    const failed = answer === 'failed' || answer === 'malformed';
    const where = `minute ${this.#now}`;
    same(inOrder(linesOf(one, this.#modelRule)), failed ? [] : inOrder(this.#model.look(look)), where);
    if (!failed) {
      const wake = quiet && this.#model.wake;
      same([String(one.wakeMs)], [String(wake === undefined ? undefined : START_MS + wake * MINUTE)], `the wake at ${where}`);
    }
    if ((one.change === undefined) !== failed) throw new Error(`${where}: a poll that failed says nothing`);
    if (one.decisions.length === 0) throw new Error(`${where}: there is no reason`);
    this.#witness(one, { whole: look.complete && !(look.more && (kind === 'live' || kind === 'set')), kind });
    for (const { section, queue } of one.firings) {
      if (section !== 'then') continue;
      const key = keyOfQueue(queue);
      this.#delivering.set(key, (this.#delivering.get(key) ?? 0) + 1);
    }
    this.#take(one);
  }

  #take({ change }: Advance): void {
    if (!change) return;
    this.#state = applied(this.#state, change);
    const kept = [...this.#state.episodes.values()].map(({ key, phase }) => `${key} ${STATES[phase]}`);
    same(kept.toSorted(), this.#model.kept.toSorted(), `what is kept at minute ${this.#now}`);
  }

  #ms(): number {
    return START_MS + this.#now * MINUTE;
  }

  #rule(): Rule {
    return toRule(this.#modelRule, this.#list);
  }
}

function nightsOf({ quiet }: ModelRule): QuietNights | undefined {
  if (!quiet) return undefined;
  const name = `${quiet.zone} ${quiet.from} ${quiet.to}`;
  const known = nights.get(name) ?? new QuietNights(quiet, START_MS);
  nights.set(name, known);
  return known;
}

function queueOf(key: string, { mode }: ModelRule): string {
  const queue = key === '' ? 'card' : `card/${key}`;
  return mode === 'parallel' ? `${queue}#7` : queue;
}

function pollOf({ sights, complete, more }: Look, answer: Happening['answer']): Poll {
  if (answer === 'failed') return { failure: 'unavailable' };
  const items = sights.map(toItem);
  return { items: answer === 'malformed' ? [...items, { id: 'a record without an owner' }] : items, complete, more };
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
  const { kind, changes, per, talks, confirm, settle, grace, first, take, maxAge, cooldown, fuse, mode, max, quiet } = model;
  const steps = talks ? {} : { while: [], finally: [] };
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

/** What is taken back comes first, in no order. */
function inOrder(lines: readonly string[]): readonly string[] {
  const isTakenBack = (line: string): boolean => line.startsWith('withdraw');
  return [...lines.filter(isTakenBack).toSorted(), ...lines.filter((line) => !isTakenBack(line))];
}

function same(product: readonly string[], model: readonly string[], where: string): void {
  const [a, b] = [product.join('\n'), model.join('\n')];
  if (a !== b) throw new Error(`${where}\n--- the product says\n${a}\n--- the model says\n${b}`);
}
