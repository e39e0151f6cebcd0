import { isSet, remarkOf, valueAt, type Support } from '#src/clients/operation/capability.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import type { Location, Path } from '#src/rules/document/report.ts';
import { isTemplate, literalText } from '#src/rules/grammar/template.ts';
import type { CheckContext } from './check-context.ts';
import { clientOf } from './choose-accounts.ts';
import { fixedPieces } from './fixed-values.ts';
import type { PlacedStep } from './place-steps.ts';

/** A use of an operation: a step or a poll. */
interface Use {
  /** What fails without support, as messages name it. */
  readonly what: 'the step' | 'each poll';
  readonly verb: string;
  readonly accounts: readonly string[];
  /** The path of the key that names the operation. */
  readonly at: Path;
}

/** Warns of operations and parameters of a step that the platform of an account does not support. */
export function checkStepSupport(parameters: JsonObject, { draft, accounts, path }: PlacedStep, context: CheckContext): void {
  checkPlatformSupport(parameters, { what: 'the step', verb: draft.do ?? '', accounts, at: [...path, 'do'] }, context);
}

/** Warns of operations and parameters of a poll that the platform of an account does not support. */
export function checkPollSupport(parameters: JsonObject, watched: Pick<Use, 'verb' | 'accounts'>, context: CheckContext): void {
  checkPlatformSupport(parameters, { what: 'each poll', ...watched, at: ['when', 'watch'] }, context);
}

function checkPlatformSupport(parameters: JsonObject, { what, verb, accounts, at }: Use, context: CheckContext): void {
  const path = at.slice(0, -1);
  const { document, report } = context;
  const platforms = context.accounts[clientOf(verb)]?.platforms ?? {};
  for (const account of accounts) {
    const platform = Object.hasOwn(platforms, account) ? platforms[account] : undefined;
    const capability = platform?.capabilities[verb.slice(verb.indexOf('.') + 1)];
    if (!platform || !capability) continue;
    const name = account === platform.name ? account : `${account} (${platform.name})`;
    const warn = (location: Location, lack: string, support: Support): void => {
      const fate = support.support === 'gated' ? 'may fail' : 'fails';
      report.warning(location, 'unsupported', `${name} ${lack}: ${what} ${fate} there`, remarkOf(support));
    };
    if (isLacking(capability) || capability.support === 'gated') {
      const lack = capability.support === 'gated' ? 'does not support this everywhere' : 'does not support this';
      warn(document.locationOf(at), lack, capability);
      continue;
    }
    for (const [key, support] of Object.entries(capability.parameters ?? {})) {
      const value = valueAt(parameters, key);
      if (!isSet(value)) continue;
      const location = locationOf(key);
      if (isLacking(support)) warn(location, `has no ${key}`, support);
      if (support.limit) checkLimit(value, { limit: support.limit, what, name, path: [...path, 'with', ...key.split('.')] }, context);
      for (const other of support.excludes?.filter((one) => isSet(valueAt(parameters, one))) ?? []) {
        const fate = other === 'quote' ? 'the quote is sent as a link there' : `${what} fails there`;
        report.warning(
          locationOf(other),
          'exclusive-parameters',
          `${name} does not accept ${other} together with ${key}: ${fate}`,
          'remove one of them',
        );
      }
      const alone = indexOfLoneFile(value, support.alone);
      if (alone !== undefined) {
        const message = `${name} does not accept this file together with other files: ${what} fails there`;
        report.warning(document.locationOf([...path, 'with', key, alone]), 'exclusive-files', message, 'use a separate step for it');
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

/** The index of a file that excludes the others of its list, by its extension. */
function indexOfLoneFile(files: unknown, extensions: readonly string[] = []): number | undefined {
  if (!Array.isArray(files) || files.length < 2 || extensions.length === 0) return undefined;
  const index = files.findIndex((file: Json) => {
    const { path, url = path } = isJsonObject(file) ? file : { path: file };
    const extension = typeof url === 'string' ? /\.(\w+)(?:[?#].*)?$/u.exec(url)?.[1] : undefined;
    return extension !== undefined && extensions.includes(extension.toLowerCase());
  });
  return index < 0 ? undefined : index;
}

function isLacking({ support }: Support): boolean {
  return support === 'unsupported';
}

interface LimitedParameter extends Pick<Use, 'what'> {
  readonly limit: TextLimit;
  /** The account, as messages name it. */
  readonly name: string;
  readonly path: Path;
}

/** Warns of texts whose literal part exceeds the limit of the platform. */
function checkLimit(value: unknown, { limit, what, name, path }: LimitedParameter, context: CheckContext): void {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const [index, text] of texts.entries()) {
    if (typeof text !== 'string') continue;
    const length = limit.lengthOf(literalText(fixedPieces(text, context)));
    if (length <= limit.most) continue;
    const [extent, fate] = limit.varies ? [' on most servers', 'may fail'] : ['', 'fails'];
    const message = `the text has ${length} characters, but ${name} accepts ${limit.most}${extent}: ${what} ${fate} there`;
    const location = context.document.locationOf(Array.isArray(value) ? [...path, index] : path);
    context.report.warning(location, 'long-parameter', message, 'shorten the text');
  }
}
