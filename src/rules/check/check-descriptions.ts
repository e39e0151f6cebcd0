import type { JsonObject } from '#src/clients/operation/json.ts';
import { isDescribed } from '#src/clients/operation/post-defaults.ts';
import { formatList } from '#src/rules/messages/format.ts';
import type { CheckContext } from './check-context.ts';
import { clientOf } from './choose-accounts.ts';
import type { PlacedStep } from './place-steps.ts';

/** Warns of a file of a post without a description, which people who cannot see it miss. It is an error on accounts that require one. */
export function checkDescriptions(parameters: JsonObject, { draft, declared, accounts, path }: PlacedStep, context: CheckContext): void {
  if (declared?.kind !== 'write' || declared.publishes !== 'post') return;
  const { files } = parameters;
  if (!Array.isArray(files)) return;
  const defaults = context.accounts[clientOf(draft.do ?? '')]?.postDefaults ?? {};
  const requiring = accounts.filter((account) => Object.hasOwn(defaults, account) && defaults[account]?.requireDescription);
  for (const [index, file] of files.entries()) {
    if (isDescribed(file)) continue;
    const location = context.document.locationOf([...path, 'with', 'files', index]);
    const hint = 'write { url: …, altText: … } or { path: …, altText: … }';
    if (requiring.length === 0) {
      context.report.warning(location, 'missing-description', 'the file has no description (altText) for people who cannot see it', hint);
    } else {
      const message = `the file has no description (altText), which ${formatList(requiring, 'and')} requires: the step fails there`;
      context.report.error(location, 'missing-description', message, hint);
    }
  }
}
