import type { Path } from '#src/rules/document/report.ts';
import { fieldAccess } from '#src/rules/expression/language/tree.ts';
import { isTemplate, literalText, parseTemplate } from '#src/rules/grammar/template.ts';
import { keysOf, shapeOf } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
import type { ParameterText } from './check-expression.ts';
import type { PlacedStep } from './place-steps.ts';

const PING = /@(everyone|here)\b|<@&(\d+)>/u;

/** Warns of `@everyone`, `@here` and roles in the text of a message that does not ping them: only names in `mention` ping. */
export function checkSilentPings(
  texts: readonly ParameterText[],
  { declared, draft, path }: PlacedStep,
  { document, report }: CheckContext,
): void {
  const shape = declared && shapeOf(declared.params);
  if (!keysOf(shape).includes('mention')) return;
  const mentions = [draft.with?.['mention'] ?? []].flat();
  for (const { path: at, text } of texts) {
    const [found, everyone, role = ''] = (at[0] === 'content' && PING.exec(literalText(parseTemplate(text), ' '))) || [];
    const name = everyone ?? role;
    if (found === undefined || mentions.some((one) => typeof one !== 'string' || [name, found].includes(one) || isTemplate(one))) continue;
    const location = document.locationOf([...path, 'with', ...at]);
    report.warning(location, 'silent-ping', `${found} in the text pings no one`, `add mention: [${everyone ?? `"${role}"`}]`);
  }
}

/** The path of a fixed ping of everyone in a step; undefined: it has none. */
export function pingOfEveryone({ draft, path }: Pick<PlacedStep, 'draft' | 'path'>): Path | undefined {
  const mentions = [draft.with?.['mention'] ?? []].flat();
  return mentions.some((one) => typeof one === 'string' && /^@?(?:everyone|here)$/u.test(one)) ? [...path, 'with', 'mention'] : undefined;
}

/** Warns of a text of a platform in `mention`, which could name any role. Ids name none, and fixed texts and entries of lists have their authors. */
export function checkForeignPings(
  texts: readonly ParameterText[],
  { declared, path }: PlacedStep,
  { document, report }: CheckContext,
): void {
  if (!keysOf(declared && shapeOf(declared.params)).includes('mention')) return;
  for (const { path: at, expressions = [] } of texts.filter((text) => text.path[0] === 'mention')) {
    for (const { expression, at: offset } of expressions) {
      const { isOwnText, source, tree } = expression;
      if (isOwnText || fieldAccess(tree)?.field === 'id') continue;
      const location = document.textLocation([...path, 'with', ...at], offset);
      const isList = expression.type.kind === 'list';
      const hint = isList ? 'write the names of the roles' : `write the roles in vars, and vars.roles[?${source}].orValue('Live')`;
      report.warning(
        location,
        'foreign-ping',
        'a text of the platform chooses which role is pinged, and everyone and here are left out',
        hint,
      );
    }
  }
}
