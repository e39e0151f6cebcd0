import { missingParts } from '#src/operation/client.ts';
import type { PreviewAccounts } from '#src/simulation/preview/preview-accounts.ts';
import type { Clients } from './clients.ts';
import { pollPlatform } from './poll-platform.ts';
import { textLimitOf } from './quote-as-link.ts';
import { performStep, replyFactsOf } from './steps.ts';

/** The accounts of `clients` for previews. */
export function previewAccounts(clients: Clients): PreviewAccounts {
  return {
    poll: (query, signal) => pollPlatform(clients, query, signal),
    perform: (attempt) => performStep(clients, attempt),
    platformOf: (account) => clients.social.get(account)?.platformName,
    textLimitOf: (account, step) => textLimitOf(clients.social.get(account), step),
    replyFactsOf(account) {
      const social = clients.social.get(account);
      return social && replyFactsOf(social);
    },
    async missingParts(verb, account, params) {
      // A rule that is off may name accounts that are not connected.
      return clients.hasAccount(verb, account) ? clients.operationOf(verb, account).client[missingParts](params, {}) : [];
    },
    async channelError(account, channel) {
      try {
        await clients.discord.get(account)?.getMessages(channel);
        return undefined;
      } catch (error) {
        if (error instanceof Error) return error.message;
        throw error;
      }
    },
  };
}
