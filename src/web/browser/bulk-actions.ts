import { ApiProblem } from '../client/client.ts';
import type { Language } from '../views/language.ts';
import { RULES_TEXTS } from '../views/texts/rules.ts';
import { problemText } from '../views/texts/problems.ts';
import { actOnce } from './act-once.ts';
import { call } from './call.ts';
import { element } from './element.ts';
import { newKey } from './new-key.ts';
import { showFailure, showOutcome } from './outcome.ts';

type BulkAction = 'pause' | 'resume';

const OPERATIONS = { pause: 'pauseRule', resume: 'resumeRule' } as const;

/** Makes the buttons of a list act on its selected rules. */
export function takeBulkActions(language: Language): void {
  const t = RULES_TEXTS[language];

  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.id === 'select-all') for (const box of boxes()) box.checked = target.checked;
    count();
  });
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button[data-bulk]') : null;
    if (button instanceof HTMLButtonElement) {
      const owner = button.parentElement ?? button;
      const action: BulkAction = button.dataset['bulk'] === 'resume' ? 'resume' : 'pause';
      // The other button, pressed before this action ends, means the rules that are selected now.
      const chosen = [...boxes()].filter(({ checked }) => checked);
      const rules = chosen.map(({ value }) => value);
      void actOnce(owner, button, () => act(owner, action, chosen), JSON.stringify([action, rules]));
    }
  });
  // An update can take selected rules away.
  const table = document.querySelector('.rule-table tbody');
  if (table) new MutationObserver(count).observe(table, { childList: true });

  function count(): void {
    const all = [...boxes()];
    const selected = all.filter(({ checked }) => checked).length;
    const box = document.querySelector('#select-all');
    if (!(box instanceof HTMLInputElement)) return;
    box.checked = selected > 0 && selected === all.length;
    box.indeterminate = selected > 0 && selected < all.length;
    element('selected-count').textContent = selected === 0 ? '' : t.selected(selected);
  }

  async function act(owner: Element, action: BulkAction, chosen: readonly HTMLInputElement[]): Promise<void> {
    if (chosen.length === 0) return showOutcome(owner, 'bad', t.nothingSelected);
    const failed: string[] = [];
    const changed: HTMLInputElement[] = [];
    const deselect = (): void => {
      for (const box of changed) box.checked = false;
      count();
    };
    for (const [index, box] of chosen.entries()) {
      showOutcome(owner, 'busy', t.busy[action](index, chosen.length));
      try {
        await call(OPERATIONS[action], { rule: box.value }, { idempotencyKey: newKey() });
        changed.push(box);
      } catch (error) {
        // The session has ended for all of them.
        if (error instanceof ApiProblem && error.problem.code === 'unauthenticated') {
          deselect();
          return showFailure(owner, error, language, t.noAnswer);
        }
        failed.push(`${box.value}: ${error instanceof ApiProblem ? problemText(error.problem, language).text : t.noAnswer}`);
      }
    }
    deselect();
    const texts = [
      changed.length > 0 ? t.done[action](changed.length) : '',
      failed.length > 0 ? `${t.notDone(failed.length)} ${failed.join('; ')}` : '',
    ];
    showOutcome(owner, failed.length > 0 ? 'bad' : 'good', texts.filter((text) => text !== '').join(' '));
  }
}

function* boxes(): Generator<HTMLInputElement> {
  for (const box of document.querySelectorAll('input[name=rule][type=checkbox]')) if (box instanceof HTMLInputElement) yield box;
}
