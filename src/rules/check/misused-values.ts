import { isScalar } from 'yaml';
import type { Path } from '#src/rules/document/report.ts';
import type { Expression } from '#src/rules/expression/expression.ts';
import { fieldAccess, written } from '#src/rules/expression/language/tree.ts';
import { stepOf } from '#src/rules/expression/reads.ts';
import { parseTemplate } from '#src/rules/grammar/template.ts';
import { textOf } from '#src/rules/shape/shape.ts';
import type { StepNames } from '#src/rules/step.ts';
import type { CheckContext } from './check-context.ts';
import type { ParameterText } from './check-expression.ts';
import { clientOf } from './choose-accounts.ts';
import type { PlacedStep } from './place-steps.ts';

interface StepSite {
  readonly step: PlacedStep;
  readonly names: StepNames;
}

/** Fields with a text for readers, which is neither an address nor the name of a channel. */
const PROSE: ReadonlySet<string> = new Set(['bio', 'content', 'description', 'text', 'title']);
/** Fields with a name, which is no address either. */
const NAMES: ReadonlySet<string> = new Set(['displayName', 'handle', 'name']);

/** Warns of a text for readers in the place of an address or of a channel, for example an answer of the assistant. */
export function checkProse(texts: readonly ParameterText[], { step: { path }, names }: StepSite, { document, report }: CheckContext): void {
  const conditions = [['when', 'where'], ['if'], [...path, 'if']].map((at) => textAt(at, document)).join(' ');
  for (const { path: at, text, shape, expressions: [first] = [] } of texts) {
    const field = first && fieldAccess(first.expression.tree)?.field;
    if (!first || field === undefined || first.expression.isOwnText || parseTemplate(text).pieces.length > 1) continue;
    const { source, tree } = first.expression;
    // The fields of a webhook and the options of a command have the meaning that their rule gives them.
    const isDeclared = names.webhook ? written(tree).startsWith('item.') : written(tree).startsWith('command.options.');
    // A condition on its start can leave only addresses.
    const isTested = [`${source}.startsWith(`, `rx(${source},`].some((call) => conditions.includes(call));
    if (isDeclared || isTested) continue;
    const location = document.textLocation([...path, 'with', ...at], first.at);
    const isAddress = shape && textOf(shape)?.isAddress === true;
    const isFile = at[0] === 'files' && (at.length === 2 || at[2] === 'url');
    if ((isAddress === true || isFile) && (PROSE.has(field) || NAMES.has(field))) {
      const fate = isFile ? 'Fanfare sends the step without the file' : 'the message is sent without it';
      const hint = `write a field with an address, or choose one in vars: vars.pictures[?${source}].orValue('')`;
      report.warning(location, 'impossible-address', `${source} is not an address: ${fate}`, hint);
    } else if (at.length === 1 && at[0] === 'channel' && PROSE.has(field)) {
      const hint = `write the channels in vars, and vars.channels[?${source}].orValue('general')`;
      report.warning(location, 'foreign-channel', 'a text that others write chooses the channel', hint);
    }
  }
}

function textAt(path: Path, document: CheckContext['document']): string {
  const node = document.nodeAt(path);
  return isScalar(node) ? String(node.value) : '';
}

/** The id of a person in a record, for example `item.owner.id`. */
const PERSON_ID = /^(?:item|previous|change\.(?:item|previous)|it|steps\.(\w+))(?:\.(?:own|on\.\w+))?(?:\.\w+)*\.id$/u;
/** Parameters that name people. */
const PEOPLE: ReadonlySet<string> = new Set(['user', 'users', 'mention']);
/** The clients with people, whose ids differ. The history has records of all clients. */
const WITH_PEOPLE: ReadonlyMap<string, string> = new Map([
  ['discord', 'member of Discord'],
  ['social', 'user of social networks'],
  ['streaming', 'channel for streams'],
]);

/** Warns of the id of a person at another kind of platform, for example of the id of a streamer in the place of a member of Discord. */
export function checkForeignIds(
  texts: readonly ParameterText[],
  { step: { path, draft }, names }: StepSite,
  { document, report }: CheckContext,
): void {
  const target = clientOf(draft.do ?? '');
  const person = WITH_PEOPLE.get(target);
  if (person === undefined) return;
  for (const { path: at, text, expressions = [] } of texts) {
    const isPerson = PEOPLE.has(String(at[0]));
    for (const { expression, at: offset } of expressions) {
      const client = clientOfId(expression, names);
      const isMention = target === 'discord' && /<@!?$/u.test(text.slice(0, text.lastIndexOf('${{', offset)));
      if (client === undefined || client === target || !(isPerson || isMention)) continue;
      const { source } = expression;
      const message = `${source} is an id of ${client}, and no ${person} has it`;
      const name = source.replace(/(?<=\.(?:author|owner|sender|user))\.id$/u, '.handle');
      const hint = `write the names of these people in vars, and vars.members[?${name}].orValue('')`;
      report.warning(document.textLocation([...path, 'with', ...at], offset), 'foreign-id', message, hint);
    }
  }
}

/** The client of the record whose id an expression reads; undefined if it reads something else. */
function clientOfId({ tree }: Expression, { watch, people, steps }: StepNames): string | undefined {
  const path = written(tree);
  const [found, step] = PERSON_ID.exec(path) ?? [];
  // The id of an entry of a list can be any name.
  if (found === undefined || (people === true && path.includes('.person.'))) return undefined;
  const verb = step === undefined ? watch : steps[stepOf(step)];
  const client = verb === undefined || path.startsWith('it.') ? undefined : clientOf(verb);
  return client !== undefined && WITH_PEOPLE.has(client) ? client : undefined;
}
