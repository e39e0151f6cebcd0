import { ModelGates, type Word } from './model-gates.ts';
import type { Due, Life } from './life.ts';
import type { Look, ModelRule, Sight } from './model-rule.ts';
import type { QuietNights } from './quiet-nights.ts';

/** What became of a life in a poll, and what may be said of it. */
export interface Happening {
  readonly what: 'ended' | 'stayed' | 'reopened' | 'opened' | 'gone';
  readonly life: Life;
  readonly rank: number;
  dues: readonly Due[];
}

/** What the contract says that is to be said, once more and as plainly as possible. */
export class Voice {
  readonly gates = new ModelGates();
  /** When the quiet hours end in which something is held. */
  heldUntil: number | undefined;
  #heldSlot: readonly string[] | undefined;
  #rule: ModelRule;
  #nights: QuietNights | undefined;
  #lines: string[] = [];
  #first: Sight | undefined;

  constructor(rule: ModelRule, nights: QuietNights | undefined) {
    this.#rule = rule;
    this.#nights = nights;
  }

  edit(rule: ModelRule, nights: QuietNights | undefined): void {
    this.#rule = rule;
    this.#nights = nights;
  }

  /** What is held is dropped. */
  forget(): void {
    this.heldUntil = undefined;
    this.#heldSlot = undefined;
  }

  isQuiet(now: number): boolean {
    return this.#nights?.until(now) !== undefined;
  }

  /** What is said of a poll, one line each. */
  speak(
    happenings: readonly Happening[],
    { look, first, lives }: { look: Look; first: Sight | undefined; lives: readonly Life[] },
  ): readonly string[] {
    this.#lines = [];
    this.#first = first;
    this.gates.begin(look.now, look.delivering);
    this.#say(happenings, look);
    this.#handOver(lives, look.now);
    return this.#lines;
  }

  #say(happenings: readonly Happening[], look: Look): void {
    const quiet = this.isQuiet(look.now);
    const isOpenQuestion = ({ life, names }: Due): boolean => !(quiet && names.every((name) => life.held.has(name)));
    const open = happenings.flatMap(({ dues }) => dues).filter(isOpenQuestion);
    const toAsk = open.filter(({ watched }) => watched);
    const { per } = this.#rule;
    if (per === 'poll' && toAsk.length > 0) {
      const word = this.#ask(undefined);
      if (word === 'sent') this.#lines.push(`then poll ${written(open)}`);
      for (const due of toAsk) this.#mark(due, word, look.now);
    }
    if (per === 'slot') {
      for (const due of happenings.flatMap(({ dues }) => dues)) due.settle();
      this.#slot(open.map(textOf), look);
    }
    for (const { what, life, dues } of happenings) {
      if (per === 'item') {
        for (const due of dues) {
          if (!due.watched || !isOpenQuestion(due)) continue;
          const word = this.#ask(life);
          if (word === 'sent') this.#lines.push(`then ${textOf(due)}`);
          this.#mark(due, word, look.now);
        }
      }
      this.#goOn(what, life);
    }
  }

  /** Asks about a firing of one item, or of the rule. */
  #ask(life: Life | undefined): Word {
    const key = life?.key ?? '';
    const loud = (life?.last ?? this.#first)?.loud !== false;
    return this.gates.ask(this.#rule, this.#nights, { key, loud, withdraws: (whose) => this.#lines.push(`withdraw then ${whose}`) });
  }

  #mark(due: Due, word: Word, now: number): void {
    const { life, kind } = due;
    const hold = word === 'held' && this.#rule.quiet?.then === 'hold';
    const collect = word === 'held' && !hold;
    if (word === 'held') this.heldUntil = this.#nights?.until(now);
    if (kind === 'entered') life.voice = word === 'sent' ? 'spoke' : hold ? 'held' : collect ? 'collected' : 'silent';
    if (kind === 'left') life.leavingHeld = hold;
    if (collect) life.collected.set(kind, textOf(due));
    if (hold) for (const name of due.names) life.held.add(name);
    else due.settle();
  }

  #goOn(what: Happening['what'], life: Life): void {
    const { key, voice } = life;
    const talks = this.#rule.talks && voice === 'spoke';
    switch (what) {
      case 'ended':
        if (voice === 'spoke') this.#lines.push(...this.finally(life));
        break;
      case 'stayed':
        // What was held until now has just been announced, and `while` follows at once.
        if (!talks) break;
        if (life.saidWhile) this.#lines.push(`withdraw while ${key}`);
        life.saidWhile = true;
        this.#lines.push(`while ${key}`);
        break;
      case 'reopened':
        if (voice === 'spoke') this.#lines.push(`withdraw finally ${key}`);
        if (talks) this.#lines.push(`while ${key}`);
        life.saidWhile = talks;
        break;
      case 'opened':
      case 'gone':
        break;
    }
  }

  finally(life: Life): readonly string[] {
    const { saidWhile } = life;
    life.saidWhile = false;
    return [...(saidWhile ? [`withdraw while ${life.key}`] : []), ...(this.#rule.talks ? [`finally left ${life.key}`] : [])];
  }

  #slot(changes: readonly string[], look: Look): void {
    const { now, woken } = look;
    const held = this.#heldSlot;
    if (this.isQuiet(now)) {
      if (woken) {
        if (held) this.#heldSlot = [...held, ...changes];
      } else if (this.#ask(undefined) === 'held') {
        this.#heldSlot = changes;
        this.heldUntil = this.#nights?.until(now);
      }
      return;
    }
    this.#heldSlot = undefined;
    const handsOver = this.#rule.quiet?.then === 'steps';
    if (held && handsOver && !this.gates.blown) this.#lines.push(`quiet ${sorted(woken ? [...held, ...changes] : held)}`);
    if (woken && (handsOver || !held)) return;
    const all = held && !handsOver ? [...held, ...changes] : changes;
    if (this.#ask(undefined) === 'sent') this.#lines.push(`then poll ${sorted(all)}`);
  }

  /** The quiet hours are over: the steps get what was held. */
  #handOver(lives: readonly Life[], now: number): void {
    if (this.isQuiet(now)) {
      if (this.heldUntil !== undefined) this.heldUntil = this.#nights?.until(now);
      return;
    }
    const wasHolding = this.heldUntil !== undefined;
    this.heldUntil = undefined;
    if (this.#rule.quiet?.then !== 'steps' || !wasHolding || this.#rule.per === 'slot') return;
    const held = lives.flatMap((life) =>
      [...life.collected.keys()].map((kind) => `${kind} ${life.key} ${life.state === 'over' ? 'over' : 'open'}`),
    );
    if (held.length > 0 && !this.gates.blown) this.#lines.push(`quiet ${sorted(held)}`);
    for (const life of lives) life.collected = new Map();
  }
}

function textOf({ kind, life, text }: Due): string {
  return [kind, life.key, text].filter((word) => word !== '').join(' ');
}

function written(dues: readonly Due[]): string {
  return sorted(dues.map(textOf));
}

function sorted(texts: readonly string[]): string {
  return texts.toSorted().join(', ');
}
