import { born, changedFields, crossedLines, movedPlace, valueOf, type Due, type Life } from './life.ts';
import type { Look, ModelRule, Sight } from './model-rule.ts';
import type { QuietNights } from './quiet-nights.ts';
import { Voice, type Happening } from './voice.ts';

const DAY = 24 * 60;

/** The contract of the episode once more, as plainly as possible and apart from the product. */
export class Model {
  #rule: ModelRule;
  #lives: Life[] = [];
  #lastLook: Look | undefined;
  #lastKeys: readonly string[] = [];
  readonly #voice: Voice;

  constructor(rule: ModelRule, nights: QuietNights | undefined) {
    this.#rule = rule;
    this.#voice = new Voice(rule, nights);
  }

  /** The rule is edited: its timers, its gates, its quiet hours. */
  edit(rule: ModelRule, nights: QuietNights | undefined): void {
    this.#rule = rule;
    this.#voice.edit(rule, nights);
  }

  resume(): void {
    this.#voice.gates.resume();
  }

  /** When it wants to be run because quiet hours end. */
  get wake(): number | undefined {
    return this.#voice.heldUntil;
  }

  /** Of whom something may still come, as `ada open`. */
  get kept(): readonly string[] {
    const isKept = ({ state, leavingHeld, collected }: Life): boolean =>
      state !== 'over' || this.#rule.kind === 'live' || leavingHeld || collected.size > 0;
    return this.#lives.filter(isKept).map(({ key, state }) => `${key} ${state}`);
  }

  /** All open episodes are closed at once. */
  closeAll(now: number): readonly string[] {
    const byRank = this.#lives.toSorted((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1));
    const lines = byRank.flatMap((life) => {
      if (life.state !== 'open') return [];
      this.#over(life, now);
      return life.voice === 'spoke' ? this.#voice.finally(life) : [];
    });
    this.#lives = this.#lives.filter(({ state }) => state === 'over' && this.#rule.kind === 'live');
    for (const life of this.#lives) {
      life.collected = new Map();
      life.leavingHeld = false;
    }
    this.#voice.forget();
    return lines;
  }

