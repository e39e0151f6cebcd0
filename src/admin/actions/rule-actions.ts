import { canonical } from '#src/clients/operation/json.ts';
import { parseDuration } from '#src/clients/operation/duration.ts';
import type { Clock } from '#src/clock.ts';
import { Refused } from '#src/errors.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { Commit, PauseChange, Pauses, RuleStates } from '#src/engine/scheduler/rule-states.ts';
import type { PreviewView } from '#src/engine/simulation/preview/preview-view.ts';
import type { ReplayRun } from '#src/engine/simulation/replay/replay-view.ts';
import type { TestRun } from '#src/engine/simulation/rule-files.ts';
import type { RunOptions } from '#src/engine/scheduler/scheduler.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { RuleState } from '#src/rules/episode.ts';
import { isAnnounced } from '#src/rules/evaluate/transitions/is-announced.ts';
import { keptFault } from '#src/rules/kept-values.ts';
import type { KeptJson } from '#src/rules/step.ts';
import type { Rule } from '#src/rules/rule.ts';
import { nameOfActor, type Actor } from './actor.ts';
import type { AuditLog } from './audit-log.ts';
import { audited, RoleMissing, type Act } from './audited.ts';
import type { ActionInput } from './declarations.ts';
import { noSuchValue, storeValue } from './stored-values.ts';
import { pauseState, readPauses } from './pauses.ts';
import { ruleRevision } from './rule-revision.ts';

/** A rule with more is probably planned by a script with a mistake. */
const MAX_PLANNED = 50;

/** What pausing or resuming did; undefined: there is no such rule. */
type PauseOutcome =
  | {
      /** The instances of the rule. */
      readonly rules: readonly string[];
      /** The instances that were not paused, or not resumed, before. */
      readonly changed: readonly string[];
    }
  | undefined;

/** What a run decided and committed. */
export type RuleRun = Pick<Commit, 'decisions' | 'firings'>;

/**
 * What the request for an announcement did:
 * - `announced`: the announcement is sent;
 * - `alreadyAnnounced`: the item was announced before;
 * - `notLive`: the list of the rule does not have the item;
 * - `suppressed`, `deferred`, `failed`: see `decision`.
 */
export interface RequestedAnnouncement {
  readonly outcome: 'announced' | 'alreadyAnnounced' | 'notLive' | 'suppressed' | 'deferred' | 'failed';
  /** Absent: the rule decided nothing. */
  readonly decision?: Decision | undefined;
}

/** A stored value of a rule that a person changed. */
interface ChangedValue {
  /** The id of the rule. */
  readonly rule: string;
  readonly name: string;
  readonly value: KeptJson;
  readonly before: KeptJson;
}

export interface RuleActions {
  readonly pauseRule: Act<'pauseRule', PauseOutcome>;
  readonly resumeRule: Act<'resumeRule', PauseOutcome>;
  /** Undefined: there is no such rule, the rule is off, or the run failed. */
  readonly runRule: Act<'runRule', RuleRun | undefined>;
  /** Runs the rule, which announces the item if it is live and was not announced. Undefined: see `runRule`. */
  readonly announceItem: Act<'announceItem', RequestedAnnouncement | undefined>;
  /** The values after the change. Undefined: there is no such rule. */
  readonly setValue: Act<'setValue', ChangedValue | undefined>;
  /** Undefined: there is no such rule. */
  readonly testRule: Act<'testRule', TestRun | undefined>;
  /** Undefined: there is no such rule. */
  readonly previewRule: Act<'previewRule', PreviewView | undefined>;
  /** Undefined: there is no such rule. */
  readonly replayRule: Act<'replayRule', ReplayRun | undefined>;
}

/** Replays loaded rules, or the rules of an edited text with the same name. Throws a {@link Refused} if the text has no such rule. */
export type Replay = (
  rules: readonly Rule[],
  options: { readonly name: string; readonly backMs: number; readonly source?: string | undefined },
) => Promise<ReplayRun>;

