import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { RuleActions } from '#src/admin/actions/rule-actions.ts';
import { openStage, stream, type Stage } from '../../engine/rule-sets/fixture.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import type { Act, PersonAct, Seen } from './acts.ts';
import { approveAtOnce } from './drafts.ts';
import { EditedFolder } from './edited-folder.ts';
import { ExpectedRules, type Memory } from './expected-rules.ts';
import { openReads, type Reads } from './reads.ts';
import { draftOf, textOf, writtenDraft } from './rule-text.ts';

const MINUTE_MS = 60_000;
const STEP_MS = 30_000;
const MEMBER: Actor = { name: 'grace', via: 'discord', role: 'editor', id: '8' };

/** Fanfare over a rules folder that people edit while they pause, resume and correct its rules. */
export class Installation {
  readonly expected = new ExpectedRules();
  /** The number of announcements. */
  announced = 0;
  readonly #clock: ManualClock;
  #stage: Stage | undefined;
  #reads: Reads | undefined;
  #live: readonly string[] = [];
  #edited: EditedFolder | undefined;
  #streams = 0;
  readonly #deliveries = new Set<string>();
  /** The accepted actions, for example `pauseRule live-0 grace`. */
  readonly #done: string[] = [];

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** Opens the stage, which the caller disposes of. */
  async open(): Promise<Stage> {
    for (const number of [0, 1, 2]) {
      const rule = { id: `live-${number}`, isOn: true, mark: -number, comments: 0 };
      this.expected.files.set(`live-${number}.yaml`, { text: textOf(rule), names: rule.id, rule });
    }
    const files = Object.fromEntries([...this.expected.files].map(([file, { text }]) => [file, text]));
    const stage = await openStage(files, {
      clock: this.#clock,
      poll: () => ({ items: this.#live.map((id) => stream(id, { id, startedAt: this.#startOf(id) })), complete: true }),
    });
    this.#edited = new EditedFolder(stage.folder, this.expected, () => this.#reload());
    await this.#take(stage);
    this.expected.read(this.#clock.nowMs());
    await this.#look();
    return stage;
  }

  async do(act: Act): Promise<void> {
    switch (act.kind) {
      case 'edit':
        for (const edit of act.edits) await this.#folder().edit(edit);
        if (act.isSeen) await this.#reload();
        break;
      case 'atOnce':
        if (act.edit) await this.#folder().edit(act.edit);
        await this.#atOnce(act.acts, act.turns);
        break;
      case 'restart':
        await this.#take(await this.#now().restart());
        this.expected.read(this.#clock.nowMs());
        break;
      case 'pass':
        await this.#pass(act.minutes);
        break;
      case 'draft':
        await this.#approve(act);
        break;
      default:
        await this.#act(act);
    }
    await this.#look();
  }

  #now(): Stage {
    if (!this.#stage) throw new Error('no stage is open');
    return this.#stage;
  }

  #folder(): EditedFolder {
    if (!this.#edited) throw new Error('no stage is open');
    return this.#edited;
  }

  async #take(stage: Stage): Promise<void> {
    this.#stage = stage;
    this.#reads = await openReads(stage);
  }

  #startOf(id: string): string {
    return new Date(Number(id.split('-')[2])).toISOString();
  }

  async #reload(): Promise<void> {
    const { reloads } = this.#now();
    await reloads.reload();
    await reloads.settled();
    this.expected.read(this.#clock.nowMs());
  }

  /** Several people act while Fanfare reads the folder, each on another rule. */
  async #atOnce(acts: readonly PersonAct[], turns: number): Promise<void> {
    const { reloads } = this.#now();
    const byRule = new Map(acts.map((act) => [this.#rulesAt(act.rule)?.[0].split('/')[0], act]));
    const late = async (act: PersonAct): Promise<void> => {
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      await this.#act(act, { isDuringReload: true });
    };
    await Promise.all([reloads.reload(), ...[...byRule.values()].map(late)]);
    await reloads.settled();
    this.expected.read(this.#clock.nowMs());
  }

  /** The name of a file, or the id of one of its rules, with the rules that it means. */
  #rulesAt(number: number): readonly [string, readonly string[]] | undefined {
    const ids = [...this.expected.rules()].map(([id]) => id);
    const names = [...new Set([...this.expected.running.keys(), ...ids])].toSorted();
    const name = names[number % Math.max(1, names.length)];
    if (name === undefined) return undefined;
    return [name, ids.includes(name) ? [name] : ids.filter((id) => id.startsWith(`${name}/`))];
  }

  async #act(act: PersonAct, { isDuringReload = false } = {}): Promise<void> {
    const [rule, ids = []] = this.#rulesAt(act.rule) ?? [];
    const [id] = ids;
    if (rule === undefined || id === undefined) return;
    const nowMs = this.#clock.nowMs();
    const memories = ids.map((one) => this.expected.memoryOf(one));
    for (const one of ids) this.expected.isPaused(one, nowMs);
    const options = { seen: 'seen' in act && rule === id ? act.seen : 'none', isDuringReload } as const;
    const lengthMs = 'minutes' in act && act.minutes !== undefined ? act.minutes * MINUTE_MS : Infinity;
    const change = (store: (memory: Memory) => void): void => memories.forEach(store);
    switch (act.kind) {
      case 'pause': {
        const untilMs = nowMs + lengthMs;
        if (await this.#send('pauseRule', 'pause', { rule, until: toDate(untilMs) }, options))
          change((memory) => (memory.pausedUntilMs = untilMs));
        return;
      }
      case 'plan': {
        const fromMs = nowMs + act.inMinutes * MINUTE_MS;
        const untilMs = fromMs + lengthMs;
        if (await this.#send('pauseRule', 'pause', { rule, from: new Date(fromMs), until: toDate(untilMs) }, options))
          change((memory) => (memory.planned = [...memory.planned.filter((one) => one.fromMs !== fromMs), { fromMs, untilMs }]));
        return;
      }
      case 'resume':
        if (await this.#send('resumeRule', 'resume', { rule }, options)) change((memory) => (memory.pausedUntilMs = 0));
        return;
      case 'cancelPlans':
        if (await this.#send('resumeRule', 'resume', { rule, planned: true }, options)) change((memory) => (memory.planned = []));
        return;
      case 'setValue':
        if (rule === id && (await this.#send('setValue', 'set-value', { rule, name: 'count', value: act.value }, options)))
          change((memory) => (memory.value = act.value));
    }
  }

  /** Sends an action as a member in Discord, or over HTTP with a version. Returns whether it was accepted. */
  async #send<Name extends 'pauseRule' | 'resumeRule' | 'setValue'>(
    name: Name,
    path: string,
    input: Parameters<RuleActions[Name]>[0],
    { seen, isDuringReload }: { readonly seen: Seen; readonly isDuringReload: boolean },
  ): Promise<boolean> {
    const reads = this.#reads;
    if (!reads) return false;
    const { rule, ...body } = input;
    if (seen === 'none') {
      const act = reads.actions[name] as (given: typeof input, by: Actor) => Promise<unknown>; // of the same action
      const isAccepted = (await act(input, MEMBER)) !== undefined;
      if (isAccepted) this.#done.push(`${name} ${rule} ${MEMBER.name}`);
      else if (!isDuringReload) this.expected.break(`${name} of ${rule} was refused`);
      return isAccepted;
    }
    const now = await reads.tag(rule);
    const tag = seen === 'now' ? now : (reads.tagsOf(rule).at(-2) ?? now);
    const status = await reads.post(`/api/rules/${encodeURIComponent(rule)}/${path}`, body, tag ?? '"none"');
    if (status === 200) this.#done.push(`${name} ${rule} local`);
    const isTrue = isDuringReload ? [200, 404, 412].includes(status) : status === (tag === now ? 200 : 412);
    if (!isTrue) this.expected.break(`${name} of ${rule} with the ${seen} version: ${status}`);
    return status === 200;
  }

  /** Members approve drafts of the same rule at once. */
  async #approve({ name, hasTests, people }: Extract<Act, { kind: 'draft' }>): Promise<void> {
    const rule = `draft-${name}`;
    const file = `${rule}.yaml`;
    const folder = this.#folder();
    const drafts = Array.from({ length: people }, (_, person) => {
      const mark = folder.nextMark();
      const { source, tests } = draftOf(rule, mark);
      return { id: `d${mark}`, mark, rule, source, tests: hasTests === (person === 0) ? tests : undefined };
    });
    // A file that was deleted just now may still run.
    const isElsewhere = (this.expected.running.get(rule)?.file ?? file) !== file;
    const isFree = !isElsewhere && drafts.some(({ tests }) => folder.isFree(file, tests));
    const decisions = await approveAtOnce(this.#now(), drafts);
    const approved = drafts.filter((_, at) => decisions[at]?.state === 'approved');
    if (approved.length !== (isFree ? 1 : 0)) this.expected.break(`of ${rule}, drafts were approved: ${JSON.stringify(decisions)}`);
    for (const { source, tests, mark } of approved) {
      const written = { id: rule, isOn: true, mark, comments: 0 };
      folder.add(file, { text: writtenDraft(source), names: rule, rule: written }, tests);
    }
    await this.#reload();
    const lost = approved.find(() => this.expected.running.get(rule)?.file !== file);
    if (lost) this.expected.break(`${rule} was approved, and does not run`);
  }

  /** Checks the announcements that were decided since the last call. */
  async #checkDeliveries(): Promise<void> {
    const { deliveryLog, deliveries } = this.#now().store;
    const { items } = await deliveryLog.list({ limit: 100 });
    for (const one of items.toReversed()) {
      if (this.#deliveries.has(one.id)) continue;
      this.#deliveries.add(one.id);
      this.announced++;
      const text = (await deliveries.prepare(one))?.due.step.with['content'];
      this.expected.announced(one.rule, { text, item: one.item?.key, nowMs: this.#clock.nowMs() });
    }
  }

  /** Streams go live, and running rules announce each once. */
  async #pass(minutes: number): Promise<void> {
    const { scheduler, store } = this.#now();
    const steps = (minutes * MINUTE_MS) / STEP_MS;
    const step = async (): Promise<void> => {
      this.#clock.set(this.#clock.nowMs() + STEP_MS);
      await scheduler.tick();
      await this.#checkDeliveries();
      await store.ruleStates.beginPlanned();
    };
    await step();
    const nowMs = this.#clock.nowMs();
    const id = `ada-${++this.#streams}-${nowMs}`;
    this.#live = [...this.#live, id].slice(-3);
    const ready = [...this.expected.rules()].filter(([name, { rule }]) => rule.isOn && !this.#isPausedWithin(name, nowMs));
    for (let count = 1; count < Math.max(3, steps); count++) await step();
    for (const [name] of ready) if (!this.expected.memoryOf(name).announced.has(id)) this.expected.break(`${name} did not announce ${id}`);
  }

  #isPausedWithin(name: string, nowMs: number): boolean {
    const { planned } = this.expected.memoryOf(name);
    return this.expected.isPaused(name, nowMs) || planned.some(({ fromMs }) => fromMs <= nowMs + 2 * STEP_MS);
  }

  /** Checks what the API shows, what the folder has and what the log of actions has. */
  async #look(): Promise<void> {
    const reads = this.#reads;
    if (!reads) return;
    const nowMs = this.#clock.nowMs();
    const shown = await reads.all();
    const wanted = [...this.expected.rules()].map(([id, { text, rule }]) => {
      const isPaused = this.expected.isPaused(id, nowMs);
      const { value = rule.start ?? 0, pausedUntilMs, planned } = this.expected.memoryOf(id);
      const plans = planned.map((one) => [one.fromMs, one.untilMs] as const);
      return {
        id,
        text: text.replace('\uFEFF', ''),
        isOn: rule.isOn,
        value,
        until: isPaused ? pausedUntilMs : 0,
        planned: plans.toSorted(([a], [b]) => a - b),
      };
    });
    this.expected.same(
      'the rules',
      shown,
      wanted.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    this.#folder().look();
    this.expected.same('the log of actions', (await reads.accepted()).toSorted(), this.#done.toSorted());
    this.expected.check();
  }
}

function toDate(ms: number): Date | undefined {
  return ms === Infinity ? undefined : new Date(ms);
}
