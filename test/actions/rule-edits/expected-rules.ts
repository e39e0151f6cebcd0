import type { Unreadable } from './acts.ts';
import { idsOf, type WrittenRule } from './rule-text.ts';

/** A file in the rules folder. `rule`: what it has, if it has no errors. `names`: the id in its text. */
export interface ExpectedFile {
  readonly text: string;
  readonly names: string | undefined;
  readonly rule: WrittenRule | undefined;
  /** Why it cannot be read, if people did not write its text. */
  readonly unreadable?: Unreadable | undefined;
}

interface RunningFile {
  readonly file: string;
  readonly text: string;
  readonly rule: WrittenRule;
}

interface Pause {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What Fanfare remembers of a rule. */
export interface Memory {
  announced: Set<string>;
  /** What a firing or a person stored. */
  value: number | undefined;
  /** Until when it is paused. */
  pausedUntilMs: number;
  planned: readonly Pause[];
}

/** The promises about rules that people edit. It shares no code with the product. */
export class ExpectedRules {
  /** The files as people wrote them, and the rules that run, by id. */
  files = new Map<string, ExpectedFile>();
  running = new Map<string, RunningFile>();
  readonly #memories = new Map<string, Memory>();
  #broken: string | undefined;

  /** Throws if a promise was broken. The product would log an error that is thrown inside of a poll, and continue. */
  check(): void {
    if (this.#broken !== undefined) throw new Error(this.#broken);
  }

  break(how: string): void {
    this.#broken ??= how;
  }

  same(what: string, found: unknown, wanted: unknown): void {
    const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (a !== b) this.break(`${what}:\n${a}\ninstead of\n${b}`);
  }

  memoryOf(id: string): Memory {
    const known = this.#memories.get(id);
    if (known) return known;
    const fresh = { announced: new Set<string>(), value: undefined, pausedUntilMs: 0, planned: [] };
    this.#memories.set(id, fresh);
    return fresh;
  }

  /** Fanfare reads the folder. */
  read(nowMs: number): void {
    const before = this.running;
    const next = new Map<string, RunningFile>();
    const put = (id: string, file: string, found: ExpectedFile | undefined): void => {
      if (found?.rule) next.set(id, { file, text: found.text, rule: found.rule });
    };
    const isOfOther = (names: string | undefined, id: string): boolean => {
      const other = names === undefined || names === id ? undefined : before.get(names);
      return other !== undefined && !this.files.has(other.file);
    };
    for (const [id, old] of before) {
      const now = this.files.get(old.file);
      if (now?.rule?.id === id) put(id, old.file, now);
      // A file with a mistake keeps running as it was, unless another rule was moved to its place.
      else if (now && !now.rule && !isOfOther(now.names, id)) next.set(id, old);
    }
    const byName = [...this.files].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [file, found] of byName) if (found.rule && !next.has(found.rule.id)) put(found.rule.id, file, found);
    for (const [id, old] of before) {
      if (next.has(id)) continue;
      const now = this.files.get(old.file);
      // Its file has the id of another rule, so it is refused. Or the file was moved, and has a mistake since then.
      const isRefused = now?.rule !== undefined && next.get(now.rule.id)?.file !== old.file;
      const moved = byName.find(([, found]) => !found.rule && found.names === id);
      if (isRefused) next.set(id, old);
      else if (!now && moved) next.set(id, { ...old, file: moved[0] });
    }
    this.running = next;
    const held = new Set([...next.values()].map(({ file }) => file));
    const unusable = new Set(byName.flatMap(([file, { rule, names }]) => (rule || held.has(file) ? [] : [names])));
    const ids = this.rules();
    for (const [id, { was, rule }] of ids) if (was !== undefined && !ids.has(was) && !unusable.has(rule.was)) this.#move(was, id, nowMs);
  }

  /** The running rules, and those that are off, by id. */
  rules(): ReadonlyMap<string, { readonly was: string | undefined; readonly rule: WrittenRule; readonly text: string }> {
    const byFile = [...this.running.values()].toSorted((a, b) => (a.file < b.file ? -1 : 1));
    const all = byFile.flatMap(({ rule, text }) => [...idsOf(rule)].map(([id, was]) => [id, { was, rule, text }] as const));
    return new Map(all);
  }

  /** The begin and the end of pauses. */
  isPaused(id: string, nowMs: number): boolean {
    const memory = this.memoryOf(id);
    for (const one of memory.planned.filter(({ fromMs }) => fromMs <= nowMs).toSorted((a, b) => a.fromMs - b.fromMs)) {
      if (one.untilMs > nowMs && one.untilMs > memory.pausedUntilMs) memory.pausedUntilMs = one.untilMs;
      memory.planned = memory.planned.filter((other) => other !== one);
    }
    return memory.pausedUntilMs > nowMs;
  }

  /** Checks an announcement. */
  announced(id: string, { text, item, nowMs }: { readonly text: unknown; readonly item: unknown; readonly nowMs: number }): void {
    if (typeof text !== 'string' || typeof item !== 'string') return this.break(`${id} announced something else`);
    const memory = this.memoryOf(id);
    const { mark, isOn = false, start = 0 } = this.rules().get(id)?.rule ?? {};
    if (!isOn) this.break(`${id} announced ${item}, and it is off or does not exist`);
    if (this.isPaused(id, nowMs)) this.break(`${id} announced ${item} while it was paused`);
    if (!text.startsWith(`v${mark}:`)) this.break(`${id} announced ${item} with "${text}" instead of v${mark}`);
    if (memory.announced.has(item)) this.break(`${id} announced ${item} again`);
    memory.announced.add(item);
    memory.value ??= start;
  }

  #move(from: string, to: string, nowMs: number): void {
    const old = this.#memories.get(from);
    if (!old) return;
    for (const id of [from, to]) this.isPaused(id, nowMs);
    const now = this.memoryOf(to);
    this.#memories.delete(from);
    this.#memories.set(to, {
      announced: new Set([...old.announced, ...now.announced]),
      value: now.value ?? old.value,
      pausedUntilMs: Math.max(old.pausedUntilMs, now.pausedUntilMs),
      planned: longest([...old.planned, ...now.planned]),
    });
  }
}

/** Of two pauses from the same instant, the longer one. */
function longest(planned: readonly Pause[]): readonly Pause[] {
  const byBegin = Map.groupBy(planned, ({ fromMs }) => fromMs);
  return [...byBegin].map(([fromMs, some]) => ({ fromMs, untilMs: Math.max(...some.map(({ untilMs }) => untilMs)) }));
}
