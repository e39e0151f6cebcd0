import type { DraftRefusal } from '#src/assistant/refusal.ts';
import type { Words } from '../language/words.ts';
import { escaped } from '../text/foreign-text.ts';

/** Of what others wrote. */
const LONGEST = 1_500;

/** Why a draft cannot be let out, for people. */
export function refusalWords(refusal: DraftRefusal, { assistant: { draft } }: Words): string {
  return draft.refused(reason(refusal, draft.reasons));
}

function reason(refusal: DraftRefusal, words: Words['assistant']['draft']['reasons']): string {
  switch (refusal.kind) {
    case 'check':
    case 'tests':
      return words[refusal.kind](escaped(refusal.lines, LONGEST));
    case 'switched':
    case 'files':
    case 'noAccount':
      return words[refusal.kind];
    case 'withheld':
      return words.withheld(refusal.verb);
    case 'taken':
      return words.taken(refusal.rule);
    case 'unwritten':
      return words.unwritten(refusal.file);
    case 'empty':
    case 'tooLong':
      return words[refusal.kind](refusal.account);
    case 'unfit':
      return words.unfit(refusal.account, escaped(refusal.why, LONGEST));
    case 'unsent':
      return escaped(refusal.why, LONGEST);
  }
}
