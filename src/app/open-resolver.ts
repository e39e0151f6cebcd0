import { systemClock } from '#src/clock.ts';
import { ConfigError } from '#src/errors.ts';
import { resolveUnknown } from '#src/delivery/resolution.ts';
import type { Store } from '#src/store/store.ts';
import { openConfig } from '#src/config/open-config.ts';
import type { Resolver } from '#src/controls/offline.ts';
import { resend } from '#src/controls/resend.ts';
import { deliveryPage, shownDeliveries } from '#src/queries/deliveries.ts';
import { POST_RULE } from '#src/posting/posts.ts';
import type { DeliveryList, DeliveryState } from '#src/queries/records.ts';
import { findIn, type RuleRegistry } from '#src/registry/rule-registry.ts';
import { withStoredState } from './stored-state.ts';
import { openRegistry } from './open-registry.ts';
import { isQuestion } from './steps.ts';

const SHOWN = 50;

/** The deliveries of the installation that `environment` describes. */
export function openResolver(environment: Readonly<Record<string, string | undefined>>): Resolver {
  const config = openConfig(environment);

  function withDeliveries<T>(use: (store: Store, registry: RuleRegistry | undefined) => Promise<T>): Promise<T> {
    return withStoredState(config, async (store) => use(store, await registryOf(store)));
  }

  async function registryOf({ ruleVersions: versions, ruleSources }: Store): Promise<RuleRegistry | undefined> {
    try {
      return await openRegistry({ config, versions, stored: await ruleSources.load(), nowMs: Date.now });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // Operators can resolve deliveries even if the rules cannot be read.
      return undefined;
    }
  }

  const inState = (state: DeliveryState): Promise<DeliveryList> =>
    withDeliveries(({ deliveryLog, episodes }, registry) =>
      deliveryPage({ state, offset: 0, limit: SHOWN }, { rules: registry?.now.rules ?? [], episodes, deliveryLog }),
    );

  return {
    undecided: () => inState('unknown'),
    failed: () => inState('failed'),

    named: (name) =>
      withDeliveries(async ({ deliveryLog, episodes }, registry) =>
        shownDeliveries(await deliveryLog.named(name), { rules: registry?.now.rules ?? [], episodes }),
      ),

    resolve: (delivery, resolution) =>
      withStoredState(config, async ({ deliveries }) => {
        const change = resolveUnknown(delivery, resolution, { isQuestion, clock: systemClock });
        // Applies only to the state that the operator saw: of two operators, in any process, the first one resolves.
        const resolved = change.state === 'pending' ? deliveries.reopen(delivery, change, {}) : deliveries.change(delivery, change);
        return (await resolved) !== undefined;
      }),

    resend: ({ id }, by) =>
      withStoredState(config, async (store) => {
        // A rule that cannot be read cannot render anything.
        const registry = await openRegistry({
          config,
          versions: store.ruleVersions,
          stored: await store.ruleSources.load(),
          nowMs: Date.now,
        });
        return resend(id, by, { ...store, findRule: findIn(registry), isPost: (rule) => rule === POST_RULE, clock: systemClock });
      }),
  };
}
