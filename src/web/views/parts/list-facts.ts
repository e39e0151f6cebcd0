import type { List, ListSummary } from '../../client/records.ts';
import { addressOfRule } from '../addresses.ts';
import { diagnosticText } from '../diagnostic-text.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { LISTS_TEXTS } from '../texts/lists.ts';
import { Badge } from './badge.ts';
import { TimeSince } from './time.ts';

/** Who can change a list. */
export function KindBadge({ kind }: Pick<ListSummary, 'kind'>): VNode {
  const t = useTexts(LISTS_TEXTS);
  return kind === 'file'
    ? html`<${Badge} word=${t.file} tone="calm" title=${t.fileTitle} />`
    : html`<${Badge} word=${t.living} tone="good" title=${t.livingTitle} />`;
}

/** The rules that read a list, at most `shown` of them. */
export function Readers({
  rules = [],
  ruleCount = 0,
  shown,
}: Pick<ListSummary, 'rules' | 'ruleCount'> & { readonly shown: number }): VNode {
  const t = useTexts(LISTS_TEXTS);
  if (ruleCount === 0) return html`<p class="muted">${t.unread}</p>`;
  const first = rules.slice(0, shown);
  const rest = ruleCount - first.length;
  const parts = [
    [t.watchedBy, first.filter(({ watches }) => watches)] as const,
    [t.readBy, first.filter(({ watches }) => !watches)] as const,
  ];
  return html`<div class="readers">
    ${parts.map(
      ([label, some]) =>
        some.length > 0 &&
        html`<p key=${label} class="meta">
          ${label}
          ${some.map(
            ({ id, on }) =>
              html`<span key=${id}
                ><a href=${addressOfRule(id)}><bdi>${id}</bdi></a
                >${on ? '' : ` (${t.off})`}</span
              >`,
          )}
        </p>`,
    )}
    ${rest > 0 && html`<p class="muted">${t.more(rest)}</p>`}
  </div>`;
}

/** The source of further entries of a list, and the errors of its file. */
export function SourceAndErrors({ source, diagnostics }: Pick<List, 'source' | 'diagnostics'>): VNode {
  const t = useTexts(LISTS_TEXTS);
  return html`<div>
    ${
      source &&
      html`<p class="meta">
        ${t.source}<span><code>${source.watch}</code> ${t.through} <bdi>${source.account}</bdi></span>
        ${source.readAt === undefined ? html`<span>${t.notRead}</span>` : html`<span>${t.readAt} <${TimeSince} at=${source.readAt} /></span>`}
      </p>`
    }
    ${
      source?.problem !== undefined &&
      html`<p class="obstacle" dir="auto">
        ${source.readAt === undefined ? t.neverRead : t.failed} <span lang="en">${source.problem}</span>
      </p>`
    }
    ${diagnostics.map(
      ({ severity, message, line, hint }, index) =>
        html`<p key=${index} class=${severity === 'error' ? 'obstacle' : 'muted'} dir="auto" lang="en">
          ${line}: ${diagnosticText({ message, hint })}
        </p>`,
    )}
  </div>`;
}
