import { catalogue } from '#src/clients/catalogue.ts';
import type { DeclaredWrite } from '#src/clients/operation/declared.ts';
import { messageOf } from '#src/errors.ts';
import { changedParameters } from '#src/engine/delivery/changed-parameters.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Firing, PlannedStep } from '#src/rules/firing.ts';
import type { Occurrence } from '#src/engine/testing/world/world.ts';
import { withStepMessage } from '#src/rules/messages/format-step-reason.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import { renderStep, type RenderOptions } from '#src/rules/render.ts';
import { keptWarning } from '#src/rules/rendering/post-parts.ts';
import type { Rule } from '#src/rules/rule.ts';
import { checkMessage, type MessageCheck } from './check-message.ts';
import { failureText } from './failure-text.ts';
import type { PreviewAccounts } from './preview-accounts.ts';
import { SampleRecords } from './sample-records.ts';
import { sampleResult } from './samples.ts';
import { Simulation, type SimulatedEvents, type SimulatedSlot } from '../simulation.ts';

/** How long a simulation reads files. Each address that does not answer takes seconds, and a list can have a hundred. */
const FILES_WITHIN_MS = 15_000;

/** A step through one account, with its outcome in a preview. */
export interface PreviewedStep {
  readonly firing: Firing;
  readonly planned: PlannedStep;
  readonly outcome: PreviewedOutcome;
}

/**
 * - `done`: with these parameters, several for the elements of a list or the parts of a thread;
 * - `skipped`: there is nothing to do;
 * - `failed`: it cannot be rendered, or a read fails.
 */
type PreviewedOutcome =
  | {
      readonly kind: 'done';
      readonly params: readonly JsonObject[];
      /** The checks of these messages, for writes. */
      readonly checks: readonly MessageCheck[];
      readonly reads: boolean;
      /** The text that was too long, if it was cut. */
      readonly cut?: string | undefined;
      /** The content warning that was too long, if it was cut. */
      readonly cutWarning?: string | undefined;
      /** The content warning that its edit keeps. */
      readonly keptWarning?: string | undefined;
      /** Names of all members that are left out, because a text of a platform has them. */
      readonly foreignPings: readonly string[];
      /** Why elements of its list fail; absent: none does. */
      readonly failure?: string | undefined;
    }
  | ({ readonly kind: 'skipped' | 'failed' } & Explained<DeliveryReason>);

/** A simulation of one rule that does steps behind a `wait` at once and returns the outcome of each step. */
export class PreviewSimulation {
  readonly #simulation: Simulation;
  #select: (firings: readonly Firing[]) => readonly Firing[] = (all) => all;
  /** Steps as they were decided, with their waits, by key. */
  readonly #planned = new Map<string, PlannedStep>();
  /** The error of a text that is too long, by the key of its step. */
  readonly #lengthErrors = new Map<string, string>();
  /** Why the content warning is cut, by the key of the step. */
  readonly #cutWarnings = new Map<string, string>();
  /** The content warning that an edit keeps, by the key of the step. */
  readonly #keptWarnings = new Map<string, string | undefined>();
  /** The names of all members that are left out, by the key of the step. */
  readonly #foreignPings = new Map<string, ReadonlySet<string>>();
  /** The errors of the elements of each step. */
  readonly #failures = new Map<string, readonly string[]>();
  /** The checked messages of each step. Those that would fail are shown too. */
  readonly #checked = new Map<string, readonly MessageCheck[]>();

  readonly #records = new SampleRecords();

  /** Ends the reading of files. */
  #searching: AbortSignal | undefined;

