import type { DiscordPlatform } from '#adapters/discord/index.ts';
import { operationRequirements, type Requirement } from '#src/admin/channel-checks/required-permissions.ts';
import { assertAccepts, missingParts } from '#src/clients/operation/client.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { messageOf, PlatformError, UnsupportedOperation, UnsupportedParameter, ValidationError } from '#src/errors.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { DryRun, PreviewAccounts } from '#src/engine/simulation/preview/preview-accounts.ts';
import type { Clients } from '#src/clients/clients.ts';
import { pollPlatform } from '#src/engine/planner/poll-platform.ts';
import { hasNoQuotes, quoteAsKnownLink, textLimitOf } from '#src/engine/delivery/quote-as-link.ts';
import { performStep, replyFactsOf } from '#src/engine/delivery/steps.ts';

/** A Discord server whose channels and roles a preview checks. */
export type PreviewedServer = Pick<DiscordPlatform, 'account' | 'examine'>;

/** The errors of parameters. A platform that does not answer has its own remark. */
const REFUSALS = [ValidationError, UnsupportedOperation, UnsupportedParameter];

/** Rendered parameters contain no expressions. */
const RENDERED: Pick<Rule, 'names' | 'channels'> = { names: { steps: {} } };

/** The accounts of `clients` for previews. */
export function previewAccounts(clients: Clients, servers: readonly PreviewedServer[] = []): PreviewAccounts {
  return {
    poll: (query, options) => pollPlatform(clients, query, options),
    perform: (attempt) => performStep(clients, attempt),
    textLimitOf: (account, step) => textLimitOf(clients.social.get(account), step),
    postDefaultsOf: (account) => clients.social.get(account)?.postDefaults,
    replyFactsOf(account) {
      const social = clients.social.get(account);
      return social && replyFactsOf(social);
    },
    dryRun: async (verb, account, params, signal) =>
      clients.hasAccount(verb, account) ? dryRun(clients, { verb, account, params }, signal) : { params },
    async missingParts(verb, account, params, signal) {
      // A rule that is off may name accounts that are not connected.
      return clients.hasAccount(verb, account) ? clients.operationOf(verb, account).client[missingParts](params, { signal }) : [];
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

/** What a write would send, or why it would fail, as far as its parameters tell. */
async function dryRun(
  clients: Clients,
  { verb, account, params }: { readonly verb: string; readonly account: string; readonly params: JsonObject },
  signal: AbortSignal,
): Promise<DryRun> {
  const { client, declared } = clients.operationOf(verb, account);
  if (declared.kind !== 'write') return { params };
  try {
    await client[assertAccepts](declared, params, { signal });
    return { params };
  } catch (error) {
    // The delivery sends the quote as a link.
    if (params['quote'] !== undefined && hasNoQuotes(error))
      return dryRun(clients, { verb, account, params: quoteAsKnownLink(params) }, signal);
    if (REFUSALS.some((known) => error instanceof known)) return { refusal: messageOf(error) };
    if (error instanceof PlatformError || signal.aborted) return { params };
    throw error;
  }
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
