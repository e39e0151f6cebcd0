import type { DiscordPlatform } from '#adapters/discord/index.ts';
import { operationRequirements, type Requirement } from '#src/channel-checks/required-permissions.ts';
import { missingParts } from '#src/operation/client.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { PreviewAccounts } from '#src/simulation/preview/preview-accounts.ts';
import type { Clients } from './clients.ts';
import { pollPlatform } from './poll-platform.ts';
import { textLimitOf } from './quote-as-link.ts';
import { performStep, replyFactsOf } from './steps.ts';

/** A Discord server whose channels and roles a preview checks. */
export type PreviewedServer = Pick<DiscordPlatform, 'account' | 'examine'>;

/** Rendered parameters contain no expressions. */
const RENDERED: Pick<Rule, 'names' | 'channels'> = { names: { steps: {} } };

/** The accounts of `clients` for previews. */
export function previewAccounts(clients: Clients, servers: readonly PreviewedServer[] = []): PreviewAccounts {
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
    async targetProblems(verb, account, params) {
      const server = servers.find((one) => one.account === account);
      if (!server) return [];
      const needed = operationRequirements({ do: verb, with: params, as: [account] }, RENDERED);
      const problems = await Promise.all(needed.map((requirement) => problemOf(server, requirement)));
      return problems.filter((problem) => problem !== undefined);
    },
  };
}

/** What the bot lacks, or why that cannot be checked. */
async function problemOf({ examine }: PreviewedServer, requirement: Requirement): Promise<string | undefined> {
  try {
    return await examine(requirement);
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}
