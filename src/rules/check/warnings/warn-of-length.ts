import { fieldAccess } from '../../expression/language/tree.ts';
import { ownText, parseTemplate } from '../../grammar/template.ts';
import type { ParameterText } from '../parameters/check-parameters.ts';
import type { Desk } from '../desk.ts';
import type { PlacedStep } from '../place-steps.ts';

/** How long texts of platforms can be that have no short limit, by the name of their field. */
const LONG_FIELDS: Readonly<Record<string, number>> = { description: 5_000, bio: 1_000, content: 4_000, text: 500 };
/** What an expression comes to at least that says anything. */
const SHORT = 10;

/** The most that a text may be long where it goes to. */
interface Room {
  readonly most: number;
  lengthOf(text: string): number;
  /** Who sets the limit. */
  readonly where: string;
  /** Which limit of theirs this is. */
  readonly source?: string | undefined;
}

/** Warns of text that can pass the limit of its target: by what its author wrote alone, or by a field that has no short limit. */
export function warnOfLength(texts: readonly ParameterText[], step: PlacedStep, desk: Desk): void {
  if (step.draft.fit === 'thread') return;
  for (const text of texts) {
    const room = roomOf(text, step, desk);
    if (room) warnOfText(text, { room, step }, desk);
  }
}

function warnOfText(
  { path, text, expressions }: ParameterText,
  { room, step }: { readonly room: Room; readonly step: PlacedStep },
  desk: Desk,
): void {
  const template = parseTemplate(text);
  const own = room.lengthOf(ownText(template));
  const open = template.pieces.filter((piece) => 'source' in piece).length;
  const at = [...step.path, 'with', ...path];
  const fate = step.draft.fit === 'error' ? 'the step fails then' : 'it is shortened then';
  const source = room.source === undefined ? '' : ` (${room.source})`;
  if (own + open * SHORT > room.most && (open > 0 || step.declared?.kind === 'write')) {
    const what = open === 0 ? `this is ${own} characters long` : `${own} characters stand here beside what is put in`;
    desk.report.warning(
      desk.document.spot(at),
      `${what}, and ${room.where} takes ${room.most}${source}: ${fate}`,
      'say it shorter, or add fit: thread',
    );
    return;
  }
  for (const { expression, at: offset } of expressions ?? []) {
    const field = fieldAccess(expression.tree)?.field ?? '';
    const longest = Object.hasOwn(LONG_FIELDS, field) ? (LONG_FIELDS[field] ?? 0) : 0;
    if (longest === 0 || own + longest <= room.most) continue;
    const hint = `write truncate(${expression.source}, ${Math.max(20, Math.floor((room.most - own) * 0.6))})`;
    const message = `${expression.source} can be longer than the ${room.most} characters that ${room.where} takes${source}: ${fate}`;
    desk.report.warning(desk.document.textSpot(at, offset), message, hint);
  }
}

/** The smallest room that the text has at any target; undefined where none is known, or where the text is refused for it anyway. */
function roomOf({ shape, text, expressions }: ParameterText, { draft, accounts }: PlacedStep, desk: Desk): Room | undefined {
  if (shape?.kind !== 'text') return undefined;
  if (shape.max !== undefined) {
    const isFixed = expressions?.length === 0 && !text.includes('${{');
    return isFixed ? undefined : { most: shape.max, lengthOf: (one) => one.length, where: 'it' };
  }
  if (shape.markup !== 'post') return undefined;
  const limits = desk.accounts[(draft.do ?? '').split('.')[0] ?? '']?.textLimits ?? {};
  const rooms = accounts.flatMap((account): readonly Room[] => {
    const limit = Object.hasOwn(limits, account) ? limits[account] : undefined;
    return limit ? [{ most: limit.most, lengthOf: (one) => limit.lengthOf(one), where: account, source: limit.source }] : [];
  });
  return rooms.toSorted((a, b) => a.most - b.most)[0];
}
