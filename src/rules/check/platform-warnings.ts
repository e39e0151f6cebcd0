import { isSet, remarkOf, valueAt, type Support } from '#src/clients/operation/capability.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Location, Path } from '#src/rules/document/report.ts';
import { isTemplate, literalText, parseTemplate } from '#src/rules/grammar/template.ts';
import type { CheckContext } from './check-context.ts';
import { clientOf } from './choose-accounts.ts';
import { fixedText } from './fixed-values.ts';
import type { PlacedStep } from './place-steps.ts';

/** Warns of operations and parameters that the platform of an account does not support: the step fails there. */
export function checkPlatformSupport(parameters: JsonObject, step: PlacedStep, context: CheckContext): void {
  const { draft, declared, accounts, path } = step;
  const { document, report } = context;
  const platforms = context.accounts[clientOf(draft.do ?? '')]?.platforms ?? {};
  for (const account of accounts) {
    const platform = Object.hasOwn(platforms, account) ? platforms[account] : undefined;
    const capability = platform?.capabilities[declared?.name ?? ''];
    if (!platform || !capability) continue;
    const name = account === platform.name ? account : `${account} (${platform.name})`;
    const warn = (location: Location, lack: string, support: Support): void => {
      const fate = support.support === 'gated' ? 'may fail' : 'fails';
      report.warning(location, 'unsupported', `${name} ${lack}: the step ${fate} there`, remarkOf(support));
    };
    if (isLacking(capability) || capability.support === 'gated') {
      const lack = capability.support === 'gated' ? 'does not support this everywhere' : 'does not support this';
      warn(document.locationOf([...path, 'do']), lack, capability);
      continue;
    }
    for (const [key, support] of Object.entries(capability.parameters ?? {})) {
      const value = valueAt(parameters, key);
      if (!isSet(value)) continue;
      const location = locationOf(key);
      if (isLacking(support)) warn(location, `has no ${key}`, support);
      if (support.limit) checkLimit(value, { limit: support.limit, name, path: [...path, 'with', ...key.split('.')] }, context);
      for (const other of support.excludes?.filter((one) => isSet(valueAt(parameters, one))) ?? []) {
        const message = `${name} does not accept ${other} together with ${key}: the step fails there`;
        report.warning(locationOf(other), 'exclusive-parameters', message, 'remove one of them');
      }
      const choice = typeof value === 'string' && !isTemplate(value) ? value : '';
      const ofChoice = support.values?.[choice];
      if (ofChoice && isLacking(ofChoice)) warn(location, `has no ${key} ${choice}`, ofChoice);
    }
  }

  function locationOf(key: string): Location {
    const inside = key.split('.');
    return document.keyLocation([...path, 'with', ...inside.slice(0, -1)], inside.at(-1) ?? key);
  }
}

function isLacking({ support }: Support): boolean {
  return support === 'unsupported';
}

interface LimitedParameter {
  readonly limit: TextLimit;
  /** The account, as messages name it. */
  readonly name: string;
  readonly path: Path;
}

/** Warns of texts whose literal part exceeds the limit of the platform. */
function checkLimit(value: unknown, { limit, name, path }: LimitedParameter, context: CheckContext): void {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, text] of texts.entries()) {
    if (typeof text !== 'string') continue;
    const length = limit.lengthOf(fixedText(text, context) ?? literalText(parseTemplate(text)));
    if (length <= limit.most) continue;
    const [extent, fate] = limit.varies ? [' on most servers', 'may fail'] : ['', 'fails'];
    const message = `the text has ${length} characters, but ${name} accepts ${limit.most}${extent}: the step ${fate} there`;
    const location = context.document.locationOf(Array.isArray(value) ? [...path, index] : path);
    context.report.warning(location, 'long-parameter', message, 'shorten the text');
  }
}
