import type { Preview } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts, type Texts } from '../language.ts';
import type { VNode } from '../preact.mjs';

type StepPosition = Preview['scenarios'][number]['steps'][number]['position'];

const TEXTS: Texts<Record<'name' | 'labelled', (position: StepPosition) => string>> = {
  en: {
    name: ({ section, number }) => `${section === 'then' ? '' : `${section} `}step ${number}`,
    labelled: ({ section, number }) => `${number}${section === 'then' ? '' : ` of ${section}`}`,
  },
  de: {
    name: ({ section, number }) => `Schritt ${number}${section === 'then' ? '' : ` von ${section}`}`,
    labelled: ({ section, number }) => `${number}${section === 'then' ? '' : ` von ${section}`}`,
  },
};

interface StepNameProps {
  readonly position: StepPosition;
  /** Whether the label before it is the word for a step. */
  readonly isLabelled?: boolean | undefined;
}

/** The id of a step, else its position. */
export function StepName({ position, isLabelled = false }: StepNameProps): VNode {
  const t = useTexts(TEXTS);
  return html`<bdi>${position.id ?? t[isLabelled ? 'labelled' : 'name'](position)}</bdi>`;
}
