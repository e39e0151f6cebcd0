/** What the model is told of a rule; times are minutes, and slots are one minute apart. */
export interface ModelRule {
  readonly kind: 'live' | 'ranking';
  readonly changes: readonly ('entered' | 'left')[];
  readonly confirm: { readonly new: number; readonly gone: number };
  readonly settle: number;
  readonly grace: number;
  readonly first: 'silent' | 'fire';
  readonly take: number;
  readonly maxAge: number;
  readonly cooldown: { readonly for: number; readonly per: 'item' | 'rule' };
}

/** One item of a list, best first. */
export interface Sight {
  readonly key: string;
  readonly broadcast: string;
  /** Whether it fits `where`. */
  readonly counts: boolean;
  /** Whether it fits `if`. */
  readonly loud: boolean;
  /** When it began, where it says so. */
  readonly began: number | undefined;
}

/** What one good poll showed. */
export interface Look {
  readonly now: number;
  readonly sights: readonly Sight[];
  /** Whether the list says who is missing. */
  readonly whole: boolean;
  /** The name of the list: another one after an edit. */
  readonly list: string;
}

const MONTH = 30 * 24 * 60;

/** One life of a channel in the list, as somebody would keep it on paper. */
interface Life {
  readonly key: string;
  readonly firstSeen: number;
  readonly began: number;
  broadcast: string;
  lastSeen: number;
  rank: number;
  loud: boolean;
  sightings: number;
  tooOld: boolean;
  state: 'waiting' | 'open' | 'over';
  spoke: boolean;
  saidWhile: boolean;
  misses: number;
  missingSince: number;
  overSince: number;
}

interface Happening {
  readonly what: 'ended' | 'stayed' | 'reopened' | 'opened';
  readonly life: Life;
  readonly rank: number;
}

/** The contract of the episode once more, as plainly as possible and apart from the product. */
export class Model {
  readonly #rule: ModelRule;
  #lives: Life[] = [];
  #lastLook: Look | undefined;
  readonly #said = new Map<string, number>();
  #lastSaid = -Infinity;

  constructor(rule: ModelRule) {
    this.#rule = rule;
  }

