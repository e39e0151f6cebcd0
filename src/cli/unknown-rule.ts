import type { Explainer } from '#src/admin/queries/offline.ts';
import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { unknownRuleMessage } from '#src/rules/messages/unknown-rule.ts';
import { Refusal } from './refusal.ts';

/** The refusal of an unknown rule, with the known rules. */
export async function unknownRule(id: string, explainer: Pick<Explainer, 'known'>): Promise<Refusal> {
  const { names, broken } = await explainer.known();
  const hint = broken.length > 0 ? `Files with errors: ${broken.join(', ')}. To see the errors: fanfare check` : undefined;
  return new Refusal(unknownRuleMessage(id, names), { code: 'ruleNotFound', hint });
}

/** The refusal of a rule that is unknown or whose file has errors, which are printed above. */
export function unknownOrBrokenRule(
  id: string,
  { names, diagnostics }: { readonly names: readonly string[]; readonly diagnostics: readonly Pick<Diagnostic, 'severity'>[] },
): Refusal {
  if (!diagnostics.some(({ severity }) => severity === 'error'))
    return new Refusal(unknownRuleMessage(id, names), { code: 'ruleNotFound' });
  const message = unknownRuleMessage(id, names, `no rule without errors has the id ${id}`);
  return new Refusal(message, { code: 'ruleNotFound', hint: 'Rules with errors cannot run. The errors are above.' });
}
