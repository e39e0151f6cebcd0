import { systemClock } from '#src/clock.ts';
import { ConfigError } from '#src/errors.ts';
import { resolveUnknown } from '#src/delivery/resolution.ts';
import type { Store } from '#src/store/store.ts';
import { openConfig } from '#src/config/open-config.ts';
import type { Resolver } from '#src/controls/offline.ts';
import { deliveryPage, shownDelivery } from '#src/queries/deliveries.ts';
import type { Rule } from '#src/rules/rule.ts';
import { withStoredState } from './stored-state.ts';
import { openRegistry } from './open-registry.ts';
import { isQuestion } from './steps.ts';

const SHOWN = 50;

/** The deliveries of the installation that `environment` describes. */
export function openResolver(environment: Readonly<Record<string, string | undefined>>): Resolver {
  const config = openConfig(environment);

  function withDeliveries<T>(use: (store: Store, rules: readonly Rule[]) => Promise<T>): Promise<T> {
    return withStoredState(config, async (store) => use(store, await rulesOf(store)));
  }

  async function rulesOf({ ruleVersions: versions, ruleSources }: Store): Promise<readonly Rule[]> {
    try {
      return (await openRegistry({ config, versions, stored: await ruleSources.load(), nowMs: Date.now })).now.rules;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // Operators can resolve deliveries even if the rules cannot be read.
      return [];
    }
  }

  return {
    undecided: () =>
      withDeliveries(({ deliveryLog }, rules) => deliveryPage({ state: 'unknown', offset: 0, limit: SHOWN }, { rules, deliveryLog })),

    named: (name) =>
      withDeliveries(async ({ deliveryLog }, rules) => (await deliveryLog.named(name)).map((delivery) => shownDelivery(delivery, rules))),

    resolve: (delivery, resolution) =>
      withStoredState(config, async ({ deliveries }) => {
        const change = resolveUnknown(delivery, resolution, { isQuestion, clock: systemClock });
        // Applies only to the state that the operator saw: of two operators, in any process, the first one resolves.
        return (await deliveries.change(delivery, change)) !== undefined;
      }),
  };
}
