import type { Rule } from '#src/rules/rule.ts';
import { createAgenda, type Due } from './agenda.ts';
import { changeRule, countCommitted, dueSlot, enter, restoredEntry, storedEntry, type Entry } from './entry.ts';
import { coversNames, joinHints, type Hinted, type HintedNames, type HintedRule } from './hinted-names.ts';
import { hurryEntry } from './hurry-entry.ts';
import type { Commit, LastSlot } from './rule-states.ts';
import { countFromNow, warnIfPassed, type Scheduler, type SchedulerOptions } from './scheduler.ts';
import type { AgendaRow, AgendaStatus, ReleasedRow, SharedAgenda, SlotBatch } from './shared-agenda.ts';
import { createSlotRunner, type RunningAgenda } from './slot-runner.ts';

/** A rule that is due for so long has a version that no running process has: the process that put it on the agenda ended. */
const ABANDONED_MS = 15_000;
/** How long a requested run waits until this process has the version of the rule that the others have. */
const VERSION_WITHIN_MS = 15_000;
/** How often a process asks for a rule that runs elsewhere. */
const ASK_AGAIN_MS = 200;

export interface SharedSchedulerOptions extends SchedulerOptions {
  readonly agenda: SharedAgenda;
}

/** The part of a worker in the scheduling of all workers. */
export interface SharedScheduler extends Scheduler {
  /** Runs the batches of slots that this worker gets, until `signal` aborts. */
  readonly work: (signal: AbortSignal) => Promise<void>;
}

interface PutOptions {
  /** Whether the rules did not run in the meantime. */
  readonly wasDown: boolean;
  /** See `SharedAgenda.put`. */
  readonly endsBatches: boolean;
}

/** The hints about a rule that runs. */
interface Hurrying {
  hint: Hinted;
  done: Promise<void>;
}

