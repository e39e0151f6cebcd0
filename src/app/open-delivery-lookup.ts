import { ConfigError } from '#src/errors.ts';
import type { Store } from '#src/store/store.ts';
import { openConfig } from '#src/config/open-config.ts';
import type { DeliveryLookup } from '#src/admin/queries/offline.ts';
import { deliverySlice, shownDeliveries } from '#src/admin/queries/deliveries.ts';
import type { DeliveryList, DeliveryState } from '#src/admin/queries/records.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { withStoredState } from './stored-state.ts';
import { openRegistry } from './open-registry.ts';

const SHOWN = 50;

/** The deliveries of the installation that `environment` describes. */
export function openDeliveryLookup(environment: Readonly<Record<string, string | undefined>>): DeliveryLookup {
  const config = openConfig(environment);

  function withDeliveries<T>(use: (store: Store, registry: RuleRegistry | undefined) => Promise<T>): Promise<T> {
    return withStoredState(config, async (store) => use(store, await registryOf(store)));
  }

  async function registryOf(store: Store): Promise<RuleRegistry | undefined> {
    const { ruleVersions: versions, ruleSources } = store;
    try {
      return await openRegistry({ config, store, versions, stored: await ruleSources.load(), nowMs: () => store.clock.nowMs() });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // Operators can resolve deliveries even if the rules cannot be read.
      return undefined;
    }
  }

  const inState = (state: DeliveryState): Promise<DeliveryList> =>
    withDeliveries(({ deliveryLog, episodes }, registry) =>
      deliverySlice({ state, offset: 0, limit: SHOWN }, { rules: registry?.now.rules ?? [], episodes, deliveryLog }),
    );

  return {
    undecided: () => inState('unknown'),
    failed: () => inState('failed'),
    asked: () => inState('asked'),

    named: (name) =>
      withDeliveries(async ({ deliveryLog, episodes }, registry) =>
        shownDeliveries(await deliveryLog.named(name), { rules: registry?.now.rules ?? [], episodes }),
      ),
  };
}
