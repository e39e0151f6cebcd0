import { resend } from '#src/admin/actions/resend.ts';
import type { DeliveryEngine } from '#src/engine/delivery/delivery-engine.ts';
import type { Stage } from '../../engine/rule-sets/fixture.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

interface Resending {
  readonly stage: Stage;
  readonly engine: DeliveryEngine;
  readonly clock: ManualClock;
}

/** Two people send the same failed delivery again at once. */
export async function resendAtOnce(id: string, { stage, engine, clock }: Resending): Promise<void> {
  const { deliveries, ruleStates } = stage.store;
  const findRule = (name: string) => {
    const rule = stage.registry.now.rules.find((one) => one.id === name);
    return rule && { rule, isOn: stage.registry.isOn(rule) };
  };
  const options = { deliveries: { ...deliveries, reopen: engine.reopen }, ruleStates, findRule, isPost: () => false, clock };
  await Promise.all([resend(id, 'ada', options), resend(id, 'grace', options)]);
}
