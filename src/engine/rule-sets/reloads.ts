import type { Clock } from '#src/clock.ts';
import { ConfigError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { closeEpisodes } from '#src/rules/evaluate/close-episodes.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';
import type { Scheduler } from '#src/engine/scheduler/scheduler.ts';
import type { RuleSources } from '#src/rules/rule-sources.ts';
import type { RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { PlatformState } from './open-cards.ts';
import { planReload, type MovedRule, type ReloadPlan } from './plan-reload.ts';
import type { RuleRegistry } from './rule-registry.ts';
import { createSourceSaver } from './save-sources.ts';
import { planLines, problemLines, warningLines, type PlanLine } from './plan-lines.ts';

/** Some editors delete a file before they write it again, so a missing file is read once more after this time. */
const GONE_AFTER_MS = 500;

export interface ReloadsOptions {
  readonly registry: RuleRegistry;
  readonly scheduler: Pick<Scheduler, 'apply' | 'closeOut'>;
  readonly store: PlatformState & {
    readonly ruleStates: Pick<RuleStates, 'retire' | 'disable' | 'reinstate' | 'keep' | 'rename'>;
    readonly ruleSources: RuleSources;
  };
  /** Called after a rule ended that may have left something to close, for example a question with buttons. */
  readonly onRetired: () => void;
  /** Called after the rules or their errors changed. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reloads the rule files while Fanfare runs. */
export interface Reloads {
  /** Applies the changes that were made while Fanfare was stopped. Resolves when the deliveries of the running rules continue. */
  readonly begin: () => Promise<void>;
  /** Reads the files again; resolves with whether something changed; undefined: they cannot be read. Reloads run one after the other. */
  readonly reload: () => Promise<boolean | undefined>;
  /** Resolves when no reload and no ending rule is in progress. */
  readonly settled: () => Promise<void>;
}

/** Creates the reloads of the rules in `registry`. */
export function createReloads({ registry, scheduler, store, onRetired, onChange, clock, log }: ReloadsOptions): Reloads {
  const sources = createSourceSaver(store.ruleSources, registry);
  /** The work for ending rules, by id. It waits for the running slot of the rule. */
  const endings = new Map<string, Promise<void>>();
  /** The logged errors, by file. */
  let loggedProblems: ReadonlyMap<string, PlanLine> = new Map();
  /** Whether the scheduler missed a change, because it failed. */
  let isBehind = false;
  /** Whether the last read of the folder failed. */
  let isBlind = false;
  let putting: Promise<unknown> = Promise.resolve();
  let lastReload: Promise<unknown> = Promise.resolve();

  function logLine({ symbol, text, rule }: PlanLine): void {
    // Text from a file must not start a new log line.
    const line = `${symbol} ${text.replace(/\p{Cc}/gu, '\uFFFD')}`;
    if (symbol === '!') log.warn({ rule }, line);
    else log.info({ rule }, line);
  }

  /** Runs work for an ending rule after its earlier work. */
  function follow({ id }: Rule, work: () => Promise<void>): void {
    const ending = (endings.get(id) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => {
        sources.stop();
        log.error({ rule: id, error }, 'a rule that was deleted, renamed or turned off could not be changed; the next start tries again');
      })
      .finally(() => endings.get(id) === ending && endings.delete(id));
    endings.set(id, ending);
  }

  async function closeOut(rule: Rule): Promise<void> {
    const isClosed = await scheduler.closeOut(rule, closeEpisodes);
    if (!isClosed) throw new Error('another process changed the state of the rule at the same time');
  }

  async function retire({ id }: Rule): Promise<void> {
    await scheduler.apply({ put: [], drop: [id] });
    // The rule may exist again by now.
    if (registry.now.rules.some((rule) => rule.id === id)) return;
    await store.ruleStates.retire(id);
    onRetired();
  }

  async function disable({ id }: Rule): Promise<void> {
    await scheduler.apply({ put: [], drop: [id] });
    // The rule may be on again by now.
    if (!registry.running.some((rule) => rule.id === id)) await store.ruleStates.disable(id);
  }

  /** Moves the state of a renamed rule to its new id, after the running slots of both ids. `wasDown`: it was renamed before the start. */
  async function move({ id, was }: MovedRule, { ending, wasDown }: { ending: Promise<void> | undefined; wasDown: boolean }): Promise<void> {
    await ending;
    await scheduler.apply({ put: [], drop: [was, id] });
    if (await store.ruleStates.rename({ from: was, to: id }))
      log.info({ rule: id, was }, 'the state of a renamed rule moved to its new id');
    const rules = registry.running.filter((rule) => rule.id === id);
    if (rules.length === 0) {
      await store.ruleStates.disable(id);
      await store.ruleStates.keep([id]);
    } else await reinstate(rules);
    await put({ put: rules, drop: [], forget: [], wasDown });
  }

  /** Continues the deliveries of rules that were deleted or turned off and run again. */
  async function reinstate(rules: readonly Rule[]): Promise<void> {
    try {
      await store.ruleStates.reinstate(rules.map(({ id }) => id));
    } catch (error) {
      log.error({ error }, 'the steps of returned rules could not be continued; they are withdrawn');
    }
  }

  /** Keeps the state of deleted rules that are back and off. */
  async function keep(rules: readonly Rule[]): Promise<void> {
    try {
      await store.ruleStates.keep(rules.map(({ id }) => id));
    } catch (error) {
      log.error({ error }, 'the state of returned rules could not be kept; the next start tries again');
    }
  }

  async function put({
    put: rules,
    drop,
    forget,
    wasDown,
  }: Pick<ReloadPlan, 'put' | 'drop' | 'forget'> & { readonly wasDown?: boolean }): Promise<void> {
    try {
      await scheduler.apply({ put: rules, drop: drop.map(({ id }) => id), forget: forget.map(({ id }) => id), wasDown });
    } catch (error) {
      isBehind = true;
      log.error({ error }, 'changed rules could not be applied; the next reload tries again');
    }
  }

  /**
   * Starts all work of a plan. Work that waits for a running rule does not delay other rules. Resolves when the deliveries of added rules
   * continue, without those of ending rules.
   */
  function apply(plan: ReloadPlan, { wasDown = false } = {}): Promise<void> {
    for (const rule of plan.moved) {
      const ending = endings.get(rule.was);
      follow(rule, () => move(rule, { ending, wasDown }));
    }
    const [after, now] = split(plan.put, ({ id }) => endings.has(id));
    if (now.length + plan.drop.length + plan.forget.length > 0) putting = Promise.all([putting, put({ ...plan, put: now })]);
    for (const rule of after) follow(rule, () => put({ put: registry.running.filter(({ id }) => id === rule.id), drop: [], forget: [] }));
    const [ending, free] = split(plan.added, ({ id }) => endings.has(id));
    const reinstated = free.length > 0 ? reinstate(free) : Promise.resolve();
    putting = Promise.all([putting, reinstated]);
    for (const rule of ending) follow(rule, () => reinstate([rule]));
    const [endingOff, freeOff] = split(plan.addedOff, ({ id }) => endings.has(id));
    if (freeOff.length > 0) putting = Promise.all([putting, keep(freeOff)]);
    for (const rule of endingOff) follow(rule, () => keep([rule]));
    for (const rule of plan.closeOut) follow(rule, () => closeOut(rule));
    for (const rule of plan.drop) follow(rule, () => disable(rule));
    for (const rule of plan.retire) follow(rule, () => retire(rule));
    saveWhenEnded();
    return reinstated;
  }

  function saveWhenEnded(): void {
    void Promise.all(endings.values())
      .then(() => (endings.size === 0 ? sources.save() : undefined))
      .catch((error: unknown) => log.error({ error }, 'the rules could not be stored for the next start'));
  }

  /** Logs new errors of files, and files without errors again. Returns whether it logged a change. */
  function logProblems(set: RuleSet, changed: ReadonlySet<string>): boolean {
    const now = problemLines(set);
    const fresh = [...now].filter(([file, { text }]) => loggedProblems.get(file)?.text !== text);
    const over = [...loggedProblems.keys()].filter((file) => !now.has(file));
    loggedProblems = now;
    for (const [, line] of fresh) logLine(line);
    for (const file of over) if (set.files.has(file) && !changed.has(file)) logLine({ symbol: '~', text: `${file}: the errors are fixed` });
    return fresh.length + over.length > 0;
  }

  async function read(): Promise<RuleSet> {
    const next = await registry.read();
    if ([...registry.now.inForce.keys()].every((name) => next.inForce.has(name))) return next;
    await clock.sleep(GONE_AFTER_MS);
    return registry.read();
  }

  async function reloadNow(): Promise<boolean> {
    const after = await read();
    if (after === registry.now && !isBehind) {
      saveWhenEnded();
      return false;
    }
    const plan = planReload({ before: registry.now, after, isOn: registry.isOn });
    for (const line of await planLines(plan, store)) logLine(line);
    const changed = new Set(plan.changes.map((change) => (change.kind === 'deleted' ? change.before.file : change.after.file)));
    for (const line of warningLines({ before: registry.now, after, changed })) logLine(line);
    const isOther = logProblems(after, changed) || plan.changes.length > 0;
    registry.activate(after);
    void apply(isBehind ? { ...plan, put: registry.running, drop: after.rules.filter((rule) => !registry.isOn(rule)) } : plan);
    isBehind = false;
    if (isOther) onChange();
    return isOther;
  }

  function next<T>(work: () => Promise<T>): Promise<T> {
    const mine = lastReload.then(work);
    lastReload = mine.catch(() => undefined);
    return mine;
  }

  return {
    begin: () =>
      next(async () => {
        const { stored, now, isOn } = registry;
        const plan = planReload({ before: stored, after: now, isOn });
        // At the first start, all rules are new, so their lines are left out.
        if (stored.inForce.size > 0) for (const line of await planLines(plan, store)) logLine(line);
        loggedProblems = problemLines(now);
        // The scheduler already started with the running rules. The last process may have withdrawn deliveries of any of them, and ended before it stored its rules.
        // The delivery engine starts next, and would skip withdrawn deliveries that are due.
        await apply({ ...plan, put: [], added: registry.running, addedOff: now.rules.filter((rule) => !isOn(rule)) }, { wasDown: true });
      }),

    reload: () =>
      next(async () => {
        try {
          const isOther = await reloadNow();
          isBlind = false;
          return isOther;
        } catch (error) {
          if (!(error instanceof ConfigError)) log.error({ error }, 'the rules could not be read; the next reload tries again');
          else if (!isBlind)
            log.warn({ file: error.file, why: error.message, hint: error.hint }, 'the rules cannot be read: all rules keep running');
          isBlind ||= error instanceof ConfigError;
          return undefined;
        }
      }),

    async settled() {
      await lastReload;
      await Promise.all([putting, ...endings.values()]);
    },
  };
}

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
