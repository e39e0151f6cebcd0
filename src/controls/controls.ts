import type { Clock } from '#src/clock.ts';
import type { Delivery } from '#src/delivery/delivery.ts';
import type { DeliveryStore } from '#src/delivery/delivery-store.ts';
import type { DeliveryEngine } from '#src/delivery/delivery-engine.ts';
import type { Resolution } from '#src/delivery/resolution.ts';
import type { EventBus } from '#src/event-bus.ts';
import type { RuleStates, Commit } from '#src/scheduler/rule-states.ts';
import type { Scheduler } from '#src/scheduler/scheduler.ts';

import { resend, type ResendOptions, type ResendOutcome } from './resend.ts';

export type { Resolution };

/** The actions of operators on the running process. */
export interface Controls {
  /** Pauses rules in the name of `by`. Returns the rules that were not paused before. */
  pause(rules: readonly string[], by: string): Promise<readonly string[]>;
  /** Resumes rules. Returns the rules that were paused before. */
  resume(rules: readonly string[]): Promise<readonly string[]>;
  /** Runs a rule now and returns its commit; undefined if the rule is off or the run failed. */
  run(rule: string, signal: AbortSignal): Promise<Pick<Commit, 'decisions' | 'firings'> | undefined>;
  /** Resolves an unknown delivery; undefined if it is no longer unknown. */
  resolve(id: string, resolution: Resolution): Promise<Delivery | undefined>;
  /** Sends a failed delivery again in the name of `by`. */
  resend(id: string, by: string): Promise<ResendOutcome>;
}

export interface ControlsOptions {
  readonly ruleStates: Pick<RuleStates, 'pause' | 'resume' | 'paused'>;
  readonly scheduler: Pick<Scheduler, 'run'>;
  readonly deliveryEngine: Pick<DeliveryEngine, 'resolve' | 'reopen'>;
  readonly deliveries: Pick<DeliveryStore, 'find' | 'plan' | 'ofFirings'>;
  readonly findRule: ResendOptions['findRule'];
  readonly isPost: ResendOptions['isPost'];
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly eventBus: Pick<EventBus, 'publish'>;
}

/** The controls of a running process. */
export function createControls({ scheduler, deliveryEngine, eventBus, ...options }: ControlsOptions): Controls {
  const { ruleStates, findRule, deliveries } = options;

  async function changeAll(rules: readonly string[], change: (rule: string) => Promise<boolean>): Promise<readonly string[]> {
    const changed: string[] = [];
    for (const rule of rules) if (findRule(rule) && (await change(rule))) changed.push(rule);
    if (changed.length > 0) eventBus.publish({ kind: 'rules' });
    return changed;
  }

  return {
    pause: (rules, by) => changeAll(rules, (rule) => ruleStates.pause(rule, by)),
    resume: (rules) => changeAll(rules, (rule) => ruleStates.resume(rule)),
    run: (rule, signal) => scheduler.run(rule, signal),
    resolve: (id, resolution) => deliveryEngine.resolve(id, resolution),
    resend: (id, by) => resend(id, by, { ...options, deliveries: { ...deliveries, reopen: deliveryEngine.reopen } }),
  };
}
