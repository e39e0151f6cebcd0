import { isShifted } from '#src/admin/queries/is-shifted.ts';
import type { Replay } from '../../client/records.ts';
import type { Tone } from '../../page/inline/tones.ts';
import { diagnosticText } from '../diagnostic-text.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { lineDiff, type DiffLine } from '../line-diff.ts';
import type { VNode } from '../preact.mjs';
import { REPLAY_TEXTS } from '../texts/replay.ts';
import { Badge } from './badge.ts';
import { StepName } from './step-name.ts';
import { Instant } from './time.ts';

type RuleReplayed = Replay['replays'][number];
type ReplayEvent = RuleReplayed['events'][number];
type Kind = ReplayEvent['kind'];

const TONES: Readonly<Record<Kind, Tone>> = { same: 'calm', other: 'doubt', more: 'good', fewer: 'bad', early: 'calm' };
/** Not by colour alone: each kind has a sign and a word. */
const SIGNS: Readonly<Record<Kind, string>> = { same: '=', other: '~', more: '+', fewer: '−', early: '·' };
/** Longer texts are cut, because the comparison of lines takes the square of their number. */
const MOST_LINES = 200;

/** What a replay found: the errors of the text, or the messages then and now. */
export function ReplayResult({ replay: { replays, diagnostics } }: { readonly replay: Replay }): VNode {
  const t = useTexts(REPLAY_TEXTS);
  return html`<div class="replay" role="group" aria-label=${t.title} tabindex="-1" data-answer>
    ${diagnostics.map(
      ({ severity, line, column, message, hint, excerpt }) =>
        html`<div key=${`${line}:${column} ${message}`} class="obstacle" lang="en">
          <p dir="auto">${severity}: <code>${line}:${column}</code> ${diagnosticText({ message, hint })}</p>
          ${excerpt.trim() !== '' && html`<pre><code>${excerpt.trim()}</code></pre>`}
        </div>`,
    )}
    ${replays.map((one) => html`<${Compared} key=${one.rule} replayed=${one} hasHeading=${replays.length > 1} />`)}
  </div>`;
}

function Compared({ replayed, hasHeading }: { readonly replayed: RuleReplayed; readonly hasHeading: boolean }): VNode {
  const t = useTexts(REPLAY_TEXTS);
  const { rule, counts, events, edits } = replayed;
  const [same, differing] = [events.filter(({ kind }) => kind === 'same'), events.filter(({ kind }) => kind !== 'same')];
  const all = counts.same + counts.other + counts.more + counts.fewer + counts.early;
  return html`<section aria-label=${rule}>
    ${hasHeading && html`<h3><bdi>${rule}</bdi></h3>`}
    <${Period} replayed=${replayed} />
    ${all === 0 ? html`<p class="muted">${t.nothing}</p>` : html`<${Counts} counts=${counts} />`}
    <${Events} events=${differing} />
    ${
      same.length > 0 &&
      html`<details>
        <summary>${t.same(counts.same)}</summary>
        <${Events} events=${same} />
      </details>`
    }
    ${all > events.length && html`<p class="obstacle">${t.omitted(all - events.length)}</p>`}
    ${edits.expected + edits.actual > 0 && html`<p class="muted">${t.edits(edits.actual, edits.expected)}</p>`}
  </section>`;
}

/** The polls that were replayed, and what the comparison cannot know. */
function Period({
  replayed: {
    since,
    slots,
    endedAt,
    blown,
    knownSince,
    startsEmpty,
    missingNames,
    changedLists,
    answersFirst,
    paused,
    pausedIsMinimum,
    failed,
  },
}: {
  readonly replayed: RuleReplayed;
}): VNode {
  const t = useTexts(REPLAY_TEXTS);
  return html`<div>
    <p class="muted">
      ${slots ? html`${t.polls(slots.count)} <${Instant} at=${slots.first} /> ${t.to} <${Instant} at=${slots.last} />` : html`${t.noPolls} <${Instant} at=${since} />`}
    </p>
    ${endedAt !== undefined && html`<p class="obstacle">${t.ended} <${Instant} at=${endedAt} /></p>`}
    ${blown && html`<p class="obstacle">${t.blown(blown.most)} <${Instant} at=${blown.at} /></p>`}
    ${knownSince !== undefined && html`<p class="obstacle">${t.unknownBefore} <${Instant} at=${knownSince} /></p>`}
    ${startsEmpty.length > 0 && html`<p class="obstacle">${t.startsEmpty(startsEmpty.join(', '))}</p>`}
    ${missingNames.length > 0 && html`<p class="obstacle">${t.missing(missingNames.join(', '))}</p>`}
    ${changedLists.length > 0 && html`<p class="obstacle">${t.changedLists(changedLists.join(', '))}</p>`}
    ${answersFirst && html`<p class="muted">${t.answersFirst}</p>`}
    ${paused > 0 && html`<p class="obstacle">${t.paused(paused, pausedIsMinimum)}</p>`}
    ${failed > 0 && html`<p class="obstacle">${t.failed(failed)}</p>`}
  </div>`;
}

