import { z } from 'zod';
import type { Actions } from '#src/admin/actions/actions.ts';
import { buttons } from '#src/clients/chat/buttons.ts';
import { buttonsOf, layout } from '#src/clients/chat/layout.ts';
import { isJsonObject } from '#src/clients/operation/json.ts';
import type { DeliveryStore } from '#src/engine/delivery/delivery-store.ts';
import type { RuleButtons } from './rule-buttons.ts';

interface OpenRuleButtonsOptions {
  readonly deliveries: Pick<DeliveryStore, 'find'>;
  readonly actions: Pick<Actions, 'muteItem'>;
  /** The running rules. */
  readonly rules: () => readonly { readonly id: string }[];
}

const Parameters = z.object({ buttons, layout });

/** The messages with buttons that rules sent, from the stored deliveries. */
export function openRuleButtons({ deliveries, actions, rules }: OpenRuleButtonsOptions): RuleButtons {
  return {
    async find(key) {
      const delivery = await deliveries.find(key);
      const { result, params, rule, episode, item } = delivery ?? {};
      const parsed = Parameters.safeParse(params);
      const message = isJsonObject(result) ? result['id'] : undefined;
      if (rule === undefined || episode === undefined || typeof message !== 'string' || !parsed.success) return undefined;
      if (!rules().some(({ id }) => id === rule)) return undefined;
      return {
        message,
        buttons: buttonsOf(parsed.data),
        item: item?.name,
        mute: async (by) => (await actions.muteItem({ delivery: key }, by)) ?? 'over',
      };
    },
  };
}