  /** `kept`: the stored values of the rule; absent: its start values. */
  constructor(rule: Rule, accounts: PreviewAccounts, kept?: JsonObject) {
    this.#simulation = new Simulation({
      rule,
      catalogue,
      kept,
      textLimitOf: accounts.textLimitOf,
      postDefaultsOf: accounts.postDefaultsOf,
      replyFactsOf: accounts.replyFactsOf,
      select: (firings) => this.#select(firings).map((firing) => this.#withoutWaits(firing)),
      onRender: (planned, options) => this.#noteOmissions(planned, options),
      world: {
        resultOf: (planned, slotMs, { params, edited, part }) =>
          this.#resultOf(planned, { params, edited, isPart: part > 1, slotMs, accounts }),
        // The result of a question has its answer.
        answerTo: () => ({}),
      },
    });
  }

  /** When the first open episode started, in milliseconds since 1970; undefined: none is open. */
  get startedMs(): number | undefined {
    return this.#simulation.episodes.values().next().value?.startedMs;
  }

  /** Runs one slot; `select` leaves out the firings that are not shown. */
  async slot(
    slot: Pick<SimulatedSlot, 'slotMs' | 'poll' | 'command' | 'webhook' | 'rule'>,
    select: (firings: readonly Firing[]) => readonly Firing[] = (all) => all,
  ): Promise<{ readonly decisions: readonly Decision[]; readonly steps: readonly PreviewedStep[] }> {
    this.#select = select;
    const events = await this.#simulation.slot(slot);
    const steps = events.firings.flatMap((firing) =>
      firing.steps.map((planned): PreviewedStep => {
        return { firing, planned: this.#planned.get(planned.key) ?? planned, outcome: this.#outcomeOf(planned, firing, events) };
      }),
    );
    return { decisions: events.decisions, steps };
  }

  /** Reads are real, and writes get sample results, unless their account refuses them. */
  async #resultOf(
    planned: PlannedStep,
    {
      params,
      edited,
      isPart,
      slotMs,
      accounts,
    }: Pick<Occurrence, 'params' | 'edited'> & { readonly isPart: boolean; readonly slotMs: number; readonly accounts: PreviewAccounts },
  ): Promise<Json | undefined> {
    const { step, account, key } = planned;
    const declared = catalogue.get(step.do);
    if (declared?.kind === 'write') {
      this.#searching ??= AbortSignal.timeout(FILES_WITHIN_MS);
      const reads = { accounts, signal: this.#searching };
      const sent = await this.#accepted(planned, params, reads);
      const replies = accounts.replyFactsOf?.(account);
      const check = await checkMessage(planned, sent, reads);
      if (check.missing.length > 0 && !check.fails) await this.#accepted(planned, check.sent, reads);
      if (!check.fails) this.#use(planned, declared, check.sent);
      const { mentionsIn } = accounts.textLimitOf(account, step) ?? {};
      const posted = this.#records.shown(account, check.sent, { declared, replies, mentionsIn, isPart });
      const shown = this.#records.withCutCards(account, declared, posted);
      const changed = changedParameters({ account, params: check.sent }, shown);
      this.#checked.set(key, [...(this.#checked.get(key) ?? []), { ...check, sent: shown, missing: [...check.missing, ...changed] }]);
      if (check.fails) throw new Error('the message would fail');
      const stored = this.#records.stored(account, shown, { replies });
      const result = sampleResult(planned, { params: stored, edited, slotMs, platform: replies?.platform });
      this.#records.add(account, result, { isPart, params: shown });
      return result;
    }
    const { signal } = new AbortController();
    try {
      return await accounts.perform({ do: step.do, account, params, key, since: new Date(slotMs), signal });
    } catch (error) {
      if (error instanceof Error) this.#addFailure(key, `${step.do} through ${account}: ${error.message}`);
      throw error;
    }
  }

  /** The parameters that a platform gets. Throws if the write fails before its first request. */
  async #accepted(
    { step, account, key }: PlannedStep,
    params: JsonObject,
    { accounts, signal }: { readonly accounts: PreviewAccounts; readonly signal: AbortSignal },
  ): Promise<JsonObject> {
    const sent = (await accounts.dryRun?.(step.do, account, params, signal)) ?? { params };
    if (!('refusal' in sent)) return sent.params;
    this.#addFailure(key, sent.refusal);
    throw new Error(sent.refusal);
  }

  /** Deletes a sample record, or notes that a step needs a deleted one. */
  #use({ account, key }: PlannedStep, declared: DeclaredWrite, params: JsonObject): void {
    try {
      this.#records.use(account, declared, params);
    } catch (error) {
      this.#addFailure(key, messageOf(error));
      throw error;
    }
  }

  #addFailure(key: string, message: string): void {
    this.#failures.set(key, [...(this.#failures.get(key) ?? []), message]);
  }

  #withoutWaits(firing: Firing): Firing {
    for (const planned of firing.steps) this.#planned.set(planned.key, planned);
    return { ...firing, steps: firing.steps.map((planned) => ({ ...planned, step: { ...planned.step, afterMs: undefined } })) };
  }

  #noteOmissions({ key }: PlannedStep, options: RenderOptions): void {
    const { step } = options;
    const foreign = new Set(this.#foreignPings.get(key));
    const fit = step.fit === 'thread' ? step.fit : 'error';
    const whole = renderStep({
      ...options,
      step: { ...step, fit },
      onForeignPing: (name) => void foreign.add(name),
      onCutWarning: (detail) => void this.#cutWarnings.set(key, this.#cutWarnings.get(key) ?? detail),
    });
    this.#foreignPings.set(key, foreign);
    this.#keptWarnings.set(key, keptWarning(options.edited, options.textLimit));
    if (fit === 'error' && 'failure' in whole && !this.#lengthErrors.has(key))
      this.#lengthErrors.set(key, whole.failure.slice(step.do.length + 2));
  }

  #outcomeOf({ key }: PlannedStep, { id }: Firing, events: SimulatedEvents): PreviewedOutcome {
    const done = events.done.filter((one) => one.firing === id && one.planned.key === key);
    const undone = events.undone.filter((one) => one.firing === id && one.planned.key === key);
    const failure = failureText([...(this.#failures.get(key) ?? []), ...undone.flatMap((one) => (one.failed ? one.message : []))]);
    const checks = this.#checked.get(key) ?? [];
    if (done.length > 0 || checks.length > 0) {
      const reads = done.some((one) => one.reads);
      const foreignPings = [...(this.#foreignPings.get(key) ?? [])];
      const params = checks.length > 0 ? checks.map(({ sent }) => sent) : done.map((one) => one.params);
      return {
        kind: 'done',
        params,
        checks,
        reads,
        cut: this.#lengthErrors.get(key),
        cutWarning: this.#cutWarnings.get(key),
        keptWarning: this.#keptWarnings.get(key),
        foreignPings,
        failure,
      };
    }
    if (failure !== undefined) return { kind: 'failed', message: failure };
    const [first] = undone;
    const isNoneOfList = !first || (first.element !== undefined && undone.some(({ reason }) => reason?.kind !== 'sameText'));
    if (isNoneOfList) return { kind: 'skipped', ...withStepMessage({ kind: 'allElementsSkipped' }) };
    // No target of a preview refuses, so the reason is one of a delivery.
    return { kind: first.failed ? 'failed' : 'skipped', message: first.message, reason: first.reason as DeliveryReason | undefined };
  }
}