  /** What is said after one good poll, as `then entered ada`, `while ada`, `withdraw finally ada`. */
  look(look: Look): readonly string[] {
    const { now, list } = look;
    const firstLook = this.#lastLook === undefined;
    const baseline = firstLook ? this.#rule.first === 'silent' : this.#lastLook?.list !== list;
    const gap = this.#lastLook !== undefined && now - this.#lastLook.now > 2;
    this.#lastLook = look;
    this.#lives = this.#lives.filter(
      ({ state, overSince }) => state !== 'over' || (this.#rule.kind === 'live' && now - overSince <= MONTH),
    );

    const shown = this.#countingSights(look.sights);
    const keys = new Set([...this.#lives.map(({ key }) => key), ...shown.map(({ key }) => key)]);
    const happenings = [...keys].flatMap((key) => {
      const rank = shown.findIndex((sight) => sight.key === key) + 1;
      const sight = shown[rank - 1];
      return sight ? this.#seen(sight, { now, rank, gap, baseline }) : look.whole ? this.#missed(key, now) : [];
    });
    happenings.sort(
      (a, b) => Number(b.what === 'ended') - Number(a.what === 'ended') || a.rank - b.rank || (a.life.key < b.life.key ? -1 : 1),
    );
    return happenings.flatMap((happening) => this.#say(happening, now));
  }

  #countingSights(sights: readonly Sight[]): readonly Sight[] {
    const counting = sights.filter(({ counts }) => counts);
    return counting.filter((sight, i) => counting.findIndex(({ key }) => key === sight.key) === i).slice(0, this.#rule.take);
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

  #seen(sight: Sight, { now, rank, gap, baseline }: { now: number; rank: number; gap: boolean; baseline: boolean }): Happening[] {
    const happenings: Happening[] = [];
    const before = this.#lives.find(({ key, state }) => key === sight.key && state !== 'over');
    let life = before;
    if (life && life.broadcast !== sight.broadcast) {
      const awayFrom = life.misses > 0 ? life.missingSince : life.lastSeen;
      const awayUntil = life.misses > 0 ? now : gap ? (sight.began ?? now) : life.lastSeen;
      if (Math.max(0, awayUntil - awayFrom) >= this.#rule.grace) {
        if (life.state === 'open') happenings.push(this.#end(life, now));
        else this.#forget(life);
        life = undefined;
      }
    }
    const over = life ? undefined : this.#lastOver(sight);
    if (over && this.#rule.kind === 'live') {
      Object.assign(over, { state: 'open', misses: 0, rank, lastSeen: now, loud: sight.loud });
      return [...happenings, { what: 'reopened', life: over, rank }];
    }
    if (!life) {
      life = born(sight, now);
      this.#lives.push(life);
    }
    Object.assign(life, { broadcast: sight.broadcast, misses: 0, rank, lastSeen: now, loud: sight.loud, sightings: life.sightings + 1 });
    if (life.state === 'open') return [...happenings, { what: 'stayed', life, rank }];
    if (gap && now - life.began > this.#rule.maxAge) life.tooOld = true;
    if (baseline && !before) life.state = 'open';
    else if (life.sightings >= this.#rule.confirm.new && now - life.firstSeen >= this.#rule.settle) {
      life.state = 'open';
      happenings.push({ what: 'opened', life, rank });
    }
    return happenings;
  }

  #lastOver({ key, broadcast }: Sight): Life | undefined {
    const over = this.#lives.filter((life) => life.key === key && life.broadcast === broadcast && life.state === 'over');
    return over.toSorted((a, b) => b.overSince - a.overSince)[0];
  }

  #end(life: Life, now: number): Happening {
    life.state = 'over';
    life.overSince = now;
    return { what: 'ended', life, rank: life.rank };
  }

  #forget(life: Life): void {
    this.#lives = this.#lives.filter((other) => other !== life);
  }

  #say({ what, life }: Happening, now: number): readonly string[] {
    const { key, spoke, loud } = life;
    switch (what) {
      case 'ended':
        life.saidWhile = false;
        return [
          ...(spoke ? [`withdraw while ${key}`] : []),
          ...(this.#rule.changes.includes('left') && loud && this.#mayFire(key, now) ? [`then left ${key}`] : []),
          ...(spoke ? [`finally left ${key}`] : []),
        ];
      case 'opened':
        life.spoke = this.#rule.changes.includes('entered') && !life.tooOld && loud && this.#mayFire(key, now);
        return life.spoke ? [`then entered ${key}`] : [];
      case 'stayed': {
        const replaces = life.saidWhile ? [`withdraw while ${key}`] : [];
        life.saidWhile = true;
        return spoke ? [...replaces, `while ${key}`] : [];
      }
      case 'reopened':
        life.saidWhile = true;
        return spoke ? [`withdraw finally ${key}`, `while ${key}`] : [];
    }
  }

  #mayFire(key: string, now: number): boolean {
    const { cooldown } = this.#rule;
    const last = cooldown.per === 'rule' ? this.#lastSaid : (this.#said.get(key) ?? -Infinity);
    if (now - last < cooldown.for) return false;
    this.#said.set(key, now);
    this.#lastSaid = now;
    return true;
  }
}

function born({ key, broadcast, began }: Sight, now: number): Life {
  return {
    key,
    broadcast,
    firstSeen: now,
    began: began ?? now,
    lastSeen: now,
    rank: 0,
    loud: true,
    sightings: 0,
    tooOld: false,
    state: 'waiting',
    spoke: false,
    saidWhile: false,
    misses: 0,
    missingSince: 0,
    overSince: 0,
  };
}
