import { ownText, parseTemplate } from '../../grammar/template.ts';
import { clientOf } from '../choose-accounts.ts';
import type { Desk } from '../desk.ts';
import type { ParameterText } from '../parameters/check-parameters.ts';
import type { PlacedStep } from '../place-steps.ts';

/** `@ada`, and neither `@ada.bsky.social` nor `@ada@example.social`, which say where. */
const BARE_NAME = /(?<![\p{L}\p{M}\p{N}_./@＠])[@＠][A-Za-z0-9_]{1,30}(?![A-Za-z0-9_@＠]|[.-][A-Za-z0-9])/u;

/** Warns of a name that is somebody else on each of the platforms that a text goes to. */
export function warnOfNames(texts: readonly ParameterText[], { draft, accounts, path }: PlacedStep, desk: Desk): void {
  const platforms = desk.accounts[clientOf(draft.do ?? '')]?.platforms ?? {};
  const names = new Set(accounts.flatMap((account) => (Object.hasOwn(platforms, account) ? (platforms[account]?.name ?? []) : [])));
  if (names.size < 2) return;
  for (const text of texts) {
    if (text.shape?.kind !== 'text' || text.shape.markup !== 'post') continue;
    const [name] = BARE_NAME.exec(ownText(parseTemplate(text.text), ' ')) ?? [];
    if (name === undefined) continue;
    const message = `${name} is whoever has that name on each of ${[...names].join(', ')}, and hardly one person`;
    desk.report.warning(desk.document.spot([...path, 'with', ...text.path]), message, 'write a step for each platform, or an address');
  }
}
