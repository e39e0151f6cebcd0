import { createAssistant, type Assistant } from '#src/clients/assistant/assistant.ts';
import type { Drafts } from '#src/clients/assistant/drafts.ts';
import type { AssistantPlatform } from '#src/clients/assistant/port.ts';
import type { Clock } from '#src/clock.ts';
import { secretsOf } from '#src/config/accounts.ts';
import type { Config } from '#src/config/config.ts';
import { isOnIn } from '#src/config/is-on.ts';
import type { Posting } from '#src/engine/posting/posting.ts';
import type { Log } from '#src/log.ts';
import type { Accounts } from '#src/rules/accounts.ts';
import type { Store } from '#src/store/store.ts';
import { accountsOf } from './accounts.ts';
import type { Clients } from '#src/clients/clients.ts';
import type { RuleRegistry } from '#src/engine/rule-sets/rule-registry.ts';
import { rulesInFolder, rulesInVersions } from '#src/discord/assistant-tools/approved-rules.ts';
import { decideDrafts } from '#src/discord/assistant-tools/decide-drafts.ts';
import { checkContextOf } from '#src/discord/assistant-tools/check-context.ts';
import { draftPostTool } from '#src/discord/assistant-tools/draft-post-tool.ts';
import { draftRuleTool } from '#src/discord/assistant-tools/draft-rule-tool.ts';
import { readTools } from '#src/discord/assistant-tools/read-tools.ts';
import { summarizeRule, type SummarizeRule } from '#src/admin/queries/rule-summary.ts';

export interface OpenAssistantOptions {
  readonly platform: AssistantPlatform;
  readonly config: Config;
  /** The accounts that the assistant may use; by default, the accounts of the configuration. */
  readonly accounts?: Accounts | undefined;
  readonly clients: Pick<Clients, 'operationOf'>;
  readonly registry: Pick<RuleRegistry, 'now'>;
  readonly store: Pick<Store, 'transcripts' | 'assistantDrafts' | 'ruleVersions'>;
  /** Sends approved posts; without it, the assistant drafts no posts. */
  readonly posting: Pick<Posting, 'preview' | 'send' | 'find'> | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The assistant, and the decisions about its drafts. */
export interface OpenAssistant {
  readonly assistant: Assistant;
  readonly drafts: Drafts;
  /** Summarizes a drafted rule. */
  readonly summarizeRule: SummarizeRule;
}

/** Opens an assistant that looks things up and drafts. Only a person can send a post or enable a rule. */
export function openAssistant({ platform, config, accounts = accountsOf(config), ...options }: OpenAssistantOptions): OpenAssistant {
  const { clients, registry, store, posting, clock, log } = options;
  const { transcripts, assistantDrafts: drafts, ruleVersions: versions } = store;
  const { all, defaults } = accounts['social'] ?? { all: [], defaults: [] };
  const approvedRules = versions
    ? rulesInVersions({ versions, registry, accounts, isOn: isOnIn(config), nowMs: () => clock.nowMs() })
    : rulesInFolder({ folder: config.rulesDirectory, registry, log });
  const checkContext = checkContextOf({ config, accounts, approvedRules, clock });
  const tools = [
    ...readTools({ clients, accounts, log }),
    ...(posting && all.length > 0 ? [draftPostTool({ accounts: { all, defaults }, drafts, clock })] : []),
    draftRuleTool({ checkContext, drafts, clock }),
  ];
  return {
    assistant: createAssistant({ platform, transcripts, drafts, tools, secrets: secretsOf(config), clock }),
    summarizeRule: summarizeRule(checkContext),
    drafts: decideDrafts({
      drafts,
      checkContext,
      approvedRules,
      posting,
      log,
    }),
  };
}
