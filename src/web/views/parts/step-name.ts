import type { Preview } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts, type Texts } from '../language.ts';
import type { VNode } from '../preact.mjs';

type StepPosition = Preview['scenarios'][number]['steps'][number]['position'];

const TEXTS: Texts<(position: StepPosition) => string> = {
  en: ({ section, number }) => `${section === 'then' ? '' : `${section} `}step ${number}`,
  de: ({ section, number }) => `Schritt ${number}${section === 'then' ? '' : ` von ${section}`}`,
};

/** The id of a step, else its position. */
export function StepName({ position }: { readonly position: StepPosition }): VNode {
  const name = useTexts(TEXTS);
  return html`<bdi>${position.id ?? name(position)}</bdi>`;
}