  /** What is said after one good poll, as `then entered ada`, `while ada`, `withdraw finally ada`. */
  look(look: Look): readonly string[] {
    const { now, list } = look;
    const { kind, first, per } = this.#rule;
    const baseline = this.#lastLook ? this.#lastLook.list !== list : first === 'silent' || per === 'slot';
    const gap = this.#lastLook !== undefined && now - this.#lastLook.now > 2;
    this.#lastLook = look;

    const shown = this.#countingSights(look.sights);
    const shownKeys = shown.map(({ key }) => key);
    this.#forgetOld(now, shownKeys);
    const living = this.#lives.filter(({ state }) => state !== 'over').map(({ key }) => key);
    const whole = kind === 'feed' ? false : kind === 'ranking' || kind === 'one' ? look.complete : look.complete && !look.more;
    const moves = baseline ? [] : this.#moves(shownKeys);
    this.#lastKeys = shownKeys;

    const happenings = [...new Set([...living, ...shownKeys])].flatMap((key) => {
      const rank = shownKeys.indexOf(key) + 1;
      const sight = shown[rank - 1];
      if (sight) return this.#seen(sight, { now, rank, gap, baseline, places: moves.find((move) => move.key === key)?.places ?? 0 });
      return whole ? this.#missed(key, now) : [];
    });
    happenings.sort(
      (a, b) => Number(b.what === 'ended') - Number(a.what === 'ended') || a.rank - b.rank || (a.life.key < b.life.key ? -1 : 1),
    );
    return this.#voice.speak([...this.#heldLeavings({ living, shownKeys, whole }, now), ...happenings], {
      look,
      first: shown[0],
      lives: this.#lives,
    });
  }

  #forgetOld(now: number, shownKeys: readonly string[]): void {
    const { kind } = this.#rule;
    this.#lives = this.#lives.filter((life) => {
      if (life.state !== 'over') return kind !== 'feed' || shownKeys.includes(life.key) || now - life.lastSeen <= 90 * DAY;
      return life.leavingHeld || life.collected.size > 0 || (kind === 'live' && now - life.overSince <= 30 * DAY);
    });
  }

  #countingSights(sights: readonly Sight[]): readonly Sight[] {
    const counting = sights.filter(({ counts }) => counts);
    return counting.filter((sight, i) => counting.findIndex(({ key }) => key === sight.key) === i).slice(0, this.#rule.take);
  }

  /** How many of those that stood in the list before and still do are above each one now, and were then. */
  #moves(shownKeys: readonly string[]): readonly { readonly key: string; readonly places: number }[] {
    const stayed = shownKeys.filter((key) => this.#lastKeys.includes(key));
    const stood = this.#lastKeys.filter((key) => shownKeys.includes(key));
    return stayed.map((key) => ({ key, places: stayed.indexOf(key) - stood.indexOf(key) }));
  }

  #missed(key: string, now: number): Happening[] {
    const life = this.#lives.find((one) => one.key === key && one.state !== 'over');
    if (!life) return [];
    if (life.state === 'waiting') {
      this.#forget(life);
      return [];
    }
    life.misses++;
    if (life.misses === 1) life.missingSince = now;
    const over = life.misses >= this.#rule.confirm.gone && now >= life.missingSince + this.#rule.grace;
    return over ? [this.#end(life, now)] : [];
  }

  #seen(
    sight: Sight,
    { now, rank, gap, baseline, places }: { now: number; rank: number; gap: boolean; baseline: boolean; places: number },
  ): Happening[] {
    const { kind, confirm, settle, maxAge, grace } = this.#rule;
    const happenings: Happening[] = [];
    const before = this.#lives.find(({ key, state }) => key === sight.key && state !== 'over');
    let life = before;
    if (life && life.broadcast !== sight.broadcast && (kind === 'live' || kind === 'ranking')) {
      const awayFrom = life.misses > 0 ? life.missingSince : life.lastSeen;
      const awayUntil = life.misses > 0 ? now : gap ? (sight.began ?? now) : life.lastSeen;
      if (Math.max(0, awayUntil - awayFrom) >= grace) {
        if (life.state === 'open') happenings.push(this.#end(life, now));
        else this.#forget(life);
        life = undefined;
      }
    }
    const over = life || kind !== 'live' ? undefined : this.#lastOver(sight);
    if (over) {
      Object.assign(over, { state: 'open', misses: 0, rank, lastSeen: now, before: over.last, last: sight, leavingHeld: false, far: [] });
      over.seen.push({ now, sight });
      over.held.delete('left');
      return [...happenings, { what: 'reopened', life: over, rank, dues: this.#values(over, now) }];
    }
    if (!life) {
      life = born(sight, now);
      life.there = baseline && !before;
      life.tooOld = kind === 'feed' && now - life.began > maxAge;
      this.#lives.push(life);
    }
    const { last, sightings } = life;
    Object.assign(life, {
      broadcast: sight.broadcast,
      misses: 0,
      rank,
      lastSeen: now,
      before: last,
      last: sight,
      sightings: sightings + 1,
    });
    life.seen.push({ now, sight });
    if (life.state === 'open') {
      life.far.push({ now, places: (life.far.at(-1)?.places ?? 0) + places });
      const again = life.voice === 'held' ? [this.#due(life, 'entered')] : [];
      // The poll that announces it, late as that may be, does nothing else.
      const what = again.length > 0 ? 'opened' : 'stayed';
      return [...happenings, { what, life, rank, dues: [...again, ...this.#values(life, now)] }];
    }
    if (gap && now - life.began > maxAge) life.tooOld = true;
    const opens = life.there || (life.sightings >= confirm.new && now - life.firstSeen >= settle);
    if (!opens) {
      this.#values(life, now);
      return happenings;
    }
    life.state = 'open';
    for (const field of ['title', 'game.name']) life.said.set(field, valueOf(sight, field));
    life.far = [];
    if (life.there || life.tooOld) life.voice = 'silent';
    const entered = life.voice === 'silent' ? [] : [this.#due(life, 'entered')];
    return [...happenings, { what: 'opened', life, rank, dues: [...entered, ...this.#values(life, now)] }];
  }

  /** Which values have held long enough to be said. */
  #values(life: Life, now: number): readonly Due[] {
    const { changes, settle } = this.#rule;
    return changes.flatMap((change) => {
      switch (change.kind) {
        case 'changed':
          return life.state === 'open' ? (changedFields(life, change.fields, { now, settle }) ?? []) : [];
        case 'moved':
          return movedPlace(life, change.direction, { now, settle }) ?? [];
        case 'rose':
        case 'fell': {
          // Of one that still waits the lines are looked at, and nothing is due.
          const due = crossedLines(life, change, { now, settle, isFirst: life.firstSeen === now });
          return due && life.state === 'open' ? due : [];
        }
        default:
          return [];
      }
    });
  }

  #due(life: Life, kind: 'entered' | 'left'): Due {
    const watched = this.#rule.changes.some((change) => change.kind === kind);
    return { life, kind, watched, text: '', names: [kind], settle: () => undefined };
  }

  #lastOver({ key, broadcast }: Sight): Life | undefined {
    const over = this.#lives.filter((life) => life.key === key && life.broadcast === broadcast && life.state === 'over');
    return over.toSorted((a, b) => b.overSince - a.overSince)[0];
  }

  #end(life: Life, now: number): Happening {
    this.#over(life, now);
    return { what: 'ended', life, rank: life.rank, dues: [this.#due(life, 'left')] };
  }

  #over(life: Life, now: number): void {
    Object.assign(life, { state: 'over', overSince: now, seen: [], far: [] });
    if (life.voice === 'held') life.voice = 'silent';
    life.held.delete('entered');
  }

  #forget(life: Life): void {
    this.#lives = this.#lives.filter((other) => other !== life);
  }

  /** Those whose leaving was held, and who are still gone, as they left; only the last of each counts. */
  #heldLeavings(
    { living, shownKeys, whole }: { living: readonly string[]; shownKeys: readonly string[]; whole: boolean },
    now: number,
  ): readonly Happening[] {
    if (this.#rule.quiet?.then === 'steps' || this.#voice.isQuiet(now)) return [];
    const left = this.#lives
      .filter(({ leavingHeld, state, overSince }) => leavingHeld && state === 'over' && overSince < now)
      .toSorted((a, b) => a.overSince - b.overSince || a.rank - b.rank || (a.key < b.key ? -1 : 1));
    return left.flatMap((life): readonly Happening[] => {
      const isBack = living.includes(life.key) || shownKeys.includes(life.key);
      const isLast = left.every((other) => other.key !== life.key || other.overSince <= life.overSince);
      if (!whole && !isBack && isLast) return [];
      life.leavingHeld = false;
      return isBack || !isLast ? [] : [{ what: 'gone', life, rank: 0, dues: [this.#due(life, 'left')] }];
    });
  }
}