function Counts({ counts }: Pick<RuleReplayed, 'counts'>): VNode {
  const t = useTexts(REPLAY_TEXTS);
  const kinds = (Object.keys(TONES) as Kind[]).filter((kind) => counts[kind] > 0); // the keys of a record are its names
  return html`<ul class="replay-counts" aria-label=${t.counts}>
    ${kinds.map((kind) => html`<li key=${kind}><${KindBadge} kind=${kind} /> ${counts[kind]}</li>`)}
  </ul>`;
}

function KindBadge({ kind }: { readonly kind: Kind }): VNode {
  const { word, title } = useTexts(REPLAY_TEXTS).kinds[kind];
  return html`<${Badge} tone=${TONES[kind]} word=${`${SIGNS[kind]} ${word}`} title=${title} />`;
}

function Events({ events }: { readonly events: readonly ReplayEvent[] }): VNode {
  return html`<ol class="replay-events">
    ${events.map((event, index) => html`<li key=${index}><${Event} event=${event} /></li>`)}
  </ol>`;
}

function Event({ event }: { readonly event: ReplayEvent }): VNode {
  const t = useTexts(REPLAY_TEXTS);
  const { kind, at, actualAt, about, position, do: verb, account, expected, actual, failure } = event;
  const [then, now] = [actual?.slice(0, MOST_LINES), expected?.slice(0, MOST_LINES)];
  const diff = then && now && kind !== 'same' ? lineDiff(then, now) : undefined;
  const isNow = kind !== 'fewer';
  const showsBoth = actualAt !== undefined && isShifted(new Date(at), new Date(actualAt));
  return html`<div>
    <p class="replay-event">
      <${KindBadge} kind=${kind} /><span><${Instant} at=${at} />${showsBoth && html` (${t.atThen} <${Instant} at=${actualAt} />)`}</span
      >${about !== '' && html`<strong><bdi>${about}</bdi></strong>`}
      <span><${StepName} position=${position} />: <code>${verb}</code> → <bdi>${account}</bdi></span>
    </p>
    ${failure !== undefined && html`<p class="obstacle" dir="auto">${t.failure} <span lang="en">${failure}</span></p>`}
    <dl class="sides">
      <div>
        <dt>${t.sideThen}</dt>
        <dd><${Side} lines=${diff?.filter((one) => one.kind !== 'added') ?? whole(then)} none=${t.noneThen} /></dd>
      </div>
      <div>
        <dt>${t.sideNow}</dt>
        <dd><${Side} lines=${diff?.filter((one) => one.kind !== 'removed') ?? (isNow ? whole(now) : undefined)} none=${t.noneNow} /></dd>
      </div>
    </dl>
  </div>`;
}

function whole(lines: readonly string[] | undefined): readonly DiffLine[] | undefined {
  return lines?.map((line) => ({ kind: 'same', line }));
}

function Side({ lines, none }: { readonly lines: readonly DiffLine[] | undefined; readonly none: string }): VNode {
  const t = useTexts(REPLAY_TEXTS);
  if (!lines || lines.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<div>
    ${lines.map(({ kind, line }, index) => {
      if (kind === 'same') return html`<p key=${index} dir="auto">${line}</p>`;
      if (kind === 'added')
        return html`<p key=${index} dir="auto">
          <ins><span aria-hidden="true">+ </span><span class="unseen">${t.added} </span>${line}</ins>
        </p>`;
      return html`<p key=${index} dir="auto">
        <del><span aria-hidden="true">− </span><span class="unseen">${t.removed} </span>${line}</del>
      </p>`;
    })}
  </div>`;
}
