import { plainValue } from '../document/plain-value.ts';
import type { Path, Spot } from '../document/report.ts';
import type { WhenDraft } from '../grammar/rule-file.ts';
import type { Desk } from './desk.ts';
import { fixedText } from './fixed-text.ts';
import { valueAt } from './json-path.ts';
import type { PlacedStep } from './place-steps.ts';

/** A rule whose history is read. */
export interface FollowedRule {
  /** The id of a rule, or of one of those that its `each` makes. */
  readonly rule: string;
  readonly spot: Spot;
}

/** What reads the history of a rule. */
const READS = 'history.getEpisodes';

/** The rules that a rule reads the history of, as far as they are the same for all its firings. */
export function followedRules({ watch }: WhenDraft, placed: readonly PlacedStep[], desk: Desk): readonly FollowedRule[] {
  const places: readonly Path[] = [
    ...(watch === READS ? [['when', 'with']] : []),
    ...placed.flatMap(({ draft, path }) => (draft.do === READS ? [[...path, 'with']] : [])),
  ];
  return places.flatMap((path) => {
    const written = valueAt(plainValue(desk.document, path, { kind: 'anything' }), ['rule']);
    const rule = typeof written === 'string' ? fixedText(written, desk) : undefined;
    return rule === undefined ? [] : [{ rule, spot: desk.document.spot([...path, 'rule']) }];
  });
}