/** Creates a scheduler over the agenda of all workers. Its `tick` distributes the due slots, and `work` runs those that this worker gets. */
export async function createSharedScheduler(options: SharedSchedulerOptions): Promise<SharedScheduler> {
  const { agenda, states, notified, clock, log } = options;
  const runner = createSlotRunner(options);
  const rules = new Map<string, Rule>();
  /**
   * The polls after hints, by rule. Further hints about what they ask for need no statement until the rule runs: at the poll, or before, at a slot that
   * serves the hint.
   */
  const hurried = new Map<string, { readonly untilMs: number; readonly names: HintedNames }>();
  const hurrying = new Map<string, Hurrying>();
  let status: AgendaStatus = { stuck: [], open: 0 };
  let applied: Promise<unknown> = Promise.resolve();

  await put(options.rules, { wasDown: agenda.wasDown, endsBatches: agenda.wasDown });

  /** Puts rules on the agenda. A rule that has this version already keeps its position, so each process may do it. */
  async function put(some: readonly Rule[], { wasDown, endsBatches }: PutOptions): Promise<void> {
    if (some.length === 0) return;
    const lastSlots = await states.lastSlots();
    const startMs = clock.nowMs();
    const fresh: Rule[] = [];
    const entryOf = (rule: Rule, row: AgendaRow | undefined) => {
      if (row?.version === rule.version && !wasDown) return undefined;
      const last = lastSlots.get(rule.id);
      if (!row && !last) fresh.push(rule);
      return storedEntry(nextEntry(rule, { row: wasDown ? undefined : row, last, startMs, wasDown }));
    };
    await agenda.put(some, entryOf, { endsBatches });
    for (const rule of some) rules.set(rule.id, rule);
    for (const rule of fresh) {
      warnIfPassed(rule, startMs, log);
      await countFromNow(rule, startMs, states);
    }
  }

  /** The entry of a new rule, or of a new version of a rule. */
  function nextEntry(
    rule: Rule,
    {
      row,
      ...start
    }: {
      readonly row: AgendaRow | undefined;
      readonly last: LastSlot | undefined;
      readonly startMs: number;
      readonly wasDown: boolean;
    },
  ): Entry {
    if (!row) return enter(rule, start);
    const before = { ...(rules.get(rule.id) ?? rule), schedule: row.entry.schedule };
    const entry = restoredEntry(before, row.entry);
    if (start.last) countCommitted(entry, start.last);
    changeRule(entry, rule, start.startMs);
    return entry;
  }

  /** Takes a rule that may be running; undefined: it is not on the agenda. */
  async function takeWhenIdle(rule: string): ReturnType<SharedAgenda['take']> {
    for (;;) {
      const taken = await agenda.take(rule);
      if (taken || !(await agenda.has(rule))) return taken;
      await clock.sleep(ASK_AGAIN_MS);
    }
  }

  /** Brings the poll of a rule forward. If the rule is running, later hints about it join the first one. */
  async function hurry({ rule: id, ...hint }: HintedRule): Promise<void> {
    const known = hurried.get(id);
    if (known && known.untilMs > clock.nowMs() && coversNames(known.names, hint.names)) return;
    const waiting = hurrying.get(id);
    if (waiting) {
      waiting.hint = joinHints(waiting.hint, hint);
      return waiting.done;
    }
    const one: Hurrying = { hint, done: Promise.resolve() };
    hurrying.set(id, one);
    one.done = hurryWhenIdle(id, one).finally(() => hurrying.get(id) === one && hurrying.delete(id));
    return one.done;
  }

  /** Another worker may run the rule, so the row is taken first. */
  async function hurryWhenIdle(id: string, one: Hurrying): Promise<void> {
    const taken = await takeWhenIdle(id);
    hurrying.delete(id);
    if (!taken) return;
    const rule = rules.get(id);
    const { batch, ...row } = taken;
    const entry = rule?.version === row.version ? restoredEntry(rule, row.entry) : undefined;
    if (entry && hurryEntry(entry, { ...one.hint, nowMs: clock.nowMs() }) && entry.extra)
      hurried.set(id, { untilMs: entry.nextMs ?? 0, names: entry.extra.names });
    // Only a process with this version knows what a poll before the next slot would announce, so the next slot is polled.
    const changed = entry ? storedEntry(entry) : { ...row.entry, resting: undefined };
    await agenda.release(batch, [{ ...row, entry: changed, isStuck: row.entry.backoffMs > 0 }]);
  }

  function forget(rule: string): void {
    rules.delete(rule);
    hurried.delete(rule);
  }

  async function drop(rule: string): Promise<void> {
    const known = rules.get(rule)?.version;
    forget(rule);
    const taken = await takeWhenIdle(rule);
    if (!taken) return;
    const { batch, ...row } = taken;
    if (known === undefined || known === row.version) await agenda.drop(rule, batch);
    // Another process has a later version of the rules already.
    else await agenda.release(batch, [{ ...row, isStuck: row.entry.backoffMs > 0 }]);
  }

  /** Runs the slots of a batch, and returns each rule to the shared agenda as soon as it has ended. */
  async function runBatch(batch: SlotBatch, { stopping, signal, ...given }: RunBatchOptions): Promise<void> {
    const releases = createReleases(agenda, batch.id);
    const local = createAgenda();
    const due: Due[] = [];
    for (const { slotMs, woken, hintedBy, names, ...row } of batch.slots) {
      const rule = rules.get(row.rule);
      // Another worker may have another version of the rules.
      if (rule?.version !== row.version) {
        releases.add({ ...row, isStuck: false });
        continue;
      }
      local.restore(rule, row.entry);
      local.begin(row.rule);
      due.push({ rule, slotMs, woken, hintedBy, names, ...given });
    }
    const versions = new Map(batch.slots.map(({ rule, version }) => [rule, version]));
    const running: RunningAgenda = {
      ...local,
      end(rule, nowMs) {
        local.end(rule, nowMs);
        if (signal.aborted) return;
        releases.add({ rule, version: versions.get(rule) ?? '', entry: local.entry(rule), isStuck: runner.stuck.has(rule) });
      },
    };
    await runner.run(due, running, stopping ? AbortSignal.any([signal, stopping]) : signal);
    await releases.done();
  }

  return {
    stuck: () => status.stuck,
    openSlots: () => status.open,

    async tick() {
      const refreshed = notified?.refresh();
      if (refreshed) await refreshed;
      const nowMs = clock.nowMs();
      const abandoned: Rule[] = [];
      const [rested, due]: [Rule[], Rule[]] = [[], []];
      await agenda.distribute(nowMs, ({ rule: id, version, entry: data }) => {
        const rule = rules.get(id);
        if (rule?.version !== version) {
          if (rule && (data.nextMs ?? nowMs) < nowMs - ABANDONED_MS) abandoned.push(rule);
          return undefined;
        }
        const entry = restoredEntry(rule, data);
        const slot = dueSlot(entry, nowMs, notified?.isNotified);
        if (entry.restedMs !== data.restedMs) rested.push(rule);
        if (slot) due.push(rule);
        return { entry: storedEntry(entry), slot };
      });
      notified?.passedOver(rested, due);
      await put(abandoned, { wasDown: true, endsBatches: false });
      status = await agenda.status(nowMs);
    },

    work: (stopping) => agenda.work((batch, signal) => runBatch(batch, { stopping, signal }), stopping),

    async run(rule, { signal = new AbortController().signal, ...given } = {}) {
      const untilMs = clock.nowMs() + VERSION_WITHIN_MS;
      for (;;) {
        const taken = await takeWhenIdle(rule);
        if (!taken) return undefined;
        hurried.delete(rule);
        const { batch, ...row } = taken;
        const slot = { ...row, slotMs: Math.max(clock.nowMs(), row.entry.lastMs + 1), woken: false };
        const version = rules.get(rule)?.version;
        let [made, isReplaced]: [Commit | undefined, boolean] = [undefined, false];
        const requested = { ...given, onCommitted: (one: Commit) => (made = one), onReplaced: () => (isReplaced = true), signal };
        await runBatch({ id: batch, slots: [slot] }, requested);
        if (made || signal.aborted || (version === row.version && !isReplaced)) return made;
        // The processes reload a published version one after the other. A poll with a replaced version would be repeated in vain.
        do {
          if (clock.nowMs() >= untilMs) {
            log.warn({ rule }, 'a rule was not run, because this process has another version of it than the others');
            return undefined;
          }
          await clock.sleep(ASK_AGAIN_MS, signal).catch(() => undefined);
          if (signal.aborted) return undefined;
        } while (isReplaced && rules.get(rule)?.version === version);
      }
    },

    async hurry(some) {
      await Promise.all(some.map(hurry));
    },

    plansOf: (some) => agenda.plansOf(some),

    async apply({ put: some, drop: gone, forget: unusable = [], wasDown = false }) {
      const application = applied.then(async () => {
        unusable.forEach(forget);
        await put(some, { wasDown: wasDown && agenda.wasDown, endsBatches: wasDown && agenda.wasDown });
        await Promise.all(gone.map(drop));
      });
      // A failed reload does not block the next one.
      applied = application.catch(() => undefined);
      await application;
    },

    async closeOut(rule, close) {
      const taken = await takeWhenIdle(rule.id);
      rules.delete(rule.id);
      const isClosed = await runner.close(rule, close);
      if (taken) await agenda.drop(rule.id, taken.batch);
      return isClosed;
    },
  };
}

interface RunBatchOptions extends Pick<Due, 'command' | 'webhook' | 'onCommitted' | 'onReplaced' | 'requested'> {
  /** Leaves the slots of unfinished polls due. */
  readonly stopping?: AbortSignal | undefined;
  /** Aborts if another worker has the batch. */
  readonly signal: AbortSignal;
}

/** Returns rules to the agenda. Rules that end during a write are written together. */
function createReleases(agenda: Pick<SharedAgenda, 'release'>, batch: string): { add(row: ReleasedRow): void; done(): Promise<void> } {
  let waiting: ReleasedRow[] = [];
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const rows = waiting;
      waiting = [];
      await agenda.release(batch, rows);
    }
    writing = undefined;
  }

  return {
    add(row) {
      waiting.push(row);
      writing ??= write();
      // `done` reports the error.
      writing.catch(() => undefined);
    },
    done: () => writing ?? Promise.resolve(),
  };
}
