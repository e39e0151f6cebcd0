import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { RESULT_TEXTS } from '../texts/results.ts';
import { ActionForm } from './action-form.ts';

interface ChoicesProps {
  /** The id of the question. */
  readonly delivery: string;
  /** The item or the rule. */
  readonly name: string;
  readonly choices: readonly string[];
}

/** The buttons that answer an open question. */
export function Choices({ delivery, name, choices }: ChoicesProps): VNode | undefined {
  const results = useTexts(RESULT_TEXTS);
  if (choices.length === 0) return undefined;
  return html`<div class="actions">
    ${choices.map(
      (choice) =>
        html`<${ActionForm} key=${choice} operation="answerDelivery" input=${{ delivery, choice }} done=${results.answered(name)}>
          <button><bdi>${choice}</bdi><span class="unseen"> (${name})</span></button>
        <//>`,
    )}
  </div>`;
}