export interface RuleActionParts {
  readonly rules: () => readonly Rule[];
  readonly isOn: (rule: Rule) => boolean;
  readonly ruleStates: Pick<RuleStates, 'changePauses' | 'paused' | 'planned' | 'load' | 'lastSlots' | 'commit'>;
  readonly run: (rule: string, options: RunOptions) => Promise<RuleRun | undefined>;
  /** Runs the tests beside a file, with all rules of the file. */
  readonly test: (rules: readonly Rule[]) => Promise<TestRun>;
  readonly preview: (rule: Rule, items: number) => Promise<PreviewView>;
  readonly replay: Replay;
  readonly eventBus?: Pick<EventBus, 'publish'> | undefined;
  readonly auditLog: Pick<AuditLog, 'start' | 'end'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The actions on the rules of a process. */
export function createRuleActions({ rules, ruleStates, eventBus, auditLog, clock, ...parts }: RuleActionParts): RuleActions {
  /** The runs that people started and that have not ended. A second person gets the result of the first one. */
  const runs = new Map<string, Promise<RuleRun | undefined>>();

  async function changePauses({ rule: name, revision }: Pick<ActionInput<'resumeRule'>, 'rule' | 'revision'>, change: PauseChange) {
    const named = rulesNamed(name, rules());
    const ids = named.map(({ id }) => id);
    if (ids.length === 0) return { result: undefined, outcome: 'refused' as const };
    const seen = await readPauses(ruleStates);
    if (revision !== undefined && ruleRevision(named, seen, parts.isOn) !== revision) throw otherRevision();
    if (ids.some((id) => (seen.planned.get(id) ?? []).length >= MAX_PLANNED) && 'pause' in change && change.pause.fromMs !== undefined) {
      throw new Refused('tooManyPauses', `A rule can have ${MAX_PLANNED} planned pauses. Cancel the planned pauses first.`);
    }
    const changed = await ruleStates.changePauses(ids, change, revision === undefined ? undefined : seen);
    if (!changed) throw otherRevision();
    if (changed.length === 0) return { result: { rules: ids, changed }, outcome: 'unchanged' as const };
    eventBus?.publish({ kind: 'rules' });
    const after = await readPauses(ruleStates);
    const states = (of: Pauses) => Object.fromEntries(changed.map((id) => [id, pauseState(of, id)]));
    return { result: { rules: ids, changed }, outcome: 'done' as const, before: states(seen), after: states(after) };
  }

  /** The rule with an id or a name; undefined: there is none. Several instances are several rules, of which only one can be meant. */
  function oneRule(name: string): Rule | undefined {
    const [found, ...others] = rulesNamed(name, rules());
    if (!found || others.length === 0) return found;
    throw new Refused('manyInstances', `The rule ${name} has several instances: name one of them, for example ${found.id}.`);
  }

  async function runOnce(id: string, signal: AbortSignal | undefined): Promise<RuleRun | undefined> {
    const running = runs.get(id) ?? parts.run(id, { signal }).finally(() => runs.delete(id));
    runs.set(id, running);
    return running;
  }

  return {
    pauseRule: audited('pauseRule', auditLog, async ({ from, until, ...input }, by) => {
      // Such a pause would end at once, but withdraw new deliveries.
      if (until && until.getTime() <= clock.nowMs()) throw new Refused('pauseOver', 'The end of a pause must be in the future.');
      if (from && until && until <= from) throw new Refused('pauseEndsFirst', 'The end of a pause must be after its start.');
      return changePauses(input, { pause: { by: nameOfActor(by), fromMs: from?.getTime(), untilMs: until?.getTime() } });
    }),

    resumeRule: audited('resumeRule', auditLog, ({ planned = false, ...input }) =>
      changePauses(input, { resume: planned ? 'planned' : 'now' }),
    ),

    runRule: audited('runRule', auditLog, async ({ rule }, _, signal) => {
      const found = oneRule(rule);
      if (found?.command) throw new Refused('runsByCommand', `The rule runs when a member uses /${found.command.name} in Discord.`);
      if (found?.webhook) throw new Refused('runsByWebhook', `The rule runs when a request to /hooks/${found.webhook.name} arrives.`);
      const result = found && (await runOnce(found.id, signal));
      if (!result) return { result, outcome: 'refused' };
      return { result, outcome: 'done', after: { decisions: result.decisions.length, firings: result.firings.length } };
    }),

    announceItem: audited('announceItem', auditLog, async ({ rule, item }, by, signal) => {
      const found = oneRule(rule);
      if (found) assertItemInScope(found, item, by);
      const made = found && (await parts.run(found.id, { requested: new Set([item]), signal }));
      if (!made) return { result: undefined, outcome: 'refused' };
      const result = requestedOf(item, made) ?? { outcome: isOpen(item, await ruleStates.load(found.id)) ? 'alreadyAnnounced' : 'notLive' };
      return { result, outcome: result.outcome === 'announced' ? 'done' : 'unchanged', after: { item, announcement: result.outcome } };
    }),

    setValue: audited('setValue', auditLog, async ({ rule, name, value, revision }) => {
      const found = oneRule(rule);
      if (!found) return { result: undefined, outcome: 'refused' };
      if (revision !== undefined && ruleRevision([found], await readPauses(ruleStates), parts.isOn) !== revision) throw otherRevision();
      const known = found.keep?.find((one) => one.name === name);
      if (!known) throw new Refused('unknownValue', noSuchValue(found, name));
      const fault = keptFault(value, known.type);
      if (fault !== undefined) throw new Refused('wrongValue', `The value of ${name} cannot be set: it is ${fault}.`);
      const before = await storeValue({ rule: found, name, value }, { ruleStates, clock });
      eventBus?.publish({ kind: 'rules' });
      const outcome = canonical(before) === canonical(value) ? 'unchanged' : 'done';
      return { result: { rule: found.id, name, value, before }, outcome, before: { [name]: before }, after: { [name]: value } };
    }),

    testRule: audited('testRule', auditLog, async ({ rule }) => {
      const [found] = rulesNamed(rule, rules());
      return { result: found && (await parts.test(rules().filter(({ file }) => file === found.file))), outcome: 'done' };
    }),

    previewRule: audited('previewRule', auditLog, async ({ rule, items }) => {
      const [found] = rulesNamed(rule, rules());
      return { result: found && (await parts.preview(found, items)), outcome: 'done' };
    }),

    replayRule: audited('replayRule', auditLog, async ({ rule, since, source }) => {
      const found = rulesNamed(rule, rules());
      const backMs = parseDuration(since) ?? 0;
      return { result: found.length === 0 ? undefined : await parts.replay(found, { name: rule, backMs, source }), outcome: 'done' };
    }),
  };
}

const REQUESTED = { fired: 'announced', suppressed: 'suppressed', deferred: 'deferred', failed: 'failed' } as const;

/** What a run decided about a requested item; undefined: nothing. */
function requestedOf(item: string, { decisions }: RuleRun): RequestedAnnouncement | undefined {
  for (const decision of decisions) {
    const outcome = Reflect.get(REQUESTED, decision.outcome) as RequestedAnnouncement['outcome'] | undefined; // a key of REQUESTED, or none
    if (outcome && (outcome === 'failed' || decision.item === item)) return { outcome, decision };
  }
  return undefined;
}

/** Whether the rule has an announced episode of the item that is not closed. */
function isOpen(item: string, { episodes, memory }: RuleState): boolean {
  return episodes.values().some((episode) => episode.key === item && episode.phase !== 'closed' && isAnnounced(episode, memory));
}

/** An administrator of a Discord server announces the people of this server. */
function assertItemInScope({ watched }: Rule, item: string, { scope, name }: Actor): void {
  if (!scope || (watched?.people && item.startsWith(`${watched.people.list}/${scope.server}/`))) return;
  throw new RoleMissing(`${name} can announce people of the server ${scope.server} only.`);
}

function otherRevision(): Refused {
  return new Refused('changed', 'Another person changed the rule since you read it. Read it again.');
}

/** The rule with this id; otherwise all instances of the rule with this name. */
export function rulesNamed(name: string, rules: readonly Rule[]): readonly Rule[] {
  const exact = rules.filter(({ id }) => id === name);
  return exact.length > 0 ? exact : rules.filter((rule) => rule.name === name);
}
