import { repliesKeepAudience } from '#src/clients/operation/capability.ts';
import { textLimitOf } from '#src/engine/delivery/quote-as-link.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { SimulatedDeliveriesOptions } from './simulated-deliveries.ts';

/** What the rendering of a step needs to know about its account. */
export type AccountFacts = Pick<SimulatedDeliveriesOptions, 'textLimitOf' | 'postDefaultsOf' | 'replyFactsOf'>;

/** The facts about accounts, without a connection to them. An unknown account has the usual limit of the platform with its name. */
export function accountFacts({ social }: Accounts): AccountFacts {
  const limits = { ...social?.usualTextLimits, ...social?.textLimits };
  return {
    textLimitOf: (account, step) =>
      textLimitOf({ textLimit: limits[account], capabilities: social?.platforms?.[account]?.capabilities ?? {} }, step),
    postDefaultsOf: (account) => social?.postDefaults?.[account],
    replyFactsOf(account) {
      const platform = social?.platforms?.[account];
      return platform && { platform: platform.name, keepAudience: repliesKeepAudience(platform.capabilities) };
    },
  };
}
