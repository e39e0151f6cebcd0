import { pollingLines } from '#src/admin/language/polling.ts';
import { pollingTextsFor } from '#src/admin/language/polling-texts.ts';
import type { Rule, RuleDetails } from '../../client/records.ts';
import { html } from '../html.ts';
import { useLanguage, useTexts } from '../language.ts';
import { useNumbers } from '../numbers.ts';
import type { VNode } from '../preact.mjs';
import { useReasons } from '../reasons.ts';
import { RULE_TEXTS } from '../texts/rule.ts';

const SECTIONS = ['then', 'while', 'finally', 'quiet', 'limit', 'gather'] as const;
const LOCALES = { en: 'en-GB', de: 'de' } as const;

interface RuleDoesProps {
  readonly details: RuleDetails;
  /** Absent for a rule that is gone. */
  readonly rule: Rule | undefined;
}

/** The steps of a rule in words, its next runs, and its YAML. */
export function RuleDoes({ details: { watches, polling, steps, timezone, nextRuns, source }, rule }: RuleDoesProps): VNode {
  const t = useTexts(RULE_TEXTS);
  const { span } = useNumbers();
  const schedule = useReasons().schedule(rule ?? {});
  const format = new Intl.DateTimeFormat(LOCALES[useLanguage()], { dateStyle: 'full', timeStyle: 'medium', timeZone: timezone });
  const changes: Readonly<Record<string, string>> = t.changes;
  return html`<section class="panel padded" aria-labelledby="does">
    <h2 id="does">${t.does}</h2>
    <p>
      ${watches ? `${schedule === undefined ? '' : `${schedule.text}: `}${t.reads(watches.operation, watches.accounts.join(', '))} ${t.announces(watches.changes.map((change) => changes[change] ?? change).join(', '))}` : t.readsNothing}
    </p>
    ${
      polling &&
      html`<ul class="does">
        ${pollingLines(polling, pollingTextsFor(useLanguage())).map((line) => html`<li key=${line}>${line}</li>`)}
      </ul>`
    }
    ${SECTIONS.map((section) => {
      const its = steps.filter((one) => one.section === section);
      return (
        its.length > 0 &&
        html`<div key=${section}>
          <p>${t.sections[`${section}Steps`]}</p>
          <ul class="does">
            ${its.map(
              ({ do: verb, accounts, channel, everyMs }, index) =>
                html`<li key=${index}>
                  <code>${verb}</code
                  >${accounts.length > 0 ? ` ${t.through} ${accounts.join(', ')}` : ''}${channel === undefined ? '' : ` → ${channel}`}${everyMs === undefined ? '' : `, ${t.every(span(everyMs))}`}
                </li>`,
            )}
          </ul>
        </div>`
      );
    })}
    ${
      nextRuns.length > 0 &&
      html`<details>
        <summary>${t.nextRuns(timezone)}</summary>
        <ol class="plain">
          ${nextRuns.map((at) => html`<li key=${at}><time datetime=${at}>${format.format(Date.parse(at))}</time></li>`)}
        </ol>
      </details>`
    }
    ${
      source !== undefined &&
      html`<details>
        <summary>${t.source}</summary>
        <pre class="source" dir="ltr" tabindex="0"><code>${source}</code></pre>
      </details>`
    }
  </section>`;
}
