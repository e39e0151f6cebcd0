import { givenAt, isAsked, remarkOf, type Support } from '#src/operation/capability.ts';
import type { JsonObject } from '#src/operation/json.ts';
import { isTemplate } from '../../grammar/template.ts';
import type { Spot } from '../../document/report.ts';
import { clientOf } from '../choose-accounts.ts';
import type { Desk } from '../desk.ts';
import type { PlacedStep } from '../place-steps.ts';
import { warnOfLimit } from './warn-of-limit.ts';

/** Warns of what the platform of an account does not do: the step fails there, whatever it does elsewhere. */
export function warnOfUnsupported(parameters: JsonObject, step: PlacedStep, desk: Desk): void {
  const { draft, declared, accounts, path } = step;
  const platforms = desk.accounts[clientOf(draft.do ?? '')]?.platforms ?? {};
  const { document, report } = desk;
  for (const account of accounts) {
    const platform = Object.hasOwn(platforms, account) ? platforms[account] : undefined;
    const capability = platform?.capabilities[declared?.name ?? ''];
    if (!platform || !capability) continue;
    const who = account === platform.name ? account : `${account} (${platform.name})`;
    const warn = (spot: Spot, what: string, support: Support): void =>
      report.warning(spot, `${who} ${what}: the step ${support.support === 'gated' ? 'may fail' : 'fails'} there`, remarkOf(support));
    if (isLacking(capability) || capability.support === 'gated') {
      const how = capability.support === 'gated' ? 'does this not everywhere' : 'cannot do this';
      warn(document.spot([...path, 'do']), how, capability);
      continue;
    }
    for (const [key, support] of Object.entries(capability.parameters ?? {})) {
      const value = givenAt(parameters, key);
      if (!isAsked(value)) continue;
      const spot = spotOf(key);
      if (isLacking(support)) warn(spot, `has no ${key}`, support);
      if (support.limit) warnOfLimit(value, { limit: support.limit, who, path: [...path, 'with', ...key.split('.')] }, desk);
      for (const other of support.excludes?.filter((one) => isAsked(givenAt(parameters, one))) ?? []) {
        report.warning(spotOf(other), `${who} takes no ${other} beside a ${key}: the step fails there`, 'leave one of the two out');
      }
      const named = typeof value === 'string' && !isTemplate(value) ? value : '';
      const ofValue = support.values?.[named];
      if (ofValue && isLacking(ofValue)) warn(spot, `has no ${key} ${named}`, ofValue);
    }
  }

  function spotOf(key: string): Spot {
    const inside = key.split('.');
    return document.keySpot([...path, 'with', ...inside.slice(0, -1)], inside.at(-1) ?? key);
  }
}

function isLacking({ support }: Support): boolean {
  return support === 'unsupported';
}
