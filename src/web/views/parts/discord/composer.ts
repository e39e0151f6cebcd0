import { html } from '../../html.ts';
import { useTexts } from '../../language.ts';
import type { VNode } from '../../preact.mjs';
import { DISCORD_TEXTS } from '../../texts/discord.ts';
import { composing } from './state.ts';

/** The field for messages and slash commands, with the list of what fits: see `src/web/browser/discord/composer.ts`. */
export function Composer({ channel, mayWrite }: { readonly channel: string; readonly mayWrite: boolean }): VNode {
  const t = useTexts(DISCORD_TEXTS);
  const { items, active, hint } = composing.value;
  const isOpen = items.length > 0;
  return html`<form class="composer scripted" method="post" data-composer>
    <ul id="suggestions" role="listbox" aria-label=${t.suggestions} hidden=${!isOpen}>
      ${items.map(
        ({ label, description }, index) =>
          html`<li
            key=${`${label} ${index}`}
            id=${`suggestion-${index}`}
            role="option"
            aria-selected=${index === active ? 'true' : 'false'}
            data-suggestion=${index}
          >
            <bdi>${label}</bdi>${description !== '' && html` <small>${description}</small>`}
          </li>`,
      )}
    </ul>
    <div class="field-row">
      <input
        id="composer"
        name="text"
        role="combobox"
        aria-label=${t.write(channel)}
        aria-expanded=${isOpen ? 'true' : 'false'}
        aria-controls="suggestions"
        aria-autocomplete="list"
        aria-activedescendant=${isOpen && active >= 0 ? `suggestion-${active}` : undefined}
        aria-describedby="composer-hint"
        placeholder=${mayWrite ? t.write(channel) : t.commandsOnly}
        autocomplete="off"
        autocapitalize="off"
        spellcheck=${false}
        maxlength="6000"
      />
      <button class="button primary">${t.send}</button>
    </div>
    <p class="hint" id="composer-hint">${hint === '' ? t.hint : hint}</p>
  </form>`;
}
