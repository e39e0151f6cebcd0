import type { GoneExplanation, GoneRule } from '#src/admin/queries/gone-rules.ts';
import type { ShownDelivery } from '#src/admin/queries/records.ts';
import { stepName } from '#src/rules/step-name.ts';
import { stateWord } from './delivery-names.ts';
import { instantText, oneLine, printHanging } from './format.ts';
import { printOutcomes } from './print-explanation.ts';
import type { Terminal } from './terminal.ts';

interface PrintGoneOptions {
  /** The files with errors, one of which may have the rule. */
  readonly broken: readonly string[];
  readonly timezone: string;
  readonly out: Terminal;
}

/** Prints that a rule is gone, and what it decided and sent. */
export function printGoneRule(gone: GoneExplanation, { broken, timezone, out }: PrintGoneOptions): void {
  const { id, deliveries, outcomes } = gone;
  out.print(out.paint('bold', oneLine(id)));
  out.print(goneText(gone, timezone));
  if (broken.length > 0) out.print(`It may be in a file with errors: ${broken.join(', ')}. To see the errors: fanfare check`);
  if (deliveries.length > 0) out.print('\nLast deliveries:');
  for (const delivery of deliveries) printHanging(`  ${deliveryText(delivery, timezone)}`, 4, out);
  printOutcomes({ outcomes, timezone }, out);
}

/** Since when a rule is gone, if known. */
export function goneText({ goneAt, lastRunAt }: GoneRule, timezone: string): string {
  const isGone =
    goneAt === undefined
      ? 'This rule is no longer in the rules folder.'
      : `This rule was deleted or renamed; Fanfare removed it ${instantText(goneAt, timezone)}.`;
  return `${isGone} It last ran ${instantText(lastRunAt, timezone)}.`;
}

function deliveryText({ createdAt, state, position, do: verb, account, params, error, message }: ShownDelivery, timezone: string): string {
  const text = params?.['content'] ?? params?.['text'] ?? params?.['title'];
  const details = [typeof text === 'string' ? `"${oneLine(text)}"` : undefined, error?.message ?? message];
  const shown = details.filter((part) => part !== undefined).join(', ');
  const what = `${stepName(position)}: ${verb} through ${account}`;
  return `${instantText(createdAt, timezone)}  ${stateWord({ do: verb, state }).padEnd(8)} ${what}${shown === '' ? '' : `: ${shown}`}`;
}
