import type { ModelRule } from './model-rule.ts';
import type { QuietCalendar } from './quiet-calendar.ts';

export type Verdict = 'sent' | 'refused' | 'held';

/** The gates of the model. They remember all firings. */
export class ModelGates {
  readonly #sent: { readonly now: number; readonly key: string }[] = [];
  #blown = false;
  #delivering: Map<string, number> = new Map();
  #taken = new Set<string>();
  #now = 0;

  /** Begins a slot. */
  begin(now: number, delivering: ReadonlyMap<string, number>): void {
    this.#now = now;
    this.#delivering = new Map(delivering);
    this.#taken = new Set();
  }

  resume(): void {
    if (!this.#blown) return;
    this.#blown = false;
    this.#sent.push({ now: Infinity, key: 'resumed' });
  }

  get blown(): boolean {
    return this.#blown;
  }

  /** Decides about a firing. `key` is empty for the rule. `withdraws` gets the key whose undelivered firings are withdrawn. */
  ask(
    rule: ModelRule,
    calendar: QuietCalendar | undefined,
    { key, loud, withdraws }: { key: string; loud: boolean; withdraws: (key: string) => void },
  ): Verdict {
    if (!loud) return 'refused';
    if (this.#isFused(rule)) {
      this.#blown = true;
      return 'refused';
    }
    if (this.#isCool(rule, key)) return 'refused';
    if (calendar?.until(this.#now) !== undefined) return rule.quiet?.then === 'drop' ? 'refused' : 'held';
    const open = this.#delivering.get(key) ?? 0;
    if (rule.mode === 'single' && open > 0) return 'refused';
    if (rule.mode === 'queued' && open > rule.max) return 'refused';
    if (rule.mode === 'parallel' && open >= rule.max) return 'refused';
    if (rule.mode === 'restart' && open > 0 && !this.#taken.has(key)) withdraws(key);
    this.#taken.add(key);
    this.#delivering.set(key, open + 1);
    this.#sent.push({ now: this.#now, key });
    return 'sent';
  }

  #isFused({ fuse }: ModelRule): boolean {
    if (this.#blown) return true;
    const since = this.#sent.slice(this.#sent.findLastIndex(({ key }) => key === 'resumed') + 1);
    return since.filter(({ now }) => this.#now - now < fuse.per).length >= fuse.firings;
  }

  #isCool({ cooldown }: ModelRule, key: string): boolean {
    const counted = this.#sent.filter((one) => one.key !== 'resumed');
    const last = cooldown.per === 'rule' || key === '' ? counted.at(-1) : counted.findLast((one) => one.key === key);
    return last !== undefined && this.#now - last.now < cooldown.for;
  }
}
