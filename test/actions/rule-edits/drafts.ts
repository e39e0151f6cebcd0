import { accountsOf } from '#src/app/accounts.ts';
import type { Decision } from '#src/clients/assistant/drafts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { rulesInFolder } from '#src/discord/assistant-tools/approved-rules.ts';
import { checkContextOf } from '#src/discord/assistant-tools/check-context.ts';
import { decideDrafts } from '#src/discord/assistant-tools/decide-drafts.ts';
import { silentLog } from '#src/log.ts';
import type { Stage } from '../../engine/rule-sets/fixture.ts';

/** A rule that the assistant drafted. */
export interface DraftedFile {
  readonly id: string;
  readonly rule: string;
  readonly source: string;
  readonly tests: string | undefined;
}

/** Members approve drafts in Discord at once. Resolves with the decision about each. */
export async function approveAtOnce(
  { folder, registry, store, clock }: Stage,
  drafts: readonly DraftedFile[],
): Promise<readonly Decision[]> {
  const config = configOfEnvironment({ FANFARE_RULES: folder });
  const approvedRules = rulesInFolder({ folder, registry, log: silentLog });
  const checkContext = checkContextOf({ config, accounts: accountsOf(config), approvedRules, clock });
  const { assistantDrafts } = store;
  for (const { id, ...content } of drafts) {
    const open = { id, content: { kind: 'rule', ...content }, by: '2', conversation: 'c', state: 'open' } as const;
    await assistantDrafts.add({ ...open, madeAt: new Date(clock.nowMs()) });
  }
  const decisions = decideDrafts({ drafts: assistantDrafts, checkContext, approvedRules, posting: undefined, log: silentLog });
  return Promise.all(drafts.map(({ id }) => decisions.approve(id, { id: '1', name: 'ada', server: undefined, may: () => true })));
}
